import { Menu, otaCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import { createUserWithMenus, unique } from '../../../../test/hub.ts';
import { createOtaFixture, type OtaFixture, TASKS, taskPage } from '../../../../test/ota.ts';
import { saveSession } from '../../../api/session.ts';

/** Mock devices are started one after the other and notified once they are online. */
const PATIENCE = { timeout: 45_000 };

describe('upgrade task page', () => {
  let ota: OtaFixture;
  const region = async (name: string) => within(await screen.findByRole('region', { name }));

  beforeAll(async () => {
    await import('./task-detail-page.tsx');
    ota = await createOtaFixture();
  });
  beforeEach(() => saveSession(ota.upgrader));

  // Spec 2.40
  it('shows device counts by state, which filter the table and the URL', async () => {
    const { taskId, taskName, deviceIds } = await ota.createTask();
    const user = userEvent.setup();
    const { router } = openConsole(taskPage(taskId));
    expect(await screen.findByRole('heading', { level: 1, name: taskName })).toBeTruthy();
    expect(await screen.findByText(deviceIds[0] ?? '')).toBeTruthy();
    const progress = await region('Progress');
    expect(progress.getByText('0 of 1 device finished')).toBeTruthy();
    expect(progress.getByRole<HTMLButtonElement>('button', { name: 'Failed 0' }).disabled).toBe(true);
    await user.click(progress.getByRole('button', { name: 'Waiting 1' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?status=0'));
    expect(progress.getByRole('button', { name: 'Waiting 1' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('shows a rehearsal live and its result', async () => {
    const taskName = unique('rehearsal');
    const { taskId } = await ota.operator.ok(otaCalls.rehearseDeviceOtaTask, {
      taskName,
      deviceVersionId: ota.version.versionId,
      stages: [50, 100],
      devices: 4,
      download: 1,
      install: 1,
      timeout: 1,
    });
    const user = userEvent.setup();
    const { router } = openConsole(taskPage(taskId));
    expect(await screen.findByText('Rehearsal in progress')).toBeTruthy();
    const outcome = within(await screen.findByRole('region', { name: 'Rehearsal result' }, PATIENCE));
    expect(outcome.getByText('2 succeeded, 2 failed')).toBeTruthy();
    expect(outcome.getByText(/^Finished in \d+ /)).toBeTruthy();
    const stages = await region('Stages');
    expect(stages.getAllByText(/^2 notified: /)).toHaveLength(2);
    const failures = await region('Failure reasons');
    await user.click(failures.getByRole('button', { name: /^Download failed/ }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?reason=3&status=6'));
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Retry rehearsal-/ })).toHaveLength(1));
    await user.click(screen.getByRole('tab', { name: 'Log' }));
    expect(await screen.findByText(/closed the task: all devices finished/)).toBeTruthy();
    expect(screen.getByText(/created the task for 4 devices/)).toBeTruthy();
    expect(screen.getByText(/advanced to stage 2/)).toBeTruthy();
  });

  it('shows why the hub paused the task, and the effect of starting it', async () => {
    const { taskId } = await ota.operator.ok(otaCalls.rehearseDeviceOtaTask, {
      taskName: unique('rehearsal'),
      deviceVersionId: ota.version.versionId,
      stages: [50, 100],
      devices: 4,
      verification: 4,
      stopPercent: 10,
      stopAfter: 1,
    });
    openConsole(taskPage(taskId));
    const note = within(await screen.findByRole('region', { name: /^Task paused/ }, PATIENCE));
    expect(
      note.getByText('More than 10% of at least 1 finished device failed. Upgrades in progress continue.'),
    ).toBeTruthy();
    expect(note.getByText(/continues with stage 1 of 2 \(\d devices? waiting\)/)).toBeTruthy();
    expect(screen.getByText(/^The real task would have paused in stage 1 \(50% of the devices\)/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Start' })).toBeTruthy();
  });

  // Spec 4.50
  it('retries selected devices, and only failed ones', async () => {
    const task = await ota.createFailedTask(2);
    const [first, second] = task.devices;
    const user = userEvent.setup();
    openConsole(taskPage(task.taskId));
    // A finished task with failures is shown as a warning.
    const outcome = await screen.findByRole('region', { name: /^Finished in/ });
    expect(outcome.dataset.tone).toBe('warning');
    await user.click(await screen.findByRole('button', { name: `Retry ${first?.deviceName}` }));
    const one = within(await screen.findByRole('dialog'));
    const form = one.getByRole('link', { name: 'Change schedule or priority' });
    expect(decodeURIComponent(form.getAttribute('href') ?? '')).toBe(
      `/add/addMission?taskId=${task.taskId}&deviceIds=${first?.deviceId}`,
    );
    await user.click(one.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('checkbox', { name: `Select ${second?.deviceName}` }));
    await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Retry selected devices' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Retry 1 failed device?')).toBeTruthy();
    expect(dialog.getByText(second?.deviceName ?? '')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Retry now' }));
    const progress = await region('Progress');
    expect(await progress.findByRole('button', { name: 'Waiting 1' })).toBeTruthy();
    expect(progress.getByRole('button', { name: 'Failed 1' })).toBeTruthy();
    // The task is running again, so no other device can be retried meanwhile.
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Retry / })).toBeNull());
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
  });

  // Spec 7.105
  it('moves a waiting device to the front', async () => {
    const { taskId, deviceIds } = await ota.createTask();
    const { deviceName } = await ota.deviceOf(deviceIds[0] ?? '');
    const user = userEvent.setup();
    openConsole(taskPage(taskId));
    await user.click(await screen.findByRole('button', { name: `Upgrade ${deviceName} first` }));
    expect(await screen.findByText('prioritised')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: `Upgrade ${deviceName} first` })).toBeNull());
  });

  it('leaves the page after deleting the task', async () => {
    const later = { executeNow: 0, taskStart: new Date(Date.now() + 3_600_000).toISOString() } as const;
    const { taskId, taskName } = await ota.createTask(later);
    const user = userEvent.setup();
    const { router } = openConsole(taskPage(taskId));
    await user.click(await screen.findByRole('button', { name: `More actions: ${taskName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(TASKS));
    expect(screen.queryByText('Upgrade task does not exist')).toBeNull();
  });

  it("does not find another tenant's task", async () => {
    const foreign = await (await createOtaFixture()).createTask();
    openConsole(taskPage(foreign.taskId));
    const [alert] = await screen.findAllByText('Upgrade task does not exist');
    expect(alert).toBeTruthy();
    expect(screen.queryByText(foreign.taskName)).toBeNull();
  });

  it('lists upgrades on the device page, linked only for users who may open tasks', async () => {
    const task = await ota.createFailedTask();
    const page = `/detail/detailDevice/${task.deviceIds[0]}?tab=upgrades`;
    saveSession(ota.session);
    const { unmount } = openConsole(page);
    expect(await screen.findByText(task.taskName)).toBeTruthy();
    expect(screen.getByText('Timeout')).toBeTruthy();
    expect(screen.queryByRole('link', { name: task.taskName })).toBeNull();
    unmount();
    saveSession(ota.upgrader);
    openConsole(page);
    const link = await screen.findByRole('link', { name: task.taskName });
    expect(link.getAttribute('href')).toBe(taskPage(task.taskId));
    // Without permission for devices, only these tabs are visible.
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Overview', 'Upgrade records']);
  });

  it('shows failed upgrades on the home page, linked to their tasks', async () => {
    const other = await createOtaFixture();
    await other.createFailedTask(2);
    const { session } = await createUserWithMenus([Menu.messageChart, Menu.updateMission], other.tenancyId);
    saveSession(session);
    openConsole('/message/messageChart');
    const link = await screen.findByRole('link', { name: 'failed upgrades' });
    expect(link.closest('li')?.textContent).toMatch(/^2failed upgrades/);
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toBe(`${TASKS}?taskStatus=6,7`);
  });
});
