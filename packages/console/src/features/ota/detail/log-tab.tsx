import { otaCalls, type TaskDetails, type TaskLogRow, type TaskStatusId, visibleText } from '@device-center/contract';
import { Pagination } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { LoadingCard } from '../../../ui/detail-page.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { EmptyState, ErrorCard } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { taskStatusText, taskTones } from '../task-texts.ts';
import type { TaskDetailList } from './task-view.tsx';

const known = [
  'create',
  'start',
  'suspend',
  'cancel',
  'restart',
  'retry',
  'first',
  'stage',
  'startTime',
  'firstNotified',
  'threshold',
  'allDone',
  'runOver',
  'nextTime',
  'endTime',
] as const;
type Known = (typeof known)[number];

const isKnown = (action: string): action is Known => known.some((word) => word === action);
const isStatus = (status: number): status is TaskStatusId => status >= 0;

/** Text of a log entry. A newer hub may send actions that this console does not know. */
const useWords = ({ action, detail: written }: TaskLogRow): string => {
  const { t } = useTranslation('otaDetail');
  const detail = visibleText(written);
  const [failed = '', done = ''] = detail.split('/');
  return isKnown(action)
    ? t(`did_${action}`, { detail, failed, done, count: Number(detail) || 0 })
    : visibleText(action);
};

export const TaskLogEntry = ({ entry }: { entry: TaskLogRow }) => {
  const { t } = useTranslation('otaDetail');
  const { time, username, fromStatus, toStatus } = entry;
  const words = useWords(entry);
  return (
    <li>
      <time className="dc-time" dateTime={time}>
        {absoluteText(time)}
      </time>
      <p>
        <strong>{username === '' ? t('platform') : visibleText(username)}</strong> {words}
      </p>
      {isStatus(toStatus) && toStatus !== fromStatus && (
        <StatusDot tone={taskTones[toStatus]}>{taskStatusText(toStatus)}</StatusDot>
      )}
    </li>
  );
};

/** The log of the task, latest entries first. */
export const LogTab = ({ task: { taskId }, list }: { task: TaskDetails; list: TaskDetailList }) => {
  const { t } = useTranslation(['otaDetail', 'common']);
  const { pageIndex, pageSize } = list.search;
  const query = useCall(otaCalls.getDeviceOtaTaskLog, { taskId, pageIndex, pageSize }, { keepPrevious: true });
  const page = query.data;
  if (query.error && !page) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} />;
  if (!page) return <LoadingCard />;
  return (
    <section className="dc-card dc-task-log" aria-label={t('otaDetail:tab_log')}>
      {page.total === 0 && <EmptyState title={t('otaDetail:logEmpty')} />}
      <ol>
        {page.list.map((entry) => (
          <TaskLogEntry key={entry.logId} entry={entry} />
        ))}
      </ol>
      {page.total > page.pageSize && (
        <Pagination
          current={page.pageIndex}
          pageSize={page.pageSize}
          total={page.total}
          showSizeChanger={false}
          showTotal={(total, [from, to]) => t('common:pageTotal', { total, from, to })}
          onChange={(next) => list.turn({ pageIndex: next })}
        />
      )}
    </section>
  );
};
