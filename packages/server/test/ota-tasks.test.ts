import { controlCalls, deviceCalls, homeCalls, otaCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import { createVersion } from './firmware-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import {
  addTask,
  expectRecords,
  expectTask,
  expireDeadline,
  type FleetMember,
  notificationsOf,
  OLD,
  recordOf,
  recordsOf,
  startFleet,
  startMember,
  taskOf,
} from './ota-fixtures.ts';

// On SQLite, random sequences in ota-model.test.ts cover the life of a task.
describeOnOneEngine('postgres', () => {
  const TARGET = '2.0.0';

  let hub: Hub;
  const fleets: FleetMember[] = [];

  beforeAll(async () => {
    hub = await sharedHub();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(fleets.map(({ device }) => device.stop()));
    await hub.close();
  });

  const runFleet = async (...faults: FleetMember['fault']['now'][]) => {
    const shop = await createProductFixture(hub);
    const version = await createVersion(hub, shop, TARGET);
    const fleet = await startFleet(hub, shop, faults);
    fleets.push(...fleet);
    // Presence is written a moment after the device knows of it.
    await Promise.all(fleet.map(({ deviceId }) => expectOnline(hub, deviceId, 1)));
    return { shop, version, fleet, ids: fleet.map(({ deviceId }) => deviceId) };
  };

  describe('an upgrade task', () => {
    // Spec 1.13, 4.33, 4.35, 4.41, 4.43-4.45, 4.47-4.50, 7.100, 7.104, 8.30-8.33
    it('ends with the result of each device, and retries only the failed ones', async () => {
      const { version, fleet, ids } = await runFleet('', 'download', 'verification', 'install', 'refuse', 'silent', '');
      const taskId = await addTask(hub.admin, version.versionId, { deviceListId: ids });
      await expectRecords(hub.admin, taskId, ids, [
        [5, 0],
        [6, 3],
        [6, 4],
        [6, 5],
        [6, 5],
        [1, 0],
        [5, 0],
      ]);
      await expectTask(hub.admin, taskId, 2);
      await expireDeadline(hub, taskId, ids[5] ?? '');
      await expectTask(hub.admin, taskId, 7);
      const over = await taskOf(hub.admin, taskId);
      expect(over).toMatchObject({
        completion: 100,
        result: 3,
        deviceCount: 7,
        allowed: ['restart', 'retry', 'delete'],
      });
      expect(over.tally).toMatchObject({ 5: 2, 6: 5 });
      expect(over.failures).toContainEqual({ reason: 1, devices: 1 });
      const attention = await hub.admin.ok(homeCalls.getAttentionList, {});
      expect(attention.find(({ kind }) => kind === 'failedUpgrades')?.count).toBeGreaterThanOrEqual(5);
      const details = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: ids[0] ?? '' });
      expect(details.versionNumber).toBe(TARGET);

      for (const member of fleet) member.fault.now = '';
      const refusal = await hub.admin.error(otaCalls.retryOtaForFailed, { taskId, deviceListId: [ids[0] ?? ''] });
      expect([refusal.statusCode, refusal.code]).toEqual([409, 'UPGRADE_NOT_FAILED']);
      await hub.admin.ok(otaCalls.retryOtaForFailed, { taskId, taskRank: 2 });
      await expectTask(hub.admin, taskId, 5);
      const records = await recordsOf(hub.admin, taskId);
      expect(records.map(({ deviceId, attempt }) => [deviceId, attempt])).toEqual(
        expect.arrayContaining([ids[0], ids[1]].map((deviceId, index) => [deviceId, index + 1])),
      );
      expect(fleet.map(({ installed }) => installed)).toEqual(ids.map(() => [TARGET]));
      const told = await notificationsOf(hub, ids);
      expect(new Set(told).size).toBe(told.length);
    }, 120_000);

    // Spec 7.101, 8.21
    it('by condition targets the devices with the versions, of the given application', async () => {
      const { shop, version, ids } = await runFleet('', '');
      const elsewhere = await hub.create.application(shop.tenancyId);
      await hub.admin.ok(controlCalls.configApplication, { deviceId: ids[1] ?? '', applicationId: elsewhere });
      const input = { deviceVersionId: version.versionId, versionNumber: [OLD], appId: shop.applicationId };
      const preview = await hub.admin.ok(otaCalls.previewDeviceOtaTask, input, { as: 'json' });
      expect(preview).toMatchObject({ total: 1, online: 1, already: 0, newer: 0, held: 0 });
      expect(preview.devices.list.map(({ deviceId }) => deviceId)).toEqual([ids[0]]);
      const taskId = await addTask(hub.admin, version.versionId, { versionNumber: [OLD], appId: shop.applicationId });
      await expectTask(hub.admin, taskId, 5);
      const none = await hub.admin.error(otaCalls.addDeviceOtaTask, {
        taskName: 'none',
        ...input,
        versionNumber: ['9.9'],
      });
      expect([none.statusCode, none.message]).toEqual([400, 'Please add devices before submitting']);
      const both = await hub.admin.error(otaCalls.addDeviceOtaTask, {
        taskName: 'both',
        ...input,
        deviceListId: ids,
      });
      expect(both.code).toBe('CONDITION_AMBIGUOUS');
    }, 60_000);

    // Spec 4.29
    it('waits for an offline device, and notifies it when it connects', async () => {
      const { version, fleet, ids } = await runFleet('');
      const [member] = fleet;
      await member?.device.stop();
      await expectOnline(hub, ids[0] ?? '', 2);
      const taskId = await addTask(hub.admin, version.versionId, { deviceListId: ids });
      await expectTask(hub.admin, taskId, 1);
      await member?.device.start();
      await expectTask(hub.admin, taskId, 5);
    }, 60_000);

    // Spec 4.30, 4.31, 4.38, 7.102, 7.109
    it('is paused and resumed, without effect on devices in progress', async () => {
      const { version, fleet, ids } = await runFleet('slow', '', '');
      const taskId = await addTask(hub.admin, version.versionId, { deviceListId: ids, perMinute: 1 });
      await expectTask(hub.admin, taskId, 2);
      await hub.admin.ok(otaCalls.suspendOtaTaskStatus, { taskId });
      const paused = await taskOf(hub.admin, taskId);
      expect(paused.allowed).toEqual(['start', 'cancel']);
      const refusal = await hub.admin.error(otaCalls.suspendOtaTaskStatus, { taskId });
      expect([refusal.statusCode, refusal.message]).toEqual([
        409,
        'The task is paused; allowed actions: start, cancel',
      ]);
      const told = (await recordsOf(hub.admin, taskId)).find(({ attempt }) => attempt > 0);
      await expectRecords(hub.admin, taskId, [told?.deviceId ?? ''], [[5, 0]]);
      expect((await taskOf(hub.admin, taskId)).tally[0]).toBe(2);
      for (const member of fleet) member.fault.now = '';
      await hub.db.updateTable('ota_task').set({ per_minute: 0 }).where('task_id', '=', taskId).execute();
      await hub.admin.ok(otaCalls.updateDeviceOtaTaskStatus, { taskId, taskStatus: 1 });
      await expectTask(hub.admin, taskId, 5);
      const log = await hub.admin.ok(otaCalls.getDeviceOtaTaskLog, { taskId, pageSize: 50 });
      expect(log.list.map(({ action }) => action).reverse()).toEqual([
        'create',
        'firstNotified',
        'suspend',
        'start',
        'firstNotified',
        'allDone',
      ]);
      expect(log.list.find(({ action }) => action === 'suspend')?.username).toBe('admin');
    }, 90_000);

    // Spec 4.34, 4.46, 4.51, 8.14
    it('of a higher rank takes over devices; one of the same or a lower rank is rejected', async () => {
      const { version, shop, ids, fleet } = await runFleet('slow', 'slow');
      const [other = ''] = ids;
      const low = await addTask(hub.admin, version.versionId, { deviceListId: ids, taskRank: 5, perMinute: 1 });
      await expectTask(hub.admin, low, 2);
      const next = await createVersion(hub, shop, '3.0.0');
      for (const taskRank of [5, 4]) {
        const sent = { taskName: 'late', deviceVersionId: next.versionId, deviceListId: [other], taskRank };
        const refusal = await hub.admin.error(otaCalls.addDeviceOtaTask, sent);
        expect([refusal.statusCode, refusal.message]).toEqual([
          409,
          'Create failed, a task in progress cannot be created',
        ]);
      }
      for (const member of fleet) member.fault.now = '';
      const high = await addTask(hub.admin, next.versionId, { deviceListId: ids, taskRank: 6 });
      await expectRecords(hub.admin, low, ids, [
        [6, 2],
        [6, 2],
      ]);
      await expectTask(hub.admin, low, 6);
      await expectTask(hub.admin, high, 5);
    }, 90_000);

    // Spec 4.32, 4.39, 4.42, 7.103, 7.107
    it('releases a device that is deleted or leaves its application', async () => {
      const { version, shop, ids, fleet } = await runFleet('', '', '');
      await Promise.all(fleet.map(({ device }) => device.stop()));
      for (const deviceId of ids) await expectOnline(hub, deviceId, 2);
      const taskId = await addTask(hub.admin, version.versionId, { deviceListId: ids, appId: shop.applicationId });
      await hub.admin.ok(deviceCalls.deleteDevices, { deviceIds: [ids[0] ?? ''] });
      const elsewhere = await hub.create.application(shop.tenancyId);
      await hub.admin.ok(controlCalls.configApplication, { deviceId: ids[1] ?? '', applicationId: elsewhere });
      await expectRecords(hub.admin, taskId, ids, [
        [7, 0],
        [7, 0],
        [0, 0],
      ]);
      await hub.admin.ok(otaCalls.cancelOtaTask, { taskId });
      await expectRecords(hub.admin, taskId, ids, [
        [7, 0],
        [7, 0],
        [7, 0],
      ]);
      expect((await taskOf(hub.admin, taskId)).taskStatus).toBe(4);
      await hub.admin.ok(otaCalls.deleteDeviceOtaTask, { taskIds: [taskId] });
      expect((await hub.admin.error(otaCalls.getDeviceOtaTaskDetails, { taskId })).code).toBe('TASK_NOT_FOUND');
    }, 60_000);

    // Spec 4.31, 4.37, 7.108
    it('runs stage by stage, and pauses at the failure threshold within a stage', async () => {
      const { version, ids, fleet } = await runFleet('install', 'install', 'install', 'install', '', '', '', '');
      const rollout = { stages: [25, 100], stopPercent: 50, stopAfter: 2 };
      for (const member of fleet) member.fault.now = 'install';
      const taskId = await addTask(hub.admin, version.versionId, { deviceListId: ids, ...rollout });
      await expectTask(hub.admin, taskId, 3);
      const stopped = await taskOf(hub.admin, taskId);
      expect(stopped).toMatchObject({ stopReason: 'threshold', stage: 1 });
      expect(stopped.tally).toMatchObject({ 0: 6, 6: 2 });
      expect(stopped.stageTallies).toEqual([{ stage: 1, told: 2, success: 0, failed: 2, undone: 0 }]);
      for (const member of fleet) member.fault.now = '';
      await hub.admin.ok(otaCalls.startOtaTaskStatus, { taskId });
      await expectTask(hub.admin, taskId, 7);
      expect((await taskOf(hub.admin, taskId)).stageTallies.map(({ told }) => told)).toEqual([2, 6]);
    }, 90_000);

    it('retries a failed device by itself, up to its limit', async () => {
      const { version, ids, fleet } = await runFleet('download');
      const taskId = await addTask(hub.admin, version.versionId, { deviceListId: ids, retries: 1 });
      await expectRecords(hub.admin, taskId, ids, [[0, 3]]);
      const waiting = await recordOf(hub.admin, taskId, ids[0] ?? '');
      expect(Date.parse(waiting.dueTime)).toBeGreaterThan(Date.now());
      for (const member of fleet) member.fault.now = '';
      await expectTask(hub.admin, taskId, 5);
      expect((await recordOf(hub.admin, taskId, ids[0] ?? '')).attempt).toBe(2);
    }, 60_000);

    // Spec 4.36, 7.101
    it('with polling starts a run on schedule, and waits for the next', async () => {
      const { version, ids, fleet } = await runFleet('', '');
      await fleet[1]?.device.stop();
      await expectOnline(hub, ids[1] ?? '', 2);
      const taskId = await addTask(hub.admin, version.versionId, {
        versionNumber: [OLD],
        taskType: 2,
        cron: '0 4 * * *',
        timezone: 'Asia/Shanghai',
      });
      await expectTask(hub.admin, taskId, 8);
      const waiting = await taskOf(hub.admin, taskId);
      expect(waiting.tally).toMatchObject({ 0: 1, 5: 1 });
      expect(new Date(waiting.nextTime).getUTCHours()).toBe(20);
      await fleet[1]?.device.start();
      expect((await taskOf(hub.admin, taskId)).taskStatus).toBe(8);
      // The time has come.
      await hub.db.updateTable('ota_task').set({ next_at: 1 }).where('task_id', '=', taskId).execute();
      await expectRecords(hub.admin, taskId, ids, [
        [5, 0],
        [5, 0],
      ]);
      await expectTask(hub.admin, taskId, 8);
      expect((await taskOf(hub.admin, taskId)).runs).toBe(2);
      const bad = { taskName: 'bad', deviceVersionId: version.versionId, deviceListId: ids, taskType: 2 as const };
      const codeOf = async (cron: string) => (await hub.admin.error(otaCalls.addDeviceOtaTask, { ...bad, cron })).code;
      expect(await codeOf('now and then')).toBe('CRON_INVALID');
      expect(await codeOf('0 0 31 2 *')).toBe('CRON_NEVER');
    }, 90_000);

    it('is rehearsed on mock devices with the given faults', async () => {
      const { version } = await runFleet();
      const { taskId, deviceCount } = await hub.admin.ok(otaCalls.rehearseDeviceOtaTask, {
        taskName: 'rehearsal',
        deviceVersionId: version.versionId,
        devices: 4,
        verification: 1,
        install: 1,
      });
      expect(deviceCount).toBe(4);
      await expectTask(hub.admin, taskId, 7);
      const over = await taskOf(hub.admin, taskId);
      expect(over).toMatchObject({ rehearsal: 1 });
      expect(over.tally).toMatchObject({ 5: 2, 6: 2 });
      await hub.admin.ok(otaCalls.deleteDeviceOtaTask, { taskIds: [taskId] });
      const left = async () => (await hub.admin.ok(deviceCalls.queryDeviceList, { deviceName: 'rehearsal-' })).total;
      await expect.poll(left, { timeout: 30_000 }).toBe(0);
    }, 120_000);
  });

  it('upgrades a child through its gateway', async () => {
    const gateways: ProductFixture = await createProductFixture(hub, { nodeType: 2 });
    const children = await createProductFixture(hub, { nodeType: 3 });
    const version = await createVersion(hub, children, TARGET);
    const gateway = await startMember(hub, gateways);
    fleets.push(gateway);
    const child = gateway.device.addChild({
      productId: children.productId,
      deviceId: `${gateway.deviceId}-child`,
      productSecret: children.productSecret,
      versionNumber: OLD,
      upgrade: { install: () => undefined },
    });
    await expectOnline(hub, child.deviceId, 1);
    const taskId = await addTask(hub.admin, version.versionId, { deviceListId: [child.deviceId] });
    await expectTask(hub.admin, taskId, 5);
  }, 60_000);
});
