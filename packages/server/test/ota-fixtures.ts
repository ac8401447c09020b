import { type MockUpgradeFault, otaCalls, type Sent, type TaskRow, type UpgradeRow } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import { expect } from 'vitest';
import type { Client } from './client.ts';
import type { ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';

export const OLD = '1.0.0';

export type FleetMember = { deviceId: string; device: Device; fault: { now: MockUpgradeFault }; installed: string[] };

/** An upgradable device; its upgrades fail while a fault is set. */
export const startMember = async (
  hub: Pick<Hub, 'url' | 'admin'>,
  { productId, productSecret }: ProductFixture,
  wanted: MockUpgradeFault = '',
): Promise<FleetMember> => {
  const deviceId = unique('ota');
  const fault = { now: wanted };
  const installed: string[] = [];
  const goOffline = (): void => void device.stop();
  const upgrade = createVirtualUpgrade({ fault: () => fault.now, goOffline, installMs: 50, slowMs: 3_000 });
  const device = createDevice({
    hubUrl: hub.url,
    productId,
    deviceId,
    productSecret,
    versionNumber: OLD,
    backoff: { first: 100, max: 500 },
    upgrade: {
      ...upgrade,
      install: async (file, order) => {
        await upgrade.install(file, order);
        installed.push(order.versionNumber);
        return undefined;
      },
    },
  });
  await device.start();
  return { deviceId, device, fault, installed };
};

export const startFleet = (hub: Pick<Hub, 'url' | 'admin'>, of: ProductFixture, faults: MockUpgradeFault[]) =>
  Promise.all(faults.map((fault) => startMember(hub, of, fault)));

type NewTask = Partial<Sent<typeof otaCalls.addDeviceOtaTask>>;

export const addTask = async (client: Client, deviceVersionId: string, more: NewTask): Promise<string> =>
  (await client.ok(otaCalls.addDeviceOtaTask, { taskName: unique('task'), deviceVersionId, ...more }, { as: 'json' }))
    .taskId;

export const taskOf = (client: Client, taskId: string) => client.ok(otaCalls.getDeviceOtaTaskDetails, { taskId });

export const recordsOf = async (client: Client, taskId: string): Promise<UpgradeRow[]> =>
  (await client.ok(otaCalls.deviceOtaList, { taskId, pageSize: 200, sortMode: 1 })).list;

export const recordOf = async (client: Client, taskId: string, deviceId: string): Promise<UpgradeRow> => {
  const found = (await recordsOf(client, taskId)).find((record) => record.deviceId === deviceId);
  if (!found) throw new Error(`${deviceId} is not in ${taskId}`);
  return found;
};

const POLL = { timeout: 60_000, interval: 100 };

export const expectTask = (client: Client, taskId: string, status: TaskRow['taskStatus']) =>
  expect.poll(async () => (await taskOf(client, taskId)).taskStatus, POLL).toBe(status);

/** Waits for the status and reason of each device, in the order of the ids. */
export const expectRecords = (client: Client, taskId: string, deviceIds: string[], states: [number, number][]) =>
  expect
    .poll(async () => {
      const records = new Map((await recordsOf(client, taskId)).map((record) => [record.deviceId, record]));
      return deviceIds.map((deviceId) => [records.get(deviceId)?.status, records.get(deviceId)?.reason]);
    }, POLL)
    .toEqual(states);

/** Sets the deadline of a device in progress to the past. */
export const expireDeadline = (hub: Pick<Hub, 'db'>, taskId: string, deviceId: string) =>
  hub.db
    .updateTable('ota_device')
    .set({ deadline: 1 })
    .where('task_id', '=', taskId)
    .where('device_id', '=', deviceId)
    .execute();

/** The upgrade orders that were sent: `record/attempt`. */
export const notificationsOf = async (hub: Pick<Hub, 'db'>, deviceIds: string[]): Promise<string[]> => {
  const rows = await hub.db
    .selectFrom('device_command')
    .select('payload')
    .where('device_id', 'in', deviceIds)
    .where('function_id', '=', 'ota')
    .execute();
  return rows.map(({ payload }) => {
    const { input } = JSON.parse(payload) as { input: { deviceOtaTaskId: string; attempt: number } };
    return `${input.deviceOtaTaskId}/${input.attempt}`;
  });
};
