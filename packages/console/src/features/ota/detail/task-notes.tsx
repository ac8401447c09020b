import { countInProgress, type TaskDetails } from '@device-center/contract';
import { CircleCheck, FlaskConical, OctagonPause, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import { taskFormPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { useNavigate } from '../../../ui/routing.ts';
import { durationText, reasonText } from '../task-texts.ts';

type NoteProps = { tone: 'warning' | 'plain'; icon: ReactNode; title: string; action?: ReactNode; children: ReactNode };

const Note = ({ tone, icon, title, action, children }: NoteProps) => (
  <section className="dc-card dc-task-note" data-tone={tone} aria-label={title}>
    {icon}
    <div>
      <strong>{title}</strong>
      {children}
    </div>
    {action}
  </section>
);

/** Why the hub has paused the task, and what "start" would do. */
const Stopped = ({ task: { stopPercent, stopAfter, tally, stage, stages } }: { task: TaskDetails }) => {
  const { t } = useTranslation('otaDetail');
  const [waiting, underWay] = [tally[0], countInProgress(tally)];
  return (
    <Note tone="warning" icon={<OctagonPause size={18} aria-hidden />} title={t('stoppedTitle')}>
      <p>{t('stoppedText', { percent: stopPercent, count: stopAfter })}</p>
      <p>
        {t('stoppedStart', { count: waiting, waiting: countText(waiting), stage, stages: stages.length })}{' '}
        {underWay > 0 && t('stoppedUnderWay', { count: underWay })}
      </p>
    </Note>
  );
};

/** Duration since the start time, or since creation if the task was started before its start time. */
const durationOf = ({ taskStart, createTime, endTime }: TaskDetails): number => {
  const [start, end] = [Date.parse(taskStart), Date.parse(endTime)];
  return end - (start < end ? start : Date.parse(createTime));
};

const useOutcome = ({ tally, failures }: TaskDetails): string[] => {
  const { t } = useTranslation(['otaDetail', 'ota']);
  const reasons = failures
    .filter(({ reason }) => reason !== 0)
    .map(({ reason, devices }) => `${reasonText(reason)} ${countText(devices)}`)
    .join(t('ota:listSeparator'));
  return [
    t('otaDetail:outcome', { success: countText(tally[5]), failed: countText(tally[6]) }) +
      (tally[7] > 0 ? t('otaDetail:outcomeCancelled', { count: tally[7] }) : ''),
    reasons === '' ? '' : t('otaDetail:outcomeReasons', { reasons }),
  ].filter((words) => words !== '');
};

const Finished = ({ task }: { task: TaskDetails }) => {
  const { t } = useTranslation('otaDetail');
  const outcome = useOutcome(task);
  const failed = task.tally[6] > 0;
  return (
    <Note
      tone={failed ? 'warning' : 'plain'}
      icon={failed ? <TriangleAlert size={18} aria-hidden /> : <CircleCheck size={18} aria-hidden />}
      title={t('overTitle', { time: durationText(durationOf(task)) })}
    >
      {outcome.map((words) => (
        <p key={words}>{words}</p>
      ))}
    </Note>
  );
};

/** Result of a rehearsal, with a button to create the real task. */
const Rehearsal = ({ task }: { task: TaskDetails }) => {
  const { t } = useTranslation('otaDetail');
  const navigate = useNavigate();
  const outcome = useOutcome(task);
  const over = task.endTime !== '';
  const stopped = task.stopReason === 'threshold';
  const share = task.stages[task.stage - 1] ?? 100;
  return (
    <Note
      tone="plain"
      icon={<FlaskConical size={18} aria-hidden />}
      title={t(over || stopped ? 'rehearsed' : 'rehearsing')}
      action={
        <Button
          type={over || stopped ? 'primary' : 'default'}
          onClick={() => void navigate({ to: taskFormPath, search: { rehearsalId: task.taskId } })}
        >
          {t('makeReal')}
        </Button>
      }
    >
      <p>{t('rehearsalText', { count: task.deviceCount })}</p>
      {stopped && <p>{t('rehearsalStopped', { stage: task.stage, share, percent: task.stopPercent })}</p>}
      {over && <p>{t('overTitle', { time: durationText(durationOf(task)) })}</p>}
      {(over || stopped) && outcome.map((words) => <p key={words}>{words}</p>)}
    </Note>
  );
};

/** Notices at the top of the page. */
export const TaskNotes = ({ task }: { task: TaskDetails }) => (
  <>
    {task.rehearsal === 1 && <Rehearsal task={task} />}
    {task.stopReason === 'threshold' && <Stopped task={task} />}
    {task.rehearsal === 0 && task.endTime !== '' && <Finished task={task} />}
  </>
);
