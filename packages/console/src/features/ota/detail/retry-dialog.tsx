import { otaCalls, type TaskDetails, TaskType, type UpgradeRow } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../api/use-call.ts';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import { addTaskPath } from '../ota-paths.ts';

const NAMES_SHOWN = 10;

type RetryDialogProps = { task: TaskDetails; upgrades: UpgradeRow[]; done: () => void; onClose: () => void };

/** The chosen failed devices once more, at once; for other times or another rank there is the form. */
export const RetryDialog = ({ task, upgrades, done, onClose }: RetryDialogProps) => {
  const { t } = useTranslation(['otaDetail', 'ota']);
  const [refused, setRefused] = useState<string>();
  const retry = useCommand(otaCalls.retryOtaForFailed, { as: 'json', toast: true });
  const deviceListId = upgrades.map(({ deviceId }) => deviceId);
  const names = upgrades.slice(0, NAMES_SHOWN).map(({ deviceName, deviceId }) => deviceName || deviceId);
  const confirm = async () => {
    try {
      const { taskId, taskRank } = task;
      await retry.mutateAsync({ taskId, taskRank, deviceListId, executeNow: 1, taskType: TaskType.once });
      done();
      onClose();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <ConfirmDelete
      open
      title={t('otaDetail:retryTitle', { count: upgrades.length })}
      okText={t('otaDetail:retryNow')}
      refusal={refused}
      onConfirm={confirm}
      onClose={onClose}
      text={
        <>
          <p>{t('otaDetail:retryText', { rank: task.taskRank })}</p>
          <p className="dc-muted">
            {names.join(t('ota:listSeparator'))}
            {upgrades.length > NAMES_SHOWN && ' …'}
          </p>
          <p>
            <Link to={addTaskPath} search={{ taskId: task.taskId, deviceIds: deviceListId.join() } as never}>
              {t('otaDetail:retryOtherTimes')}
            </Link>
          </p>
        </>
      }
    />
  );
};
