import { otaCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { createOtaFixture, type OtaFixture, TASKS, taskPage } from '../../../../test/ota.ts';
import { saveSession } from '../../../api/session.ts';

describe('the list of upgrade tasks', () => {
  let ota: OtaFixture;
  const rowOf = async (taskName: string) => {
    const link = await screen.findByRole('link', { name: taskName });
    const row = link.closest('tr');
    if (!row) throw new Error('the task is not in a row');
    return within(row);
  };
  const choose = async (user: UserEvent, taskName: string, action: string) => {
    await user.click(await screen.findByRole('button', { name: `More actions: ${taskName}` }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
  };

  beforeAll(async () => {
    await import('./task-list-page.tsx');
    ota = await createOtaFixture();
  });
  beforeEach(() => saveSession(ota.upgrader));

  it('shows an empty state', async () => {
    saveSession((await createOtaFixture()).upgrader);
    openConsole(TASKS);
    expect(await screen.findByRole('heading', { name: 'No upgrade tasks yet' })).toBeTruthy();
  });

  // Spec 2.14, 4.28
  it('shows target, schedule and progress of a task', async () => {
    const { taskId, taskName } = await ota.createTask({
      taskRank: 7,
      taskType: 2,
      cron: '0 2 * * 1-5',
      timezone: 'Asia/Shanghai',
      executeNow: 0,
      taskStart: new Date(Date.now() + 3_600_000).toISOString(),
      taskEnd: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    });
    openConsole(`${TASKS}?searchValue=${taskId}`);
    const row = await rowOf(taskName);
    expect(row.getByText('Not started')).toBeTruthy();
    expect(row.getByText('7')).toBeTruthy();
    expect(row.getByText(ota.version.versionNumber)).toBeTruthy();
    expect(row.getByText('1 selected device')).toBeTruthy();
    expect(await row.findByText('At 02:00, Monday through Friday (Asia/Shanghai)')).toBeTruthy();
    expect(row.getByText(/^\(in \d/)).toBeTruthy();
    expect(row.getByText('0 of 1')).toBeTruthy();
    expect(row.getByRole('img', { name: 'Waiting 1' })).toBeTruthy();
    expect(row.getByRole('link', { name: taskName }).getAttribute('href')).toBe(taskPage(taskId));
  });

  // Spec 7.99
  it('reads filters from the URL, with several states', async () => {
    const waiting = await ota.createTask();
    const sent = recordRequests();
    openConsole(`${TASKS}?taskStatus=6,7&productId=${ota.product.productId}`);
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Remove filter Status: Failed, Finished' })).toBeTruthy();
    expect(screen.queryByText(waiting.taskName)).toBeNull();
    const input = sent.filter(({ call }) => call === 'queryDeviceOtaTaskList').at(-1)?.input;
    expect(input).toMatchObject({ taskStatus: '[6,7]', productId: ota.product.productId });
  });

  // Spec 4.37, 4.38
  it('offers and runs the actions that the state allows', async () => {
    const { taskId, taskName } = await ota.createTask();
    const user = userEvent.setup();
    openConsole(`${TASKS}?searchValue=${taskId}`);
    const row = await rowOf(taskName);
    await user.click(row.getByRole('button', { name: `More actions: ${taskName}` }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Suspend',
      'Cancel',
    ]);
    await user.click(screen.getByRole('menuitem', { name: 'Suspend' }));
    expect(await row.findByText('Paused')).toBeTruthy();
    await waitFor(() => choose(user, taskName, 'Start'));
    expect(await row.findByText('Waiting')).toBeTruthy();
    expect((await ota.details(taskId)).taskStatus).toBe(1);
  });

  // Spec 4.39
  it('cancels a task after a confirmation', async () => {
    const { taskId, taskName } = await ota.createTask();
    const user = userEvent.setup();
    openConsole(`${TASKS}?searchValue=${taskId}`);
    await choose(user, taskName, 'Cancel');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/^Waiting devices \(1\) are not upgraded/)).toBeTruthy();
    expect((await ota.details(taskId)).taskStatus).toBe(1);
    await user.click(dialog.getByRole('button', { name: 'Cancel task' }));
    expect(await (await rowOf(taskName)).findByText('Cancelled')).toBeTruthy();
    expect((await ota.details(taskId)).tally[7]).toBe(1);
  });

  it('shows live changes by other users', async () => {
    const { taskId, taskName } = await ota.createTask();
    openConsole(`${TASKS}?searchValue=${taskId}`);
    const row = await rowOf(taskName);
    expect(row.getByText('Waiting')).toBeTruthy();
    await screen.findByText('Live');
    await ota.operator.ok(otaCalls.suspendOtaTaskStatus, { taskId });
    expect(await row.findByText('Paused')).toBeTruthy();
    // The allowed actions are refetched with the status.
    const user = userEvent.setup();
    await waitFor(async () => {
      await user.click(row.getByRole('button', { name: `More actions: ${taskName}` }));
      expect(screen.getByRole('menuitem', { name: 'Start' })).toBeTruthy();
    });
  });

  it('shows a newly created task', async () => {
    openConsole(`${TASKS}?productId=${ota.product.productId}`);
    await screen.findByText('Live');
    // The first event of the stream contains all tasks; a new task can be detected only after it.
    await ota.createTask().then(({ taskName }) => screen.findByRole('link', { name: taskName }));
    const { taskName } = await ota.createTask();
    expect(await screen.findByRole('link', { name: taskName })).toBeTruthy();
  });

  // Spec 4.42
  it('deletes selected tasks, but none in progress', async () => {
    const other = await createOtaFixture();
    saveSession(other.upgrader);
    const later = { executeNow: 0, taskStart: new Date(Date.now() + 3_600_000).toISOString() } as const;
    const [one, two] = [await other.createTask(later), await other.createTask(later)];
    const waiting = await other.createTask();
    const user = userEvent.setup();
    openConsole(TASKS);
    const chosen = async (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` });
    expect((await chosen(waiting.taskName)).disabled).toBe(true);
    await user.click(await chosen(one.taskName));
    await user.click(await chosen(two.taskName));
    await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Delete 2 tasks?')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(one.taskName)).toBeNull());
    expect(screen.getByText(waiting.taskName)).toBeTruthy();
    expect(await other.operator.error(otaCalls.getDeviceOtaTaskDetails, { taskId: two.taskId })).toMatchObject({
      code: 'TASK_NOT_FOUND',
    });
  });
});
