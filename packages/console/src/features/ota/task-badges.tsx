import type { TaskRow, UpgradeTally } from '@device-center/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusDot } from '../../ui/status-dot.tsx';
import { ownZone } from './cron-texts.ts';
import './task-badges.css';
import { barOrder, durationText, minuteText, tallyText, taskStatusText, taskTones } from './task-texts.ts';

export const TaskState = ({ task: { taskStatus } }: { task: Pick<TaskRow, 'taskStatus'> }) => (
  <StatusDot tone={taskTones[taskStatus]}>{taskStatusText(taskStatus)}</StatusDot>
);

export const RehearsalBadge = ({ task }: { task: Pick<TaskRow, 'rehearsal'> }) => {
  const { t } = useTranslation('ota');
  return task.rehearsal === 1 && <span className="dc-tag">{t('rehearsal')}</span>;
};

/** Bar with one segment per state, sized by its number of devices. */
export const TallyBar = ({ tally }: { tally: UpgradeTally }) => (
  <div className="dc-tally" role="img" aria-label={tallyText(tally)}>
    {barOrder
      .filter((status) => tally[status] > 0)
      .map((status) => (
        <i key={status} data-status={status} style={{ flexGrow: tally[status] }} />
      ))}
  </div>
);

/** Milliseconds until a time, updated every second. */
const useTimeLeft = (until: string): number => {
  const [now, setNow] = useState(() => Date.now());
  const left = until === '' ? 0 : Date.parse(until) - now;
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1_000);
    return () => clearTimeout(timer);
  });
  return Math.max(0, left);
};

/** A future local time with a countdown. `zone`: time zone of the schedule, shown if it differs from the browser's. */
export const Upcoming = ({ time, zone = '', children }: { time: string; zone?: string; children?: ReactNode }) => {
  const { t } = useTranslation('ota');
  const left = useTimeLeft(time);
  return (
    <span className="dc-upcoming">
      {children} <time dateTime={time}>{minuteText(time)}</time>
      {zone !== '' && zone !== ownZone() && ` (${ownZone()})`}
      {left > 0 && <span className="dc-muted"> {t('inTime', { time: durationText(left) })}</span>}
    </span>
  );
};
