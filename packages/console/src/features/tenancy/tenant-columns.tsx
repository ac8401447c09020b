import type { TenancyRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { applicationListPath, tenantPath, userListPath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Link } from '../../ui/routing.ts';
import { timeColumns } from '../../ui/time-columns.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { LinkedCount } from './linked-count.tsx';

export const useTenantColumns = (): Column<TenancyRow>[] => {
  const { t } = useTranslation(['tenancy', 'common']);
  const mayApplications = useCan('application:read');
  const mayUsers = useCan('user:read');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('tenancy:nameAndId'),
        always: true,
        mobile: true,
        render: ({ tenancyId, tenancyName, builtin }) => (
          <div className="dc-name-cell">
            <span>
              <Link to={tenantPath(tenancyId, 2)}>{tenancyName}</Link>{' '}
              {builtin === 1 && <span className="dc-tag">{t('tenancy:builtin')}</span>}
            </span>
            <CopyId value={tenancyId} label={tenancyName} />
          </div>
        ),
      },
      { key: 'company', title: t('tenancy:companyName'), render: ({ companyName }) => companyName },
      { key: 'contact', title: t('tenancy:contactName'), width: 130, render: ({ contactName }) => contactName },
      {
        key: 'phone',
        title: t('tenancy:phone'),
        width: 130,
        render: ({ phone }) => <span className="dc-number">{phone}</span>,
      },
      {
        key: 'applications',
        title: t('tenancy:applications'),
        width: 112,
        align: 'right',
        render: ({ tenancyId, tenancyName: name, applicationCount: count }) => (
          <LinkedCount
            {...{ count, tenancyId, to: applicationListPath, may: mayApplications }}
            label={t('tenancy:applicationsOf', { name })}
          />
        ),
      },
      {
        key: 'users',
        title: t('tenancy:users'),
        width: 80,
        align: 'right',
        render: ({ tenancyId, tenancyName: name, userCount: count }) => (
          <LinkedCount
            {...{ count, tenancyId, to: userListPath, may: mayUsers }}
            label={t('tenancy:usersOf', { name })}
          />
        ),
      },
      {
        key: 'status',
        title: t('tenancy:status'),
        width: 84,
        mobile: true,
        always: true,
        render: (tenant) => <EnabledSwitch tenant={tenant} />,
      },
      ...timeColumns<TenancyRow>(['updateTime']),
    ],
    [t, mayApplications, mayUsers],
  );
};
