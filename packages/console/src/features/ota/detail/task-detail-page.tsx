import { otaCalls, type TaskDetails } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { keyOf, useCall } from '../../../api/use-call.ts';
import { Loaded } from '../../../ui/detail-page.tsx';
import { useListSearch, useRouteParams } from '../../../ui/list-search.ts';
import '../../../ui/styles/reading.css';
import { Link } from '../../../ui/routing.ts';
import { useTaskUpdates, withUpdate } from '../live-tasks.ts';
import { taskDetailSearch } from '../ota-search.ts';
import '../task-badges.css';
import './task-detail.css';
import './task-pictures.css';
import { taskListPath } from '../../../paths.ts';
import { TaskView } from './task-view.tsx';

const params = z.object({ taskId: z.string() });

/** Updates the page from the stream: when the counts of the task change, details, devices and log are refetched. */
const useLiveTask = (taskId: string) => {
  const client = useQueryClient();
  const [folder, details] = keyOf(otaCalls.getDeviceOtaTaskDetails);
  const [, devices] = keyOf(otaCalls.deviceOtaList);
  const [, log] = keyOf(otaCalls.getDeviceOtaTaskLog);
  const refetch = () =>
    Promise.all(
      [details, devices, log].map((path) =>
        client.invalidateQueries({ queryKey: [folder, path] }, { cancelRefetch: false }),
      ),
    );
  return useTaskUpdates({
    refetch,
    onUpdates: (news) => {
      const update = news.find((task) => task.taskId === taskId);
      if (!update) return;
      client.setQueryData<TaskDetails>([folder, details, { taskId }], (task) => task && withUpdate(task, update));
      void refetch();
    },
  });
};

const TaskDetailPage = () => {
  const { t } = useTranslation('common');
  const { taskId } = useRouteParams(params);
  const list = useListSearch(taskDetailSearch);
  const query = useCall(otaCalls.getDeviceOtaTaskDetails, { taskId });
  const live = useLiveTask(taskId);
  return (
    <Loaded<TaskDetails> query={query} action={<Link to={taskListPath}>{t('back')}</Link>}>
      {(task) => <TaskView key={task.taskId} task={task} list={list} live={live} />}
    </Loaded>
  );
};

export default TaskDetailPage;
