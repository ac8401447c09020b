import { firmwareCalls, otaCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { createVersion } from './firmware-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { addTask, expectTask, OLD, recordsOf, taskOf } from './ota-fixtures.ts';

let hub: Hub;
let shop: ProductFixture;

const useShop = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    shop = await createProductFixture(hub);
  });
};

const newDevice = async (version = OLD): Promise<string> => {
  const { productId, applicationId } = shop;
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.db.updateTable('device').set({ version_number: version }).where('device_id', '=', deviceId).execute();
  return deviceId;
};

/** An expired task with offline devices. */
const failedTask = async (versionNumber: string, taskRank = 1) => {
  const { versionId } = await createVersion(hub, shop, versionNumber);
  const deviceListId = [await newDevice()];
  const taskId = await addTask(hub.admin, versionId, { deviceListId, taskRank });
  await hub.db.updateTable('ota_task').set({ end_at: 1 }).where('task_id', '=', taskId).execute();
  await expectTask(hub.admin, taskId, 6);
  return { taskId, versionId };
};

describeOnEachEngine(() => {
  useShop();

  describe('a finished upgrade task', () => {
    it('keeps its rank when its failed devices are retried without one', async () => {
      const { taskId } = await failedTask('2.1.0', 7);
      await hub.admin.ok(otaCalls.retryOtaForFailed, { taskId });
      expect(await taskOf(hub.admin, taskId)).toMatchObject({ taskStatus: 1, taskRank: 7 });
    });
  });

  it('finds the devices of a task by their current version', async () => {
    const { versionId } = await createVersion(hub, shop, '2.5.0');
    const deviceListId = [await newDevice('1.0.0'), await newDevice('1.5.0')];
    const taskId = await addTask(hub.admin, versionId, { deviceListId });
    const found = async (versionNumber: string) =>
      (await hub.admin.ok(otaCalls.deviceOtaList, { taskId, versionNumber })).list.map(({ deviceId }) => deviceId);
    expect(await found('1.5.0')).toEqual([deviceListId[1]]);
    expect(await found('2.5.0')).toEqual([]);
  });
});

describe('on the default engine', () => {
  useShop();

  describe('a finished upgrade task', () => {
    it('cannot be restarted when its version was deleted, with that reason', async () => {
      const { taskId, versionId } = await failedTask('2.2.0');
      expect(await taskOf(hub.admin, taskId)).toMatchObject({
        versionDeleted: 0,
        allowed: ['restart', 'retry', 'delete'],
      });
      await hub.admin.ok(firmwareCalls.deleteDeviceOtaVersion, { versionIds: [versionId] });
      expect(await taskOf(hub.admin, taskId)).toMatchObject({ versionDeleted: 1, allowed: ['delete'] });
      for (const call of [otaCalls.restartDeviceOtaTask, otaCalls.retryOtaForFailed])
        expect(await hub.admin.error(call, { taskId })).toMatchObject({
          statusCode: 409,
          code: 'TASK_VERSION_DELETED',
          message: 'Firmware version 2.2.0 was deleted, the task cannot run again',
        });
      expect((await recordsOf(hub.admin, taskId)).map(({ status }) => status)).toEqual([6]);
      expect(await taskOf(hub.admin, taskId)).toMatchObject({ taskStatus: 6 });
    });
  });

  describe('a scheduled upgrade task', () => {
    it('is rejected without a start time, and nothing is stored', async () => {
      const { versionId } = await createVersion(hub, shop, '2.3.0');
      const deviceListId = [await newDevice()];
      const sent = { taskName: 'later', deviceVersionId: versionId, deviceListId, executeNow: 0 } as const;
      const refusal = { statusCode: 400, code: 'TASK_START_MISSING', details: [{ field: 'taskStart' }] };
      expect(await hub.admin.error(otaCalls.addDeviceOtaTask, sent)).toMatchObject(refusal);
      expect((await hub.admin.ok(otaCalls.queryDeviceOtaTaskList, { versionId })).total).toBe(0);
      const { taskId } = await failedTask('2.4.0');
      expect(await hub.admin.error(otaCalls.retryOtaForFailed, { taskId, executeNow: 0 })).toMatchObject(refusal);
      expect(await taskOf(hub.admin, taskId)).toMatchObject({ taskStatus: 6 });
    });
  });
});
