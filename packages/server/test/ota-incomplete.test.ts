import { otaCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { createVersion } from './firmware-fixtures.ts';
import { type InProcessHub, startHub } from './in-process-hub.ts';
import { addTask } from './ota-fixtures.ts';

describeOnEachEngine(() => {
  let hub: InProcessHub;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());

  // Spec 7.99
  it('ignores a task that was incomplete when the hub was killed, and releases its devices', async () => {
    const shop = await createProductFixture(hub);
    const { versionId } = await createVersion(hub, shop, '2.0.0');
    const { productId, applicationId } = shop;
    const deviceListId = [await hub.create.device({ productId, applicationId })];
    const taskStart = Date.now() + 3_600_000;
    const taskId = await addTask(hub.admin, versionId, { deviceListId, executeNow: 0, taskStart });
    // The rows of a task without the last part.
    await hub.db.updateTable('ota_task').set({ complete: 0, created_at: 1 }).where('task_id', '=', taskId).execute();
    expect((await hub.admin.ok(otaCalls.queryDeviceOtaTaskList, { taskId })).total).toBe(0);
    expect((await hub.admin.error(otaCalls.startOtaTaskStatus, { taskId })).code).toBe('TASK_NOT_FOUND');
    const again = { taskName: 'again', deviceVersionId: versionId, deviceListId };
    expect((await hub.admin.call(otaCalls.addDeviceOtaTask, again)).success).toBe(false);
    await hub.process.stop();
    hub = await hub.start();
    await hub.process.runJob('sweep upgrade tasks');
    await hub.admin.ok(otaCalls.addDeviceOtaTask, again);
  });
});
