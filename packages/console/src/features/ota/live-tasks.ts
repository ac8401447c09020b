import {
  completionIn,
  devicesIn,
  type Output,
  otaCalls,
  type TaskRow,
  type UpgradeNews,
} from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type LiveState, useLive } from '../../api/live.ts';
import { keyOf } from '../../api/use-call.ts';
import { statusWord } from './task-texts.ts';

type News = UpgradeNews[number];
type TaskNewsOptions = {
  tenancyId?: string | undefined;
  onNews: (news: UpgradeNews) => void;
  refetch: () => unknown;
};

/** Calls `onNews` with changed tasks. While the stream is disconnected, the page is refetched. */
export const useTaskNews = ({ tenancyId, onNews, refetch }: TaskNewsOptions): LiveState =>
  useLive({
    kinds: ['upgrade'],
    tenancyId,
    refetch,
    onEvent: (event) => {
      if (event.kind === 'gap') void refetch();
      if (event.kind === 'upgrade') onNews(event.data);
    },
  });

export const withNews = <Task extends TaskRow>(task: Task, { taskStatus, stage, tally }: News): Task => ({
  ...task,
  taskStatus,
  taskStatusName: statusWord(taskStatus),
  stage,
  tally,
  deviceCount: devicesIn(tally),
  completion: completionIn(tally),
});

const [folder, listPath] = keyOf(otaCalls.queryDeviceOtaTaskList);
type List = Output<typeof otaCalls.queryDeviceOtaTaskList>;

/** Updates the rows of the list. When a status changes, the list is refetched for the allowed actions. */
export const useLiveTasks = (tenancyId: string | undefined): LiveState => {
  const client = useQueryClient();
  const known = useRef<ReadonlySet<string>>(undefined);
  const refetch = () => client.invalidateQueries({ queryKey: [folder, listPath] });
  const onNews = (news: UpgradeNews) => {
    const byId = new Map(news.map((task) => [task.taskId, task]));
    let moved = false;
    const after = (row: TaskRow): TaskRow => {
      const told = byId.get(row.taskId);
      if (told && told.taskStatus !== row.taskStatus) moved = true;
      return told ? withNews(row, told) : row;
    };
    client.setQueriesData<List>({ queryKey: [folder, listPath] }, (page) =>
      page ? { ...page, list: page.list.map(after) } : page,
    );
    const before = known.current;
    known.current = new Set([...(before ?? []), ...byId.keys()]);
    // The first event contains all tasks; after it, an unknown task is a new one.
    if (moved || (before && news.some(({ taskId }) => !before.has(taskId)))) void refetch();
  };
  return useTaskNews({ tenancyId, onNews, refetch });
};
