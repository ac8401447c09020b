import type { ZoneRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { zonePath } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { NameCell } from '../../../ui/name-cell.tsx';
import { Link } from '../../../ui/routing.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { DeviceCount } from '../device-count.tsx';
import { ZoneStatus } from '../zone-status.tsx';
import { ZoneTime } from '../zone-time.tsx';

const NodesCell = ({ zone: { nums = 0, nodesDown = 0 } }: { zone: ZoneRow }) => {
  const { t } = useTranslation('zone');
  if (nums === 0) return <span className="dc-muted">{t('nodesNone')}</span>;
  return (
    <span className="dc-zone-nodes">
      <span className="dc-number">{nums}</span>
      {nodesDown > 0 && <StatusDot tone="failed">{t('nodesDown', { count: nodesDown })}</StatusDot>}
    </span>
  );
};

export const useZoneColumns = (): Column<ZoneRow>[] => {
  const { t } = useTranslation(['zone', 'common']);
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('zone:nameAndId'),
        always: true,
        mobile: true,
        render: ({ id, zoneName, builtin }) => (
          <NameCell id={String(id)} name={zoneName}>
            <span>
              <Link to={zonePath(id)}>{zoneName}</Link>{' '}
              {builtin === 1 && <span className="dc-tag">{t('zone:builtin')}</span>}
            </span>
          </NameCell>
        ),
      },
      {
        key: 'type',
        title: t('zone:zoneType'),
        width: 110,
        render: ({ zoneType }) => (zoneType === undefined ? '—' : t(`zone:type_${zoneType}`)),
      },
      {
        key: 'status',
        title: t('zone:status'),
        width: 84,
        mobile: true,
        always: true,
        render: (zone) => <ZoneStatus zone={zone} />,
      },
      { key: 'nodes', title: t('zone:nodes'), width: 130, render: (zone) => <NodesCell zone={zone} /> },
      { key: 'devices', title: t('zone:devices'), width: 84, render: (zone) => <DeviceCount zone={zone} /> },
      {
        key: 'address',
        title: t('zone:address'),
        render: ({ address = '' }) => <code className="dc-mono">{address || '—'}</code>,
      },
      {
        key: 'routeKey',
        title: t('zone:routeKey'),
        width: 120,
        render: ({ routeKey = '' }) => <code className="dc-mono">{routeKey || '—'}</code>,
      },
      {
        key: 'isSyncModel',
        title: t('zone:isSyncModel'),
        width: 120,
        optional: true,
        render: ({ isSyncModel }) => t(isSyncModel === 1 ? 'zone:yes' : 'zone:no'),
      },
      {
        key: 'createTime',
        title: t('common:createTime'),
        width: 120,
        sortField: 1,
        optional: true,
        render: ({ createTime }) => <ZoneTime value={createTime} />,
      },
      {
        key: 'updateTime',
        title: t('common:updateTime'),
        width: 120,
        sortField: 2,
        render: ({ updateTime }) => <ZoneTime value={updateTime} />,
      },
    ],
    [t],
  );
};
