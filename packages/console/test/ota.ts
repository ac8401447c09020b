import { deviceCalls, Menu, otaCalls, type Sent, type TaskDetails } from '@device-center/contract';
import { waitFor } from '@testing-library/react';
import { createFirmwareVersion } from './firmware.ts';
import { createFleet } from './fleet.ts';
import { createUserWithMenus, unique } from './hub.ts';

export const TASKS = '/OTAUpdate/updateMission';
export const ADD_TASK = '/add/addMission';
export const taskPage = (taskId: string): string => `/detail/updLogDetail/${taskId}`;

type TaskInput = Partial<Sent<typeof otaCalls.addDeviceOtaTask>>;

/** A fleet with a firmware version, and a user who upgrades it. */
export const createOtaFixture = async () => {
  const fleet = await createFleet();
  const { operator, tenancyId, product, registerDevice } = fleet;
  const { session: upgrader } = await createUserWithMenus([Menu.updateMission], tenancyId);
  const version = await createFirmwareVersion({ tenancyId, productId: product.productId, versionNumber: '2.0.0' });

  const details = (taskId: string): Promise<TaskDetails> => operator.ok(otaCalls.getDeviceOtaTaskDetails, { taskId });

  /** Creates a task. Its target device is offline by default, so the task waits for it. */
  const createTask = async (options: TaskInput = {}) => {
    const taskName = unique('task');
    const deviceListId = options.deviceListId ?? [(await registerDevice()).deviceId];
    const fields = { taskName, deviceVersionId: version.versionId, ...options };
    const { taskId } = await operator.ok(otaCalls.addDeviceOtaTask, {
      ...fields,
      ...(options.versionNumber ? {} : { deviceListId }),
    });
    return { taskId, taskName: fields.taskName, deviceIds: deviceListId as string[] };
  };

  /** A task whose end time passes before its devices connect: they fail with a timeout. */
  const createFailedTask = async (devices = 1) => {
    const targets = await Promise.all(Array.from({ length: devices }, () => registerDevice()));
    const task = await createTask({
      deviceListId: targets.map(({ deviceId }) => deviceId),
      taskEnd: new Date(Date.now() + 1_500).toISOString(),
    });
    await waitFor(async () => {
      if ((await details(task.taskId)).taskStatus !== 6) throw new Error('the task has not failed yet');
    });
    return { ...task, devices: targets };
  };

  const deviceOf = (deviceId: string) => operator.ok(deviceCalls.getDeviceDetails, { deviceId });
  return { ...fleet, upgrader, version, createTask, createFailedTask, details, deviceOf };
};
export type OtaFixture = Awaited<ReturnType<typeof createOtaFixture>>;
