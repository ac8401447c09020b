import type { VersionRow } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { countText } from '../../../i18n/numbers.ts';
import './task-count.css';
import { taskListPath } from '../../../paths.ts';

type TaskCountProps = {
  version: Pick<VersionRow, 'versionId' | 'versionNumber' | 'taskCount' | 'unfinishedTaskCount'>;
  /** With its unit, where no heading says what is counted. */
  words?: boolean;
};

/** How many tasks use it, leading to them for whoever may see them. */
export const TaskCount = ({ version, words = false }: TaskCountProps) => {
  const { t } = useTranslation('firmware');
  const mayTasks = useCan('ota:read');
  const { versionId, versionNumber, taskCount, unfinishedTaskCount } = version;
  const shown = words ? t('taskCount', { count: taskCount }) : countText(taskCount);
  return (
    <span className="dc-version-tasks">
      {mayTasks && taskCount > 0 ? (
        <Link
          className="dc-number"
          to={taskListPath}
          search={{ versionId } as never}
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
