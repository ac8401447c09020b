import { Cpu } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';

/** Shown while no device is registered. */
export const NoDevices = ({ register }: { register: ReactNode }) => {
  const { t } = useTranslation('device');
  return (
    <EmptyState
      icon={<Cpu size={22} />}
      title={t('emptyTitle')}
      text={t('emptyText')}
      action={
        <>
          {register}
          <Button href={`/docs?language=${currentLanguage()}`} target="_blank" rel="noreferrer">
            {t('readDocs')}
          </Button>
        </>
      }
    />
  );
};
