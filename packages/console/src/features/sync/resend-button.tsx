import { type SyncCountRow, syncCalls } from '@device-center/contract';
import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import type { DataType } from './sync-badges.tsx';
import { countsOf, useBlocked, useMaySync } from './sync-zone.ts';

/** Sends all of a type again, including synchronised records, after a confirmation. */
export const ResendButton = ({ zone, dataType }: { zone: SyncCountRow; dataType: DataType }) => {
  const { t } = useTranslation(['sync', 'common']);
  const { modal } = App.useApp();
  const blocked = useBlocked(zone, dataType);
  const resend = useCallMutation(syncCalls.resend, {
    onSuccess: ({ requested }) => announceSuccess(t('sync:requested', { count: requested })),
  });
  const { total } = countsOf(zone, dataType);
  if (!useMaySync() || total === 0) return null;
  const label = t('sync:resend');
  const ask = () =>
    void modal.confirm({
      title: t('sync:resendTitle', { name: zone.zoneName, type: t(`sync:type_${dataType}`), count: total }),
      content: t('sync:resendText'),
      okText: label,
      cancelText: t('common:cancel'),
      okButtonProps: { danger: true },
      onOk: () => resend.mutateAsync({ zoneId: zone.zoneId, dataType }).catch(() => undefined),
    });
  return (
    <Button
      disabled={blocked !== undefined}
      title={blocked}
      aria-label={blocked === undefined ? undefined : `${label} (${blocked})`}
      loading={resend.isPending}
      onClick={ask}
    >
      {label}
    </Button>
  );
};
