import { countFinished, type TaskRow, TaskStatus, TaskType } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { countText } from '../../../i18n/numbers.ts';
import { taskPath } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { nameColumn, statusColumn, tenantColumns } from '../../../ui/list-columns.tsx';
import { useMobile } from '../../../ui/media.ts';
import { NameCell } from '../../../ui/name-cell.tsx';
import { Link } from '../../../ui/routing.ts';
import { timeColumns } from '../../../ui/time-columns.tsx';
import { usePollingText } from '../cron-texts.ts';
import { RehearsalBadge, TallyBar, TaskState, Upcoming } from '../task-badges.tsx';
import { minuteText } from '../task-texts.ts';

type TaskProps = { task: TaskRow };

const TaskName = ({ task }: TaskProps) => (
  <NameCell id={task.taskId} name={task.taskName}>
    <span className="dc-task-name">
      <Link to={taskPath(task.taskId)}>{task.taskName}</Link>
      <RehearsalBadge task={task} />
    </span>
  </NameCell>
);

/** Status and result. */
const Status = ({ task }: TaskProps) => {
  const { t } = useTranslation('ota');
  const mobile = useMobile();
  const { result, stopReason, completion, taskStatus } = task;
  // The names of these two states already say the result.
  const resultIsNews = result !== 0 && taskStatus !== TaskStatus.succeeded && taskStatus !== TaskStatus.failed;
  return (
    <div className="dc-two-lines">
      <TaskState task={task} />
      {stopReason === 'threshold' && <small>{t('stoppedShort')}</small>}
      {mobile && <small className="dc-task-done">{t('completed', { percent: completion })}</small>}
      {resultIsNews && !mobile && <small>{t(`result_${result}`)}</small>}
    </div>
  );
};

/** Condition of the target devices. */
const Condition = ({ task: { chosen, versionNumber, deviceCount, appName } }: TaskProps) => {
  const { t } = useTranslation('ota');
  return (
    <div className="dc-two-lines">
      {chosen === 1 ? (
        <span>{t('chosenDevices', { count: deviceCount })}</span>
      ) : (
        <span className="dc-mono">{versionNumber.join(t('listSeparator'))}</span>
      )}
      {appName !== '' && <small>{t('inApplication', { name: appName })}</small>}
    </div>
  );
};

const Polling = ({ task }: TaskProps) => {
  const { t } = useTranslation('ota');
  const words = usePollingText(task);
  const { cron, nextTime } = task;
  return (
    <div className="dc-two-lines">
      <span title={cron}>{words}</span>
      {nextTime !== '' && (
        <small>
          <Upcoming time={nextTime} zone={task.timezone}>
            {t('nextRun')}
          </Upcoming>
        </small>
      )}
    </div>
  );
};

const Schedule = ({ task }: TaskProps) => {
  const { t } = useTranslation('ota');
  if (task.taskType === TaskType.polling) return <Polling task={task} />;
  return (
    <div className="dc-two-lines dc-number">
      <span>{t('onceFrom', { time: minuteText(task.taskStart) })}</span>
      <small>{t('until', { time: minuteText(task.taskEnd) })}</small>
    </div>
  );
};

const Progress = ({ task: { tally, completion, deviceCount } }: TaskProps) => {
  const { t } = useTranslation('ota');
  return (
    <div className="dc-task-progress">
      <span>
        <strong>{completion}%</strong>
        {t('doneOf', { done: countText(countFinished(tally)), total: countText(deviceCount) })}
      </span>
      <TallyBar tally={tally} />
      {tally[6] > 0 && <span>{t('failedCount', { count: tally[6] })}</span>}
    </div>
  );
};

export const useTaskColumns = (): Column<TaskRow>[] => {
  const { t } = useTranslation('ota');
  const operator = usePlatformOperator();
  return useMemo(
    () => [
      nameColumn({ title: t('nameAndId'), render: (task) => <TaskName task={task} /> }),
      statusColumn({ title: t('status'), width: 170, render: (task) => <Status task={task} /> }),
      {
        key: 'rank',
        title: t('rank'),
        width: 72,
        render: ({ taskRank }) => <span className="dc-number">{taskRank}</span>,
      },
      {
        key: 'target',
        title: t('target'),
        width: 120,
        render: ({ targetVersion, productName }) => (
          <div className="dc-two-lines">
            <span className="dc-mono">{targetVersion}</span>
            <small>{productName}</small>
          </div>
        ),
      },
      { key: 'condition', title: t('condition'), width: 108, render: (task) => <Condition task={task} /> },
      { key: 'schedule', title: t('schedule'), width: 192, render: (task) => <Schedule task={task} /> },
      { key: 'progress', title: t('progress'), width: 130, render: (task) => <Progress task={task} /> },
      { key: 'handler', title: t('handler'), width: 104, render: ({ handler }) => handler },
      ...tenantColumns<TaskRow>(operator, { title: t('tenant'), width: 120, optional: true }),
      ...timeColumns<TaskRow>(['createTime', 'updateTime']),
    ],
    [t, operator],
  );
};
