import { deviceCalls, otaCalls } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { fill, openConsole, problemAt, recordRequests } from '../../../../test/console.tsx';
import { unique } from '../../../../test/hub.ts';
import { ADD_TASK, createOtaFixture, type OtaFixture, taskPage } from '../../../../test/ota.ts';
import { saveSession } from '../../../api/session.ts';

describe('the form of an upgrade task', () => {
  let ota: OtaFixture;
  const form = () => `${ADD_TASK}?versionId=${ota.version.versionId}`;
  const summary = async () => within(await screen.findByRole('complementary'));
  const create = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Create task' }));
  const byDevice = async (user: UserEvent, ids: string) => {
    await user.click(await screen.findByRole('radio', { name: 'Chosen devices' }));
    await fill(user, 'Paste device ids', ids);
    await user.click(screen.getByRole('button', { name: 'Add the pasted ids' }));
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
  it('asks for devices before it is submitted, and sends nothing', async () => {
    const user = userEvent.setup();
    openConsole(form());
    await fill(user, 'Task name', unique('task'));
    const sent = recordRequests();
    await create(user);
    expect(await screen.findByText('Please add devices before submitting')).toBeTruthy();
    expect(sent.map(({ call }) => call)).not.toContain('addDeviceOtaTask');
  });

  // Spec 2.33, 3.123
  it('counts pasted ids once, names unknown ones, and makes the task for exactly the rest', async () => {
    const [one, two] = [await ota.registerDevice(), await ota.registerDevice()];
    const taskName = unique('task');
    const user = userEvent.setup();
    const { router } = openConsole(form());
    await fill(user, 'Task name', taskName);
    await byDevice(user, `${one.deviceId}, ${two.deviceId};${one.deviceId}\nno-such-device`);
    expect(await screen.findByText(`Named more than once, counted once (1): ${one.deviceId}`)).toBeTruthy();
    const unknown = await screen.findByText(/^Not of this product, application or tenant \(1\): no-such-device/);
    await user.click(within(unknown).getByRole('button', { name: 'Remove these' }));
    await waitFor(() => expect(screen.queryByText(/^Not of this product/)).toBeNull());
    const told = await summary();
    expect(await told.findByText(one.deviceName)).toBeTruthy();
    await waitFor(() => expect(told.getByText('2', { selector: 'strong' })).toBeTruthy());
    await create(user);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/detail\/updLogDetail\//));
    const taskId = router.state.location.pathname.split('/').at(-1) ?? '';
    expect(await ota.details(taskId)).toMatchObject({ taskName, deviceCount: 2, taskStatus: 1, stages: [100] });
  });

  // Spec 8.14
  it('names the task that stands in the way, and takes its devices over with a higher priority', async () => {
    const held = await ota.createTask({ taskRank: 4 });
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${held.deviceIds.join()}`);
    const told = await summary();
    const alert = within(await told.findByRole('alert'));
    expect(alert.getByText('Create failed, a task in progress cannot be created')).toBeTruthy();
    expect(alert.getByRole('link', { name: held.taskName }).getAttribute('href')).toBe(taskPage(held.taskId));
    const rank = screen.getByRole('spinbutton', { name: /Priority/ });
    await user.clear(rank);
    await user.type(rank, '5');
    await waitFor(() => expect(told.queryByRole('alert')).toBeNull());
    expect(told.getByText('Taken over from lower priorities').closest('div')?.textContent).toMatch(/1$/);
  });

  // Spec 4.51
  it('shows the refusal of the hub, and keeps what was typed', async () => {
    const held = await ota.createTask();
    const taskName = unique('task');
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${held.deviceIds.join()}`);
    await fill(user, 'Task name', taskName);
    await create(user);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Create failed, a task in progress cannot be created')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'OK' }));
    expect(screen.getByLabelText<HTMLInputElement>('Task name').value).toBe(taskName);
    expect(problemAt('Priority')).toBe('Create failed, a task in progress cannot be created');
  });

  it('offers the versions that devices run, with how many do', async () => {
    const { deviceName } = await report('1.4.0');
    const user = userEvent.setup();
    openConsole(form());
    await user.click(await screen.findByRole('combobox', { name: /Current versions/ }));
    await user.click(await screen.findByTitle('1.4.0 (1)'));
    const told = await summary();
    expect(await told.findByText(deviceName)).toBeTruthy();
    expect(told.getByText('1', { selector: 'strong' })).toBeTruthy();
  });

  it('means every device on an older version where a version is rolled out, and nobody on a newer one', async () => {
    const older = (await report('0.0.7')).deviceName;
    const newer = (await report('999.0.0')).deviceName;
    openConsole(`${form()}&rollOut=1`);
    const told = await summary();
    expect(await told.findByText(older)).toBeTruthy();
    expect(told.queryByText(newer)).toBeNull();
    expect(await screen.findByTitle('0.0.7 (1)')).toBeTruthy();
    expect(screen.queryByTitle('999.0.0 (1)')).toBeNull();
    const { versionName, versionNumber } = ota.version;
    const name = `${versionName}-${versionNumber.replaceAll('.', '-')}`;
    expect(screen.getByLabelText<HTMLInputElement>('Task name').value).toBe(name);
  });

  it('counts nobody who runs the target version, and refuses a task for nobody else', async () => {
    const { deviceId, deviceName } = await report(ota.version.versionNumber);
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${deviceId}`);
    await fill(user, 'Task name', unique('task'));
    const told = await summary();
    expect(await told.findByText(deviceName)).toBeTruthy();
    expect(told.getByText('0', { selector: 'strong' }).closest('p')?.textContent).toMatch(
      /^Will upgrade\s*0\s*devices$/,
    );
    const nobody = 'None of these devices needs the upgrade: they run the target version or a newer one';
    expect(told.getByText(nobody)).toBeTruthy();
    await create(user);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(nobody)).toBeTruthy();
    const { list } = await ota.operator.ok(otaCalls.deviceOtaList, { deviceId });
    expect(list).toEqual([]);
  });

  it('goes in stages with a failure threshold above 50 devices, unless the operator chose otherwise', async () => {
    const made = await Promise.all(Array.from({ length: 51 }, () => ota.registerDevice()));
    const ids = made.map(({ deviceId }) => deviceId);
    const user = userEvent.setup();
    openConsole(`${form()}&deviceIds=${ids.join()}`);
    const stages = await screen.findByLabelText<HTMLInputElement>('Stages (percent of all devices)');
    await waitFor(() => expect(stages.value).toBe('5, 25, 100'));
    expect(screen.getByLabelText<HTMLInputElement>('Stop at failures above').value).toBe('10');
    await user.click(screen.getByText('All at once'));
    await waitFor(() => expect(stages.value).toBe('100'));
    await user.click(screen.getByRole('button', { name: `Remove ${ids[0]}` }));
    await waitFor(() => expect(screen.queryByText(/^More than 50 devices/)).toBeNull());
    expect(stages.value).toBe('100');
  });

  it('builds a cron expression, says it in words and when it comes, and judges what is typed', async () => {
    const user = userEvent.setup();
    openConsole(form());
    await user.click(await screen.findByRole('radio', { name: 'Polling' }));
    const cron = await screen.findByLabelText<HTMLInputElement>('Cron expression');
    expect(await screen.findByText('At 02:00, every day')).toBeTruthy();
    expect(screen.getByText('The next runs').parentElement?.querySelectorAll('li')).toHaveLength(5);
    await user.click(screen.getByRole('combobox', { name: 'Repeats' }));
    await user.click(await screen.findByTitle('Weekly'));
    await waitFor(() => expect(cron.value).toBe('0 2 * * 1'));
    await user.clear(cron);
    await user.paste('0 2 * *');
    await waitFor(() => expect(problemAt('Cron expression')).toMatch(/^This is no cron expression of 5 fields/));
    expect(screen.queryByText('The next runs')).toBeNull();
  });

  it('fills in a careful rollout, and refuses stages that do not rise', async () => {
    const user = userEvent.setup();
    openConsole(form());
    await user.click(await screen.findByText('Careful'));
    const stages = screen.getByLabelText<HTMLInputElement>('Stages (percent of all devices)');
    await waitFor(() => expect(stages.value).toBe('5, 25, 100'));
    expect(screen.getByLabelText<HTMLInputElement>('Stop at failures above').value).toBe('10');
    await user.clear(stages);
    await user.paste('50, 20');
    await waitFor(() =>
      expect(problemAt('Stages (percent of all devices)')).toBe('The shares must rise, and end with 100'),
    );
  });

  it('rehearses with the rollout of the form, and leads from there to the real task with all that stood in it', async () => {
    const { deviceId } = await ota.registerDevice();
    const taskName = unique('task');
    const user = userEvent.setup();
    const { router } = openConsole(`${form()}&deviceIds=${deviceId}`);
    await fill(user, 'Task name', taskName);
    await user.click(screen.getByText('Careful'));
    await user.click(screen.getByRole('button', { name: 'Rehearse first' }));
    const dialog = within(await screen.findByRole('dialog'));
    const devices = dialog.getByRole('spinbutton', { name: /Mock devices/ });
    await user.clear(devices);
    await user.type(devices, '1');
    expect(await dialog.findByText('More fail than there are devices')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Start the rehearsal' }).disabled).toBe(true);
    await user.type(devices, '2');
    await user.click(dialog.getByRole('button', { name: 'Start the rehearsal' }));
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
    await user.click(await screen.findByRole('button', { name: 'Make the real task' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Task name')).value).toBe(taskName);
    expect(screen.getByRole('button', { name: `Remove ${deviceId}` })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Timeout of a device').value).toBe('30');
    await ota.operator.ok(otaCalls.cancelOtaTask, { taskId });
  });

  it('asks before what was typed is lost', async () => {
    const user = userEvent.setup();
    const { router } = openConsole(form());
    await fill(user, 'Task name', unique('task'));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/OTAUpdate/updateMission'));
  });

  // Spec 4.41
  it('retries chosen failed devices of a task, and leaves the others as they are', async () => {
    const task = await ota.createFailedTask(2);
    const [again, left] = task.deviceIds;
    const user = userEvent.setup();
    openConsole(`${ADD_TASK}?taskId=${task.taskId}&deviceIds=${again}`);
    const told = await summary();
    await waitFor(() => expect(told.getByText('1', { selector: 'strong' })).toBeTruthy());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    const { tally, taskStatus } = await ota.details(task.taskId);
    expect([taskStatus, tally[0], tally[6]]).toEqual([1, 1, 1]);
    const failed = await ota.operator.ok(otaCalls.deviceOtaList, { taskId: task.taskId, status: [6] });
    expect(failed.list.map(({ deviceId }) => deviceId)).toEqual([left]);
  });

  it('says when there is nothing to retry', async () => {
    const { taskId } = await ota.createTask();
    openConsole(`${ADD_TASK}?taskId=${taskId}`);
    expect(await screen.findByText('No device of this task has failed.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the task' }).getAttribute('href')).toBe(taskPage(taskId));
  });
});
