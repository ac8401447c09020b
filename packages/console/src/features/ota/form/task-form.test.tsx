import { deviceCalls, otaCalls } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { fill, openConsole, problemAt, recordRequests } from '../../../../test/console.tsx';
import { unique } from '../../../../test/hub.ts';
import { ADD_TASK, createOtaFixture, type OtaFixture, taskPage } from '../../../../test/ota.ts';
import { saveSession } from '../../../api/session.ts';

describe('upgrade task form', () => {
  let ota: OtaFixture;
  const form = () => `${ADD_TASK}?versionId=${ota.version.versionId}`;
  const summary = async () => within(await screen.findByRole('complementary'));
  const create = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Create task' }));
  const byDevice = async (user: UserEvent, ids: string) => {
    await user.click(await screen.findByRole('radio', { name: 'Selected devices' }));
    await fill(user, 'Paste device IDs', ids);
    await user.click(screen.getByRole('button', { name: 'Add pasted IDs' }));
  };

  /** Creates a device that reports its version. */
  const report = async (versionNumber: string) => {
    const [deviceId, deviceName] = [unique('dev-'), unique('lamp')];
    const { productId } = ota.product;
    const { deviceSecret: secret } = await ota.operator.ok(deviceCalls.addDevice, { productId, deviceId, deviceName });
    const device = createDevice({ hubUrl: inject('hubUrl'), productId, deviceId, secret, versionNumber });
    await device.start();
    await waitFor(async () => expect((await ota.deviceOf(deviceId)).versionNumber).toBe(versionNumber));
    await device.stop();
    return { deviceId, deviceName };
  };

  beforeAll(async () => {
    await import('./task-form-page.tsx');
    ota = await createOtaFixture();
  });
  beforeEach(() => saveSession(ota.upgrader));

  // Spec 8.21
  it('requires devices before it sends anything', async () => {
    const user = userEvent.setup();
    openConsole(form());
    await fill(user, 'Task name', unique('task'));
    const sent = recordRequests();
    await create(user);
    expect(await screen.findByText('Please add devices before submitting')).toBeTruthy();
    expect(sent.map(({ call }) => call)).not.toContain('addDeviceOtaTask');
  });

  // Spec 2.33, 3.123
  it('removes duplicate and unknown ids and creates the task for the rest', async () => {
    const [one, two] = [await ota.registerDevice(), await ota.registerDevice()];
    const taskName = unique('task');
    const user = userEvent.setup();
    const { router } = openConsole(form());
    await fill(user, 'Task name', taskName);
    await byDevice(user, `${one.deviceId}, ${two.deviceId};${one.deviceId}\nno-such-device`);
    expect(await screen.findByText(`Duplicates, counted once (1): ${one.deviceId}`)).toBeTruthy();
    const unknown = await screen.findByText(/^Not in this product, application or tenant \(1\): no-such-device/);
    await user.click(within(unknown).getByRole('button', { name: 'Remove these IDs' }));
    await waitFor(() => expect(screen.queryByText(/^Not in this product/)).toBeNull());
    const summaryPanel = await summary();
    expect(await summaryPanel.findByText(one.deviceName)).toBeTruthy();
    await waitFor(() => expect(summaryPanel.getByText('2', { selector: 'strong' })).toBeTruthy());
    await create(user);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/detail\/updLogDetail\//));
    const taskId = router.state.location.pathname.split('/').at(-1) ?? '';
    expect(await ota.details(taskId)).toMatchObject({ taskName, deviceCount: 2, taskStatus: 1, stages: [100] });
  });

  // Spec 8.14
  it('shows the blocking task, and takes over its devices with a higher priority', async () => {
    const blocking = await ota.createTask({ taskRank: 4 });
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${blocking.deviceIds.join()}`);
    const summaryPanel = await summary();
    const alert = within(await summaryPanel.findByRole('alert'));
    expect(alert.getByText('Create failed, a task in progress cannot be created')).toBeTruthy();
    expect(alert.getByRole('link', { name: blocking.taskName }).getAttribute('href')).toBe(taskPage(blocking.taskId));
    const rank = screen.getByRole('spinbutton', { name: /Priority/ });
    await user.clear(rank);
    await user.type(rank, '5');
    await waitFor(() => expect(summaryPanel.queryByRole('alert')).toBeNull());
    expect(summaryPanel.getByText('Taken over from lower-priority tasks').closest('div')?.textContent).toMatch(/1$/);
  });

  // Spec 4.51
  it('shows the error of the hub and keeps the typed values', async () => {
    const blocking = await ota.createTask();
    const taskName = unique('task');
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${blocking.deviceIds.join()}`);
    await fill(user, 'Task name', taskName);
    await create(user);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Create failed, a task in progress cannot be created')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'OK' }));
    expect(screen.getByLabelText<HTMLInputElement>('Task name').value).toBe(taskName);
    expect(problemAt('Priority')).toBe('Create failed, a task in progress cannot be created');
  });

  it('offers the versions of the devices with their counts', async () => {
    const { deviceName } = await report('1.4.0');
    const user = userEvent.setup();
    openConsole(form());
    await user.click(await screen.findByRole('combobox', { name: /Current versions/ }));
    await user.click(await screen.findByTitle('1.4.0 (1)'));
    const summaryPanel = await summary();
    expect(await summaryPanel.findByText(deviceName)).toBeTruthy();
    expect(summaryPanel.getByText('1', { selector: 'strong' })).toBeTruthy();
  });

  it('selects devices on older versions for a rollout, and none on newer ones', async () => {
    const older = (await report('0.0.7')).deviceName;
    const newer = (await report('999.0.0')).deviceName;
    openConsole(`${form()}&rollOut=1`);
    const summaryPanel = await summary();
    expect(await summaryPanel.findByText(older)).toBeTruthy();
    expect(summaryPanel.queryByText(newer)).toBeNull();
    expect(await screen.findByTitle('0.0.7 (1)')).toBeTruthy();
    expect(screen.queryByTitle('999.0.0 (1)')).toBeNull();
    const { versionName, versionNumber } = ota.version;
    const name = `${versionName}-${versionNumber.replaceAll('.', '-')}`;
    expect(screen.getByLabelText<HTMLInputElement>('Task name').value).toBe(name);
  });

  it('does not count devices on the target version, and rejects a task without others', async () => {
    const { deviceId, deviceName } = await report(ota.version.versionNumber);
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${deviceId}`);
    await fill(user, 'Task name', unique('task'));
    const summaryPanel = await summary();
    expect(await summaryPanel.findByText(deviceName)).toBeTruthy();
    expect(summaryPanel.getByText('0', { selector: 'strong' }).closest('p')?.textContent).toMatch(
      /^Will upgrade\s*0\s*devices$/,
    );
    const nothingToUpgrade = 'No device needs the upgrade: all run the target version or a newer one';
    expect(summaryPanel.getByText(nothingToUpgrade)).toBeTruthy();
    await create(user);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(nothingToUpgrade)).toBeTruthy();
    const { list } = await ota.operator.ok(otaCalls.deviceOtaList, { deviceId });
    expect(list).toEqual([]);
  });

  it('defaults to stages with a failure threshold above 50 devices until the operator changes it', async () => {
    const devices = await Promise.all(Array.from({ length: 51 }, () => ota.registerDevice()));
    const ids = devices.map(({ deviceId }) => deviceId);
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${ids.join()}`);
    const stages = await screen.findByLabelText<HTMLInputElement>('Stages (percent of all devices)');
    await waitFor(() => expect(stages.value).toBe('5, 25, 100'));
    expect(screen.getByLabelText<HTMLInputElement>('Failure threshold').value).toBe('10');
    await user.click(screen.getByText('All at once'));
    await waitFor(() => expect(stages.value).toBe('100'));
    await user.click(screen.getByRole('button', { name: `Remove ${ids[0]}` }));
    await waitFor(() => expect(screen.queryByText(/^More than 50 devices/)).toBeNull());
    expect(stages.value).toBe('100');
  });

  it('builds a cron expression, describes it with its next runs, and validates typed ones', async () => {
    const user = userEvent.setup();
    openConsole(form());
    await user.click(await screen.findByRole('radio', { name: 'Polling' }));
    const cron = await screen.findByLabelText<HTMLInputElement>('Cron expression');
    expect(await screen.findByText('At 02:00, every day')).toBeTruthy();
    expect(screen.getByText('Next runs').parentElement?.querySelectorAll('li')).toHaveLength(5);
    await user.click(screen.getByRole('combobox', { name: 'Repeats' }));
    await user.click(await screen.findByTitle('Weekly'));
    await waitFor(() => expect(cron.value).toBe('0 2 * * 1'));
    await user.clear(cron);
    await user.paste('0 2 * *');
    await waitFor(() => expect(problemAt('Cron expression')).toMatch(/^Invalid cron expression: 5 fields/));
    expect(screen.queryByText('Next runs')).toBeNull();
  });

  it('applies the careful preset, and rejects stages that do not increase', async () => {
    const user = userEvent.setup();
    openConsole(form());
    await user.click(await screen.findByText('Staged'));
    const stages = screen.getByLabelText<HTMLInputElement>('Stages (percent of all devices)');
    await waitFor(() => expect(stages.value).toBe('5, 25, 100'));
    expect(screen.getByLabelText<HTMLInputElement>('Failure threshold').value).toBe('10');
    await user.clear(stages);
    await user.paste('50, 20');
    await waitFor(() =>
      expect(problemAt('Stages (percent of all devices)')).toBe('Stage percentages must increase and end with 100'),
    );
  });

  it('rehearses with the rollout of the form, and restores the form for the real task', async () => {
    const { deviceId } = await ota.registerDevice();
    const taskName = unique('task');
    const user = userEvent.setup();
    const { router } = openConsole(`${form()}&deviceIds=${deviceId}`);
    await fill(user, 'Task name', taskName);
    await user.click(screen.getByText('Staged'));
    await user.click(screen.getByRole('button', { name: 'Rehearse task' }));
    const dialog = within(await screen.findByRole('dialog'));
    const devices = dialog.getByRole('spinbutton', { name: /Mock devices/ });
    await user.clear(devices);
    await user.type(devices, '1');
    expect(await dialog.findByText('More failing devices than mock devices')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Start rehearsal' }).disabled).toBe(true);
    await user.type(devices, '2');
    await user.click(dialog.getByRole('button', { name: 'Start rehearsal' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/detail\/updLogDetail\//));
    const taskId = router.state.location.pathname.split('/').at(-1) ?? '';
    const rehearsal = {
      rehearsal: 1,
      deviceCount: 12,
      stages: [5, 25, 100],
      timeout: 1,
      stageWait: 0,
      stopPercent: 10,
    };
    expect(await ota.details(taskId)).toMatchObject(rehearsal);
    await user.click(await screen.findByRole('button', { name: 'Create real task' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Task name')).value).toBe(taskName);
    expect(screen.getByRole('button', { name: `Remove ${deviceId}` })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Timeout per device').value).toBe('30');
    await ota.operator.ok(otaCalls.cancelOtaTask, { taskId });
  });

  it('asks before discarding typed values', async () => {
    const user = userEvent.setup();
    const { router } = openConsole(form());
    await fill(user, 'Task name', unique('task'));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/OTAUpdate/updateMission'));
  });

  // Spec 4.41
  it('retries selected failed devices and leaves the others unchanged', async () => {
    const task = await ota.createFailedTask(2);
    const [again, left] = task.deviceIds;
    const user = userEvent.setup();
    openConsole(`${ADD_TASK}?taskId=${task.taskId}&deviceIds=${again}`);
    const summaryPanel = await summary();
    await waitFor(() => expect(summaryPanel.getByText('1', { selector: 'strong' })).toBeTruthy());
    await user.click(screen.getByRole('button', { name: 'Retry failed devices' }));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    const { tally, taskStatus } = await ota.details(task.taskId);
    expect([taskStatus, tally[0], tally[6]]).toEqual([1, 1, 1]);
    const failed = await ota.operator.ok(otaCalls.deviceOtaList, { taskId: task.taskId, status: [6] });
    expect(failed.list.map(({ deviceId }) => deviceId)).toEqual([left]);
  });

  it('reports that there is nothing to retry', async () => {
    const { taskId } = await ota.createTask();
    openConsole(`${ADD_TASK}?taskId=${taskId}`);
    expect(await screen.findByText('This task has no failed devices.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the task' }).getAttribute('href')).toBe(taskPage(taskId));
  });
});
