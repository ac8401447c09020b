import {
  completionPercent,
  countDevices,
  type Output,
  otaCalls,
  type TaskRow,
  type TaskUpdates,
} from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type LiveState, useLive } from '../../api/live.ts';
import { keyOf } from '../../api/use-call.ts';
import { taskStatusText } from './task-texts.ts';

type TaskUpdate = TaskUpdates[number];
type TaskNewsOptions = {
  tenancyId?: string | undefined;
  onUpdates: (news: TaskUpdates) => void;
  refetch: () => unknown;
};

/** Calls `onUpdates` with changed tasks. While the stream is disconnected, the page is refetched. */
export const useTaskUpdates = ({ tenancyId, onUpdates, refetch }: TaskNewsOptions): LiveState =>
  useLive({
    kinds: ['upgrade'],
    tenancyId,
    refetch,
    onEvent: (event) => {
      if (event.kind === 'gap') void refetch();
      if (event.kind === 'upgrade') onUpdates(event.data);
    },
  });

export const withUpdate = <Task extends TaskRow>(task: Task, { taskStatus, stage, tally }: TaskUpdate): Task => ({
  ...task,
  taskStatus,
  taskStatusName: taskStatusText(taskStatus),
  stage,
  tally,
  deviceCount: countDevices(tally),
  completion: completionPercent(tally),
});

const [folder, listPath] = keyOf(otaCalls.queryDeviceOtaTaskList);
type List = Output<typeof otaCalls.queryDeviceOtaTaskList>;

/** Updates the rows of the list. When a status changes, the list is refetched for the allowed actions. */
export const useLiveTasks = (tenancyId: string | undefined): LiveState => {
  const client = useQueryClient();
  const known = useRef<ReadonlySet<string>>(undefined);
  const refetch = () => client.invalidateQueries({ queryKey: [folder, listPath] });
  const onUpdates = (news: TaskUpdates) => {
    const byId = new Map(news.map((task) => [task.taskId, task]));
    let statusChanged = false;
    const updateRow = (row: TaskRow): TaskRow => {
      const update = byId.get(row.taskId);
      if (update && update.taskStatus !== row.taskStatus) statusChanged = true;
      return update ? withUpdate(row, update) : row;
    };
    client.setQueriesData<List>({ queryKey: [folder, listPath] }, (page) =>
      page ? { ...page, list: page.list.map(updateRow) } : page,
    );
    const before = known.current;
    known.current = new Set([...(before ?? []), ...byId.keys()]);
    // The first event contains all tasks; after it, an unknown task is a new one.
    if (statusChanged || (before && news.some(({ taskId }) => !before.has(taskId)))) void refetch();
  };
  return useTaskUpdates({ tenancyId, onUpdates, refetch });
};
