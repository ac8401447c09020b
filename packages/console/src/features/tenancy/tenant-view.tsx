import type { TenancyRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { applicationListPath, tenantListPath, tenantPath, userListPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DetailPage } from '../../ui/detail-page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { KeyValue } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { LinkedCount } from './linked-count.tsx';
import { TenantQuotas } from './tenant-quotas.tsx';

export const TenantView = ({ tenant }: { tenant: TenancyRow }) => {
  const { t } = useTranslation(['tenancy', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('tenancy:write');
  const mayApplications = useCan('application:read');
  const mayUsers = useCan('user:read');
  const { tenancyId, tenancyName: name, enabled } = tenant;
  return (
    <DetailPage
      title={name}
      id={tenancyId}
      backTo={tenantListPath}
      status={
        <StatusDot tone={enabled ? 'online' : 'offline'}>{t(enabled ? 'common:enabled' : 'common:disabled')}</StatusDot>
      }
      actions={
        mayWrite &&
        tenant.builtin === 0 && (
          <Button type="primary" onClick={() => void navigate({ to: tenantPath(tenancyId, 1) })}>
            {t('common:edit')}
          </Button>
        )
      }
      facts={
        <KeyValue
          items={[
            {
              label: t('tenancy:applications'),
              value: (
                <LinkedCount
                  {...{ count: tenant.applicationCount, tenancyId, to: applicationListPath, may: mayApplications }}
                  label={t('tenancy:applicationsOf', { name })}
                />
              ),
            },
            {
              label: t('tenancy:users'),
              value: (
                <LinkedCount
                  {...{ count: tenant.userCount, tenancyId, to: userListPath, may: mayUsers }}
                  label={t('tenancy:usersOf', { name })}
                />
              ),
            },
            { label: t('common:createTime'), value: <RelativeTime value={tenant.createTime} /> },
            { label: t('common:updateTime'), value: <RelativeTime value={tenant.updateTime} /> },
          ]}
        />
      }
    >
      <section className="dc-card dc-padded">
        <KeyValue
          items={[
            { label: t('tenancy:companyName'), value: tenant.companyName },
            { label: t('tenancy:companyAddress'), value: tenant.companyAddress },
            { label: t('tenancy:contactName'), value: tenant.contactName },
            { label: t('tenancy:phone'), value: tenant.phone },
            { label: t('tenancy:email'), value: tenant.email },
          ]}
        />
      </section>
      <TenantQuotas tenant={tenant} />
    </DetailPage>
  );
};
