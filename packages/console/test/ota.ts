import { deviceCalls, Menu, otaCalls, type Sent, type TaskDetails } from '@device-center/contract';
import { waitFor } from '@testing-library/react';
import { newVersion } from './firmware.ts';
import { newFleet } from './fleet.ts';
import { newUserWith, unique } from './hub.ts';

export const TASKS = '/OTAUpdate/updateMission';
export const ADD_TASK = '/add/addMission';
export const taskPage = (taskId: string): string => `/detail/updLogDetail/${taskId}`;

type Added = Partial<Sent<typeof otaCalls.addDeviceOtaTask>>;

/** A fleet with a firmware version, and a user who upgrades it. */
export const newOta = async () => {
  const fleet = await newFleet();
  const { operator, tenancyId, product, newDevice } = fleet;
  const { session: upgrader } = await newUserWith([Menu.updateMission], tenancyId);
  const version = await newVersion({ tenancyId, productId: product.productId, versionNumber: '2.0.0' });

  const details = (taskId: string): Promise<TaskDetails> => operator.ok(otaCalls.getDeviceOtaTaskDetails, { taskId });

  /** A task over devices that are offline, unless told otherwise: it waits for them. */
  const newTask = async (more: Added = {}) => {
    const taskName = unique('task');
    const deviceListId = more.deviceListId ?? [(await newDevice()).deviceId];
    const made = { taskName, deviceVersionId: version.versionId, ...more };
    const { taskId } = await operator.ok(otaCalls.addDeviceOtaTask, {
      ...made,
      ...(more.versionNumber ? {} : { deviceListId }),
    });
    return { taskId, taskName: made.taskName, deviceIds: deviceListId as string[] };
  };

  /** A task whose end came before its devices did: they have failed with a timeout. */
  const failedTask = async (devices = 1) => {
    const made = await Promise.all(Array.from({ length: devices }, () => newDevice()));
    const task = await newTask({
      deviceListId: made.map(({ deviceId }) => deviceId),
      taskEnd: new Date(Date.now() + 1_500).toISOString(),
    });
    await waitFor(async () => {
      if ((await details(task.taskId)).taskStatus !== 6) throw new Error('the task has not failed yet');
    });
    return { ...task, devices: made };
  };

  const deviceOf = (deviceId: string) => operator.ok(deviceCalls.getDeviceDetails, { deviceId });
  return { ...fleet, upgrader, version, newTask, failedTask, details, deviceOf };
};
export type Ota = Awaited<ReturnType<typeof newOta>>;
