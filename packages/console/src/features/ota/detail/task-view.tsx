import type { TaskAction, TaskDetails } from '@device-center/contract';
import { Tabs } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveState } from '../../../api/live.ts';
import { taskListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailPage } from '../../../ui/detail-page.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import { LiveDot } from '../../../ui/live-dot.tsx';
import { samePage, useNavigate } from '../../../ui/routing.ts';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { type TaskDetailSearch, type TaskTab, taskDetailSearch, taskTabs } from '../ota-search.ts';
import { type TaskConfirmation, TaskDialog, useTaskActions } from '../task-actions.tsx';
import { RehearsalBadge, TaskState } from '../task-badges.tsx';
import { taskActionText } from '../task-texts.ts';
import { DevicesTab } from './devices-tab.tsx';
import { Failures } from './failures.tsx';
import { FleetPicture } from './fleet-picture.tsx';
import { LogTab } from './log-tab.tsx';
import { Progress } from './progress.tsx';
import { Stages } from './stages.tsx';
import { KeyFacts, SettingsTab } from './task-facts.tsx';
import { TaskNotes } from './task-notes.tsx';

export type TaskDetailList = ReturnType<typeof useListSearch<TaskDetailSearch>>;

/** Actions shown as buttons; actions that end or repeat the task are in the menu. */
const inSight: readonly TaskAction[] = ['start', 'suspend', 'retry'];

const Actions = ({ task, onAsk }: { task: TaskDetails; onAsk: (ask: TaskConfirmation) => void }) => {
  const { act, busy } = useTaskActions(onAsk);
  const buttons = task.allowed.filter((action) => inSight.includes(action));
  const rest = task.allowed.filter((action) => !inSight.includes(action));
  return (
    <>
      {buttons.map((action) => (
        <Button
          key={action}
          type={action === 'start' && task.rehearsal === 0 ? 'primary' : 'default'}
          loading={busy}
          onClick={() => act(task, action)}
        >
          {taskActionText(action)}
        </Button>
      ))}
      <RowMenu
        name={task.taskName}
        items={rest.map((action) => ({
          key: action,
          label: taskActionText(action),
          danger: action === 'delete' || action === 'cancel',
          onClick: () => act(task, action),
        }))}
      />
    </>
  );
};

type TaskViewProps = { task: TaskDetails; list: TaskDetailList; live: LiveState };

export const TaskView = ({ task, list, live }: TaskViewProps) => {
  const { t } = useTranslation('otaDetail');
  const navigate = useNavigate();
  const [ask, setAsk] = useState<TaskConfirmation>();
  const { tab } = list.search;
  const contents: Record<TaskTab, () => ReactNode> = {
    devices: () => <DevicesTab task={task} list={list} />,
    log: () => <LogTab task={task} list={list} />,
    settings: () => <SettingsTab task={task} />,
  };
  // The filters of one tab do not apply to another.
  const open = (next: string) =>
    void navigate({
      to: samePage(taskDetailSearch),
      search: { tab: next as TaskTab },
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="dc-task-page">
      <DetailPage
        title={task.taskName}
        id={task.taskId}
        backTo={taskListPath}
        status={
          <>
            <TaskState task={task} />
            <RehearsalBadge task={task} />
            <LiveDot state={live} />
          </>
        }
        actions={<Actions task={task} onAsk={setAsk} />}
      >
        <TaskNotes task={task} />
        <KeyFacts task={task} />
        <Progress task={task} list={list} />
        {task.stages.length > 1 && <Stages task={task} list={list} />}
        <div className="dc-task-pictures">
          <FleetPicture task={task} list={list} />
          {task.failures.length > 0 && <Failures task={task} list={list} />}
        </div>
        <Tabs
          activeKey={tab}
          onChange={open}
          items={taskTabs.map((key) => ({
            key,
            label: t(`tab_${key}`),
            // Only the visible tab reads the search parameters.
            children: key === tab && contents[key](),
          }))}
        />
      </DetailPage>
      {ask && (
        <TaskDialog ask={ask} onClose={() => setAsk(undefined)} onDeleted={() => void navigate({ to: taskListPath })} />
      )}
    </div>
  );
};
