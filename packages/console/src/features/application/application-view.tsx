import type { ApplicationRow } from '@device-center/contract';
import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { applicationListPath, applicationPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DetailPage } from '../../ui/detail-page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { KeyValue } from '../../ui/states.tsx';
import { DeleteApplications } from './delete-applications.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { TenantName } from './tenant-name.tsx';

export const ApplicationView = ({ application }: { application: ApplicationRow }) => {
  const { t } = useTranslation(['application', 'common']);
  const navigate = useNavigate();
  const operator = usePlatformOperator();
  const mayWrite = useCan('application:write');
  const [deleting, setDeleting] = useState(false);
  const { applicationId, applicationName, enabled } = application;
  return (
    <DetailPage
      title={applicationName}
      id={applicationId}
      backTo={applicationListPath}
      actions={
        mayWrite && (
          <>
            <Button danger onClick={() => setDeleting(true)}>
              {t('common:delete')}
            </Button>
            {enabled === 1 && (
              <Button type="primary" onClick={() => void navigate({ to: applicationPath(applicationId, 1) })}>
                {t('common:edit')}
              </Button>
            )}
          </>
        )
      }
    >
      {enabled === 0 && (
        <Alert
          className="dc-alert"
          type="warning"
          showIcon
          title={t(application.tenancyEnabled ? 'application:disabledNotice' : 'application:tenantClosedNotice')}
        />
      )}
      <section className="dc-card dc-padded">
        <KeyValue
          items={[
            { label: t('application:applicationName'), value: applicationName },
            ...(operator ? [{ label: t('application:tenant'), value: <TenantName application={application} /> }] : []),
            { label: t('application:status'), value: <EnabledSwitch application={application} /> },
            { label: t('application:deviceCount'), value: application.deviceCount },
            { label: t('application:creator'), value: application.creator },
            { label: t('common:createTime'), value: <RelativeTime value={application.createTime} /> },
            { label: t('common:updateTime'), value: <RelativeTime value={application.updateTime} /> },
          ]}
        />
      </section>
      {deleting && (
        <DeleteApplications
          applications={[application]}
          leaves
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: applicationListPath })}
        />
      )}
    </DetailPage>
  );
};
