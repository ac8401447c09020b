import { isUnfinished, otaCalls, PAGE_SIZE_MAX, type TaskDetails, type UpgradeRow } from '@device-center/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/send.ts';
import { keyOf } from '../../../api/use-call.ts';
import { ErrorCard } from '../../../ui/states.tsx';
import { tallyText, upgradeStatusText } from '../task-texts.ts';
import type { TaskDetailList } from './task-view.tsx';

/** More cells could not be distinguished; larger tasks show only the progress bar. */
const CELLS_MAX = 2_000;

type Cell = Pick<UpgradeRow, 'deviceOtaTaskId' | 'deviceId' | 'deviceName' | 'status'>;

const oldestFirst = { sortField: 1, sortMode: 1 } as const;

const readCells = async (taskId: string, signal: AbortSignal): Promise<Cell[]> => {
  const cells: Cell[] = [];
  for (let pageIndex = 1; ; pageIndex++) {
    const input = { taskId, pageIndex, pageSize: PAGE_SIZE_MAX, ...oldestFirst };
    const { list, total } = await send(otaCalls.deviceOtaList, input, { signal });
    cells.push(...list);
    if (list.length === 0 || cells.length >= Math.min(total, CELLS_MAX)) return cells;
  }
};

/** Polling interval: reading many devices takes long, so it is done less often. */
const pollInterval = (deviceCount: number): number => (deviceCount <= PAGE_SIZE_MAX ? 1_500 : 6_000);

const Cells = memo(({ cells, onChoose }: { cells: readonly Cell[]; onChoose: (deviceId: string) => void }) => (
  // A mouse shortcut; keyboard users have the search of the table.
  <div
    className="dc-fleet-cells"
    data-size={cells.length > 600 ? 'small' : cells.length > 120 ? 'medium' : 'large'}
    aria-hidden="true"
    onClick={({ target }) => {
      const deviceId = target instanceof HTMLElement ? target.dataset.device : undefined;
      if (deviceId !== undefined) onChoose(deviceId);
    }}
  >
    {cells.map(({ deviceOtaTaskId, deviceId, deviceName, status }) => (
      <i
        key={deviceOtaTaskId}
        data-status={status}
        data-device={deviceId}
        title={`${deviceName || deviceId} · ${upgradeStatusText(status)}`}
      />
    ))}
  </div>
));

type FleetPictureProps = { task: TaskDetails; list: TaskDetailList };

/** One cell per device in the colour of its state, at a fixed position. The table shows the same as text. */
export const FleetPicture = ({ task, list: { filter } }: FleetPictureProps) => {
  const { t } = useTranslation('otaDetail');
  const { taskId, deviceCount, taskStatus } = task;
  const fits = deviceCount <= CELLS_MAX;
  const [folder] = keyOf(otaCalls.deviceOtaList);
  const query = useQuery<Cell[], ApiError>({
    // A separate key: the list is invalidated every second, and this query reads many pages.
    queryKey: [folder, 'cells', taskId, taskStatus],
    queryFn: ({ signal }) => readCells(taskId, signal),
    enabled: fits,
    placeholderData: keepPreviousData,
    refetchInterval: isUnfinished(taskStatus) ? pollInterval(deviceCount) : false,
  });
  return (
    <section className="dc-card dc-fleet" aria-label={t('fleet')} aria-busy={query.isPending && fits}>
      <h2>{t('fleet')}</h2>
      <p className="dc-visually-hidden">{tallyText(task.tally)}</p>
      {!fits && <p className="dc-muted">{t('fleetTooMany', { max: CELLS_MAX })}</p>}
      {query.error && !query.data && <ErrorCard error={query.error} onRetry={() => void query.refetch()} />}
      {fits && query.data && <Cells cells={query.data} onChoose={(deviceId) => filter({ tab: 'devices', deviceId })} />}
    </section>
  );
};
