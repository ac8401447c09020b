import { type SyncRecordRow, SyncStatus } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { syncRecordPath } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { nameColumn, statusColumn, tenantColumns } from '../../../ui/list-columns.tsx';
import { NameCell } from '../../../ui/name-cell.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Link } from '../../../ui/routing.ts';
import { type DataType, OriginBadge, SyncState } from '../sync-badges.tsx';

export const nameOf = ({ dataType, productName, deviceName, productId, deviceId }: SyncRecordRow): string =>
  dataType === 1 ? productName || productId : deviceName || deviceId;

export const recordLink = ({ syncId }: Pick<SyncRecordRow, 'syncId'>) => ({
  to: syncRecordPath,
  search: { syncId },
});

const Name = ({ record }: { record: SyncRecordRow }) => (
  <NameCell id={record.deviceId || record.productId} name={nameOf(record)}>
    <span>
      <Link {...recordLink(record)}>{nameOf(record)}</Link> <OriginBadge record={record} />
    </span>
  </NameCell>
);

/** Status with the reason below, so that phones show it too. */
const State = ({ record: { syncStatus, reason } }: { record: SyncRecordRow }) => (
  <span className="dc-sync-two-lines">
    <SyncState status={syncStatus} />
    {reason !== '' && <small data-failed={syncStatus === SyncStatus.failed}>{reason}</small>}
  </span>
);

export const useRecordColumns = (dataType: DataType, sends: boolean): Column<SyncRecordRow>[] => {
  const { t } = useTranslation(['sync', 'common']);
  return useMemo(
    () => [
      nameColumn<SyncRecordRow>({
        title: t(dataType === 1 ? 'sync:product' : 'sync:device'),
        render: (record) => <Name record={record} />,
      }),
      ...(dataType === 1
        ? []
        : [
            {
              key: 'product',
              title: t('sync:product'),
              render: ({ productName, productId }: SyncRecordRow) => (
                <span className="dc-sync-two-lines">
                  {productName}
                  <small className="dc-mono">{productId}</small>
                </span>
              ),
            },
          ]),
      statusColumn<SyncRecordRow>({
        title: t('sync:syncStatus'),
        width: 280,
        render: (record) => <State record={record} />,
      }),
      {
        key: 'attempts',
        title: t('sync:attempts'),
        width: 130,
        optional: true,
        render: ({ attempts }) => <span className="dc-number">{attempts}</span>,
      },
      {
        key: 'nextTime',
        title: t('sync:nextTime'),
        width: 120,
        // A disabled zone has no next attempt.
        render: ({ nextTime }) => (nextTime === null || !sends ? '—' : <RelativeTime value={nextTime} />),
      },
      {
        key: 'syncTime',
        title: t('sync:syncTime'),
        width: 120,
        render: ({ syncTime }) => <RelativeTime value={syncTime} />,
      },
      ...tenantColumns<SyncRecordRow>(true, { title: t('sync:tenant'), width: 130 }),
      {
        key: 'createTime',
        title: t('common:createTime'),
        width: 120,
        sortField: 1 as const,
        optional: true,
        render: ({ createTime }) => <RelativeTime value={createTime} />,
      },
      {
        key: 'updateTime',
        title: t('common:updateTime'),
        width: 120,
        sortField: 2 as const,
        render: ({ updateTime }) => <RelativeTime value={updateTime} />,
      },
    ],
    [t, dataType, sends],
  );
};
