import {
  countInProgress,
  isUnfinished,
  otaCalls,
  type TaskDetails,
  type UpgradeRow,
  UpgradeStatus,
} from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall, useCallMutation } from '../../../api/use-call.ts';
import { withoutRefetchIndicator } from '../../../api/without-refetch-indicator.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { FilterBar, SelectFilter } from '../../../ui/filter-bar.tsx';
import { useFilterChip } from '../../../ui/filter-chips.tsx';
import type { ListState } from '../../../ui/list-search.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { reasonText, upgradeStatusText } from '../task-texts.ts';
import { useDeviceColumns } from './device-columns.tsx';
import { RetryDialog } from './retry-dialog.tsx';
import type { TaskDetailList } from './task-view.tsx';

/** The stream has no download percentages, so poll them while a device may report them. */
const PERCENT_EVERY_MS = 2_000;

const filterKeys = ['status', 'reason', 'stage', 'deviceId'] as const;

/** The list state of this table: clearing the filters keeps the tab. */
const tableList = (list: TaskDetailList): ListState => ({
  search: list.search,
  turn: list.turn,
  clear: () => list.filter(Object.fromEntries(filterKeys.map((key) => [key, undefined]))),
  filtered: filterKeys.some((key) => list.search[key] !== undefined),
});

type TabProps = { task: TaskDetails; list: TaskDetailList };

const Filters = ({ task, list }: TabProps) => {
  const { t } = useTranslation(['otaDetail', 'ota']);
  const { search, filter } = list;
  const { clear, filtered } = tableList(list);
  // The states are selected in the progress bar above; here they are only shown as a filter chip.
  const states = search.status?.map(upgradeStatusText).join(t('ota:listSeparator'));
  useFilterChip(t('ota:status'), states, () => filter({ status: undefined }));
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{
        label: t('otaDetail:searchDevice'),
        value: search.deviceId,
        onChange: (deviceId) => filter({ deviceId }),
      }}
    >
      <SelectFilter
        label={t('ota:reason')}
        options={([1, 2, 3, 4, 5] as const).map((value) => ({ value, label: reasonText(value) }))}
        value={search.reason === 0 ? undefined : search.reason}
        onChange={(reason) => filter({ reason })}
      />
      {task.stages.length > 1 && (
        <SelectFilter
          label={t('otaDetail:stage')}
          options={task.stages.map((share, place) => ({
            value: place + 1,
            label: `${t('otaDetail:stageName', { place: place + 1 })} ${share}%`,
          }))}
          value={search.stage}
          onChange={(stage) => filter({ stage })}
        />
      )}
    </FilterBar>
  );
};

const RowActions = ({ task, upgrade, onRetry }: { task: TaskDetails; upgrade: UpgradeRow; onRetry: () => void }) => {
  const { t } = useTranslation('otaDetail');
  const first = useCallMutation(otaCalls.deviceOtaFirst, { toast: true });
  const { deviceOtaTaskId, deviceId, deviceName, mayBeFirst, status } = upgrade;
  const name = deviceName || deviceId;
  if (mayBeFirst === 1)
    return (
      <Button
        type="link"
        size="small"
        loading={first.isPending}
        aria-label={t('firstOf', { name })}
        onClick={() => first.mutate({ deviceOtaTaskId })}
      >
        {t('first')}
      </Button>
    );
  if (status !== UpgradeStatus.failed || !task.allowed.includes('retry')) return null;
  return (
    <Button type="link" size="small" aria-label={t('retryOf', { name })} onClick={onRetry}>
      {t('retryOne')}
    </Button>
  );
};

/** The devices of the task with their upgrade states. */
export const DevicesTab = ({ task, list }: TabProps) => {
  const { t } = useTranslation('otaDetail');
  const { tab: _tab, ...search } = list.search;
  const { taskId, tally, allowed } = task;
  const underWay = countInProgress(tally) > 0 && isUnfinished(task.taskStatus);
  const query = useCall(
    otaCalls.deviceOtaList,
    // Most recently updated devices first.
    { taskId, ...search, sortField: 2, sortMode: 2 },
    { keepPrevious: true, ...(underWay ? { refreshEvery: PERCENT_EVERY_MS } : {}) },
  );
  const columns = useDeviceColumns();
  const [retried, setRetried] = useState<{ upgrades: UpgradeRow[]; done: () => void }>();
  const mayRetry = allowed.includes('retry');
  return (
    <>
      <DataTable<UpgradeRow>
        id="otaDevices"
        rowKey="deviceOtaTaskId"
        rowName={({ deviceName, deviceId }) => deviceName || deviceId}
        columns={columns}
        actions={(upgrade) => (
          <RowActions
            task={task}
            upgrade={upgrade}
            onRetry={() => setRetried({ upgrades: [upgrade], done: () => undefined })}
          />
        )}
        query={withoutRefetchIndicator(query)}
        list={tableList(list)}
        filters={<Filters task={task} list={list} />}
        empty={<EmptyState title={t('noDevices')} text={t('noDevicesText')} />}
        {...(mayRetry
          ? {
              selectable: ({ status }: UpgradeRow) => status === UpgradeStatus.failed,
              bulk: (upgrades: UpgradeRow[], done: () => void) => (
                <Button size="small" type="primary" onClick={() => setRetried({ upgrades, done })}>
                  {t('retryChosen')}
                </Button>
              ),
            }
          : {})}
      />
      {retried && <RetryDialog task={task} {...retried} onClose={() => setRetried(undefined)} />}
    </>
  );
};
