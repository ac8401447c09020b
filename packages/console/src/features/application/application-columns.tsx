import type { ApplicationRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { applicationPath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Link } from '../../ui/routing.ts';
import { timeColumns } from '../../ui/time-columns.tsx';
import { DeviceCount } from './device-count.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { TenantName } from './tenant-name.tsx';

export const useApplicationColumns = (): Column<ApplicationRow>[] => {
  const { t } = useTranslation(['application', 'common']);
  const operator = usePlatformOperator();
  return useMemo(() => {
    const tenant: Column<ApplicationRow> = {
      key: 'tenant',
      title: t('application:tenant'),
      render: (application) => <TenantName application={application} />,
    };
    return [
      {
        key: 'name',
        title: t('application:nameAndId'),
        always: true,
        mobile: true,
        render: ({ applicationId, applicationName }) => (
          <div className="dc-name-cell">
            <Link to={applicationPath(applicationId, 2)}>{applicationName}</Link>
            <CopyId value={applicationId} label={applicationName} />
          </div>
        ),
      },
      ...(operator ? [tenant] : []),
      {
        key: 'status',
        title: t('application:status'),
        width: 84,
        mobile: true,
        always: true,
        render: (application) => <EnabledSwitch application={application} />,
      },
      {
        key: 'devices',
        title: t('application:deviceCount'),
        width: 100,
        render: (application) => <DeviceCount application={application} />,
      },
      { key: 'creator', title: t('application:creator'), width: 160, render: ({ creator }) => creator },
      ...timeColumns<ApplicationRow>(),
    ];
  }, [t, operator]);
};
