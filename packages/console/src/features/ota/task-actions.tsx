import { countInProgress, otaCalls, type TaskAction, type TaskRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { taskFormPath } from '../../paths.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import { NameList } from '../../ui/name-list.tsx';
import { useNavigate } from '../../ui/routing.ts';

export type ConfirmedTask = Pick<TaskRow, 'taskId' | 'taskName' | 'deviceCount' | 'tally' | 'rehearsal'>;
/** An action that needs confirmation, and its tasks. `done` clears the selection, if there is one. */
export type TaskConfirmation = {
  action: 'cancel' | 'restart' | 'delete';
  tasks: readonly ConfirmedTask[];
  done: () => void;
};

/** Runs actions that need no confirmation; passes the others to `onAsk`. */
export const useTaskActions = (onAsk: (ask: TaskConfirmation) => void) => {
  const navigate = useNavigate();
  const start = useCallMutation(otaCalls.startOtaTaskStatus, { toast: true });
  const suspend = useCallMutation(otaCalls.suspendOtaTaskStatus, { toast: true });
  const busy = start.isPending || suspend.isPending;
  const act = (task: ConfirmedTask, action: TaskAction): void => {
    const { taskId } = task;
    if (busy) return;
    if (action === 'start') start.mutate({ taskId });
    else if (action === 'suspend') suspend.mutate({ taskId });
    else if (action === 'retry') void navigate({ to: taskFormPath, search: { taskId } });
    else onAsk({ action, tasks: [task], done: () => undefined });
  };
  return { act, busy };
};

type TaskDialogProps = { ask: TaskConfirmation; onClose: () => void; onDeleted?: () => void };

/** Confirms actions that cannot be undone. An error of the hub replaces the question. */
export const TaskDialog = ({ ask: { action, tasks, done }, onClose, onDeleted }: TaskDialogProps) => {
  const { t } = useTranslation(['ota', 'common']);
  const cancel = useCallMutation(otaCalls.cancelOtaTask, { toast: true });
  const restart = useCallMutation(otaCalls.restartDeviceOtaTask, { toast: true });
  const leaves = onDeleted !== undefined;
  const remove = useCallMutation(otaCalls.deleteDeviceOtaTask, { toast: true, leaves, onSuccess: () => onDeleted?.() });
  const [first] = tasks;
  if (!first) return null;
  const { taskId, taskName, deviceCount, tally, rehearsal } = first;
  const run = {
    cancel: () => cancel.mutateAsync({ taskId }),
    restart: () => restart.mutateAsync({ taskId }),
    delete: () => remove.mutateAsync({ taskIds: tasks.map((task) => task.taskId) }),
  };
  const confirm = async () => {
    await run[action]();
    done();
    onClose();
  };
  const [waiting, underWay] = [tally[0], countInProgress(tally)];
  const texts = {
    cancel: t('ota:cancelText', { waiting, underWay }),
    restart: t('ota:restartText', { count: deviceCount }),
    delete: tasks.length === 1 && rehearsal === 1 ? t('ota:deleteRehearsalText') : t('ota:deleteText'),
  };
  const titles = {
    cancel: t('ota:cancelTitle', { name: taskName }),
    restart: t('ota:restartTitle', { name: taskName }),
    delete:
      tasks.length === 1 ? t('ota:deleteTitle', { name: taskName }) : t('ota:deleteManyTitle', { count: tasks.length }),
  };
  const oks = { cancel: t('ota:cancelOk'), restart: t('ota:restartOk'), delete: t('common:delete') };
  return (
    <ConfirmDelete
      open
      title={titles[action]}
      okText={oks[action]}
      {...(action === 'cancel' ? { keepText: t('ota:cancelKeep') } : {})}
      onConfirm={confirm}
      onClose={onClose}
      text={
        <>
          <p>{texts[action]}</p>
          {tasks.length > 1 && <NameList names={tasks.map((task) => task.taskName)} muted />}
        </>
      }
    />
  );
};
