import { isInProgress, otaCalls, type UpgradeRow } from '@device-center/contract';
import { RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import type { ListSearch, ListState } from '../../../ui/list-search.ts';
import { EmptyState } from '../../../ui/states.tsx';
import '../../../ui/styles/reading.css';
import { withoutRefetchIndicator } from '../../../api/without-refetch-indicator.ts';
import { useTaskUpdates } from '../live-tasks.ts';
import { TaskName, UpgradeReason, UpgradeState, UpgradeTimes, Versions } from '../upgrade-badges.tsx';

/** The stream has no download percentages, so poll them while the device may report them. */
const PERCENT_EVERY_MS = 2_000;

const useColumns = (): Column<UpgradeRow>[] => {
  const { t } = useTranslation('ota');
  return useMemo(
    () => [
      {
        key: 'task',
        title: t('task'),
        always: true,
        mobile: true,
        render: (upgrade) => <TaskName upgrade={upgrade} />,
      },
      { key: 'versions', title: t('versions'), width: 180, render: (upgrade) => <Versions upgrade={upgrade} /> },
      {
        key: 'status',
        title: t('status'),
        width: 170,
        always: true,
        mobile: true,
        render: (upgrade) => <UpgradeState upgrade={upgrade} />,
      },
      { key: 'reason', title: t('reason'), width: 200, render: (upgrade) => <UpgradeReason upgrade={upgrade} /> },
      { key: 'times', title: t('times'), width: 170, render: (upgrade) => <UpgradeTimes upgrade={upgrade} /> },
    ],
    [t],
  );
};

/** The upgrade records of one device, latest first. */
const DeviceUpgrades = ({ id: deviceId }: { id: string }) => {
  const { t } = useTranslation('ota');
  const [search, setSearch] = useState<ListSearch<number>>({ pageIndex: 1, pageSize: 10 });
  const { pageIndex, pageSize } = search;
  const [polling, setPolling] = useState(false);
  const query = useCall(
    otaCalls.deviceOtaList,
    { deviceId, pageIndex, pageSize },
    { keepPrevious: true, ...(polling ? { refreshEvery: PERCENT_EVERY_MS } : {}) },
  );
  const anyInProgress = query.data?.list.some(({ status }) => isInProgress(status)) ?? false;
  useEffect(() => setPolling(anyInProgress), [anyInProgress]);
  useTaskUpdates({ onUpdates: () => void query.refetch(), refetch: query.refetch });
  const list: ListState = {
    search,
    turn: (change) => void setSearch({ ...search, ...change }),
    clear: () => undefined,
    filtered: false,
  };
  return (
    <DataTable<UpgradeRow>
      id="deviceUpgrades"
      rowKey="deviceOtaTaskId"
      rowName={({ taskName }) => taskName}
      columns={useColumns()}
      query={withoutRefetchIndicator(query)}
      list={list}
      empty={<EmptyState icon={<RefreshCw size={22} />} title={t('noRecords')} text={t('noRecordsText')} />}
    />
  );
};

export default DeviceUpgrades;
