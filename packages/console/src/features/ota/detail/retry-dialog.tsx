import { otaCalls, type TaskDetails, TaskType, type UpgradeRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { taskFormPath } from '../../../paths.ts';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import { NameList } from '../../../ui/name-list.tsx';
import { Link } from '../../../ui/routing.ts';

type RetryDialogProps = { task: TaskDetails; upgrades: UpgradeRow[]; done: () => void; onClose: () => void };

/** Retries the selected failed devices immediately; the form offers other times and another rank. */
export const RetryDialog = ({ task, upgrades, done, onClose }: RetryDialogProps) => {
  const { t } = useTranslation(['otaDetail', 'ota']);
  const retry = useCallMutation(otaCalls.retryOtaForFailed, { as: 'json', toast: true });
  const deviceListId = upgrades.map(({ deviceId }) => deviceId);
  const confirm = async () => {
    const { taskId, taskRank } = task;
    await retry.mutateAsync({ taskId, taskRank, deviceListId, executeNow: 1, taskType: TaskType.once });
    done();
    onClose();
  };
  return (
    <ConfirmDelete
      open
      title={t('otaDetail:retryTitle', { count: upgrades.length })}
      okText={t('otaDetail:retryNow')}
      onConfirm={confirm}
      onClose={onClose}
      text={
        <>
          <p>{t('otaDetail:retryText', { rank: task.taskRank })}</p>
          <NameList names={upgrades.map(({ deviceName, deviceId }) => deviceName || deviceId)} muted />
          <p>
            <Link to={taskFormPath} search={{ taskId: task.taskId, deviceIds: deviceListId }}>
              {t('otaDetail:retryOtherTimes')}
            </Link>
          </p>
        </>
      }
    />
  );
};
