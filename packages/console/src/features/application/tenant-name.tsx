import type { ApplicationRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';

export const TenantName = ({ application }: { application: ApplicationRow }) => {
  const { t } = useTranslation('application');
  return (
    <>
      {application.tenancyName}{' '}
      {application.tenancyEnabled === 0 && <span className="dc-tag">{t('tenantClosed')}</span>}
    </>
  );
};
