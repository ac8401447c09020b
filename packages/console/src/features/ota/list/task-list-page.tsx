import { otaCalls, type TaskRow } from '@device-center/contract';
import { Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import '../../../ui/styles/reading.css';
import { Link, useNavigate } from '../../../ui/routing.ts';
import { useLiveTasks } from '../live-tasks.ts';
import { taskListSearch } from '../ota-search.ts';
import { type TaskConfirmation, TaskDialog, useTaskActions } from '../task-actions.tsx';
import { taskActionText } from '../task-texts.ts';
import { useTaskColumns } from './task-columns.tsx';
import { TaskFilters } from './task-filters.tsx';
import './task-list.css';
import { taskFormPath, taskPath } from '../../../paths.ts';

const CreateButton = () => {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  return (
    <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => void navigate({ to: taskFormPath })}>
      {t('addTaskTitle')}
    </Button>
  );
};

const RowActions = ({ task, onAsk }: { task: TaskRow; onAsk: (ask: TaskConfirmation) => void }) => {
  const { t } = useTranslation('common');
  const { act, busy } = useTaskActions(onAsk);
  return (
    <>
      <Link to={taskPath(task.taskId)}>{t('view')}</Link>
      <RowMenu
        name={task.taskName}
        items={task.allowed.map((action) => ({
          key: action,
          label: taskActionText(action),
          danger: action === 'delete' || action === 'cancel',
          disabled: busy,
          onClick: () => act(task, action),
        }))}
      />
    </>
  );
};

const TaskListPage = () => {
  const { t } = useTranslation(['ota', 'common', 'shell']);
  const list = useListSearch(taskListSearch);
  const query = useCall(otaCalls.queryDeviceOtaTaskList, list.search, { keepPrevious: true });
  const live = useLiveTasks(list.search.tenancyId);
  const columns = useTaskColumns();
  const [ask, setAsk] = useState<TaskConfirmation>();
  return (
    <div className="dc-task-list">
      <PageHeader
        title={t('shell:taskListTitle')}
        subtitle={
          <>
            {query.data ? t('ota:count', { total: query.data.total }) : ' '}
            <LiveDot state={live} />
          </>
        }
        actions={<CreateButton />}
      />
      <DataTable<TaskRow>
        id="otaTask"
        rowKey="taskId"
        rowName={({ taskName }) => taskName}
        columns={columns}
        actions={(task) => <RowActions task={task} onAsk={setAsk} />}
        query={query}
        list={list}
        filters={<TaskFilters list={list} />}
        selectable={({ allowed }) => allowed.includes('delete')}
        bulk={(tasks, done) => (
          <Button size="small" danger type="primary" onClick={() => setAsk({ action: 'delete', tasks, done })}>
            {t('common:delete')}
          </Button>
        )}
        empty={
          <EmptyState
            icon={<RefreshCw size={22} />}
            title={t('ota:emptyTitle')}
            text={t('ota:emptyText')}
            action={<CreateButton />}
          />
        }
      />
      {ask && <TaskDialog ask={ask} onClose={() => setAsk(undefined)} />}
    </div>
  );
};

export default TaskListPage;
