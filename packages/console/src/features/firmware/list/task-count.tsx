import type { VersionRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { countText } from '../../../i18n/numbers.ts';
import './task-count.css';
import { taskListPath } from '../../../paths.ts';
import { Link } from '../../../ui/routing.ts';

type TaskCountProps = {
  version: Pick<VersionRow, 'versionId' | 'versionNumber' | 'taskCount' | 'unfinishedTaskCount'>;
  /** Adds the unit, for use without a column heading. */
  withUnit?: boolean;
};

/** The number of tasks that use the version, linked to the task list if the user may open it. */
export const TaskCount = ({ version, withUnit = false }: TaskCountProps) => {
  const { t } = useTranslation('firmware');
  const mayReadTasks = useCan('ota:read');
  const { versionId, versionNumber, taskCount, unfinishedTaskCount } = version;
  const shown = withUnit ? t('taskCount', { count: taskCount }) : countText(taskCount);
  return (
    <span className="dc-version-tasks">
      {mayReadTasks && taskCount > 0 ? (
        <Link
          className="dc-number"
          to={taskListPath}
          search={{ versionId }}
          aria-label={`${t('tasksOf', { versionNumber })}: ${shown}`}
        >
          {shown}
        </Link>
      ) : (
        <span className="dc-number">{shown}</span>
      )}
      {unfinishedTaskCount > 0 && (
        <span className="dc-tag dc-tag-warning">{t('unfinished', { count: unfinishedTaskCount })}</span>
      )}
    </span>
  );
};
