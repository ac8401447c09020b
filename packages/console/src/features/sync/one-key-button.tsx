import type { SyncCountRow } from '@device-center/contract';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import type { SendRequest } from './send/send-dialog.tsx';
import type { DataType } from './sync-badges.tsx';
import { useBlocked, useMaySync } from './sync-zone.ts';

type OneKeyButtonProps = {
  zone: SyncCountRow;
  dataType: DataType;
  onAsk: (ask: SendRequest) => void;
  primary?: boolean;
};

/** Button that synchronises all of a type; disabled with a reason if that is not possible. */
export const OneKeyButton = ({ zone, dataType, onAsk, primary = false }: OneKeyButtonProps) => {
  const { t } = useTranslation('sync');
  const blocked = useBlocked(zone, dataType);
  if (!useMaySync()) return null;
  const label = t('oneKeyOf', { type: t(`type_${dataType}`) });
  return (
    <Button
      {...(primary ? { type: 'primary' as const } : { size: 'small' as const })}
      icon={<RefreshCw size={14} aria-hidden />}
      disabled={blocked !== undefined}
      title={blocked}
      aria-label={blocked === undefined ? label : `${label} (${blocked})`}
      onClick={() => onAsk({ zone, dataType })}
    >
      {t('oneKey')}
    </Button>
  );
};
