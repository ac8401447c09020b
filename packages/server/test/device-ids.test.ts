import { deviceCalls, otaCalls, syncDeliveryCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { releaseDeviceId } from './device-ids-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { createVersion } from './firmware-fixtures.ts';
import { type TestUser, unique } from './hub.ts';
import { type InProcessHub, sharedHub } from './in-process-hub.ts';
import { addTask, expectTask, notificationsOf, OLD, recordsOf } from './ota-fixtures.ts';
import { loginFields, type RawDevice, tryLogin } from './raw-device.ts';
import { expectEvents, openStartedStream } from './stream-fixtures.ts';
import { createReceiver } from './sync-fixtures.ts';

type Tenant = { fixture: ProductFixture; user: TestUser };

let hub: InProcessHub;
let former: Tenant;
let next: Tenant;

const createTenant = async (): Promise<Tenant> => {
  const tenancyId = await hub.create.tenancy();
  const user = await hub.create.user({ tenancyId, menus: [501, 601, 602] });
  return { fixture: await createProductFixture(hub, {}, tenancyId), user };
};

const useTenants = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    [former, next] = [await createTenant(), await createTenant()];
  });
};

const register = ({ fixture: { productId, applicationId }, user }: Tenant, deviceId: string) =>
  user.call(deviceCalls.addDevice, { productId, applicationId, deviceId });
const connect = ({ fixture }: Tenant, deviceId?: string): Promise<RawDevice> =>
  connectNewDevice(hub, fixture, { before: { versionNumber: OLD } }, deviceId);
const remove = ({ user }: Tenant, deviceId: string) => user.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });

/** How a task ends and is restarted, and its state afterwards. */
type Way = [string, { polling: boolean; fails: boolean }, (taskId: string) => Promise<unknown>];
const restarted: Way = [
  'restarted',
  { polling: false, fails: false },
  (taskId) => former.user.ok(otaCalls.restartDeviceOtaTask, { taskId }),
];
const otherWays: Way[] = [
  [
    'retried',
    { polling: false, fails: true },
    (taskId) => former.user.ok(otaCalls.retryOtaForFailed, { taskId, taskRank: 10, executeNow: 1 }),
  ],
  [
    'started at its next time',
    { polling: true, fails: true },
    (taskId) => former.user.ok(otaCalls.startOtaTaskStatus, { taskId }),
  ],
];

const reachesNobody = (ways: Way[]): void => {
  it.each(ways)('does not reach the new device with the id: %s', async (_how, { polling, fails }, begin) => {
    const version = await createVersion(hub, former.fixture);
    const device = await connect(former);
    const { deviceId } = device;
    await expectOnline(hub, deviceId, 1);
    const cron = { taskType: 2, cron: '0 0 1 1 *', taskEnd: Date.now() + 400 * 86_400_000 } as const;
    const taskId = await addTask(former.user, version.versionId, {
      deviceListId: [deviceId],
      taskRank: 10,
      ...(polling ? cron : {}),
    });
    const order = await device.next(({ type }) => type === 4);
    if (fails) {
      await device.respond(order, 50000, {});
      await expectTask(former.user, taskId, polling ? 8 : 6);
    } else await former.user.ok(otaCalls.cancelOtaTask, { taskId });
    await remove(former, deviceId);
    await releaseDeviceId(hub, deviceId);

    const other = await connect(next, deviceId);
    await expectOnline(hub, deviceId, 1);
    const seen = { deviceId, deviceName: '', online: 2, versionNumber: '' };
    expect(await recordsOf(former.user, taskId)).toMatchObject([seen]);
    await begin(taskId);
    await expectTask(former.user, taskId, 7);
    expect(await recordsOf(former.user, taskId)).toMatchObject([{ ...seen, status: 7 }]);
    expect(await notificationsOf(hub, [deviceId])).toEqual([]);
    await other.end();
  });
};

describeOnEachEngine(() => {
  useTenants();

  describe('the id of a device that was just deleted', () => {
    it('is rejected for other tenants until the last records are gone, and free for its own', async () => {
      const deviceId = unique('id');
      await register(former, deviceId);
      await remove(former, deviceId);
      const { productId, applicationId, productSecret } = next.fixture;
      expect(await register(next, deviceId)).toMatchObject({ success: false, code: 'DEVICE_ID_TAKEN' });
      const devices = [{ deviceId }, { deviceId: unique('free') }];
      const sheet = { productId, applicationId, devices };
      const { registered, refused } = await next.user.ok(deviceCalls.registerDevices, sheet, { as: 'json' });
      expect([registered.length, refused.map(({ index }) => index)]).toEqual([1, [0]]);
      const login = await tryLogin(hub.url, loginFields({ productId, deviceId, secret: productSecret }));
      expect(login).toMatchObject({ code: 'AWAY', statusCode: 503 });
      const landing = await createReceiver(hub);
      const content = { productId: await hub.create.product(landing.tenancyId), deviceName: 'x', mac: '' };
      const rest = { versionNumber: '', parentId: '', values: [] };
      const item = { kind: 'device', id: deviceId, origin: 'elsewhere', revision: 1, content: { ...content, ...rest } };
      for (const preview of [1, 0] as const) {
        const delivery = { preview, items: [item as never] };
        const { results } = await createClient(hub.url, landing.key).ok(syncDeliveryCalls.deliverSync, delivery, {
          as: 'json',
        });
        expect(results[0]).toMatchObject({ result: 'refused', code: 'deviceIdTaken' });
      }
      expect((await hub.admin.error(deviceCalls.getDeviceDetails, { deviceId })).code).toBe('DEVICE_NOT_FOUND');

      expect(await register(former, deviceId)).toMatchObject({ success: true });
      await remove(former, deviceId);
      await releaseDeviceId(hub, deviceId);
      expect(await register(next, deviceId)).toMatchObject({ success: true });
    });
  });

  describe('an upgrade task whose device was deleted', () => {
    reachesNobody([restarted]);

    it('does not block the new device with the id, and is not shown for it', async () => {
      const version = await createVersion(hub, former.fixture);
      const deviceId = unique('held');
      await register(former, deviceId);
      const taskStart = Date.now() + 3_600_000;
      const later = { deviceListId: [deviceId], taskRank: 10, executeNow: 0 as const, taskStart };
      const taskId = await addTask(former.user, version.versionId, later);
      await remove(former, deviceId);
      await releaseDeviceId(hub, deviceId);
      await register(next, deviceId);
      const own = await createVersion(hub, next.fixture);
      const input = { deviceVersionId: own.versionId, deviceListId: [deviceId], taskRank: 1 };
      const preview = await next.user.ok(otaCalls.previewDeviceOtaTask, { ...input, executeNow: 1 }, { as: 'json' });
      expect(preview).toMatchObject({ total: 1, held: 0, heldBy: [], takenOver: 0 });
      await addTask(next.user, own.versionId, { deviceListId: [deviceId], taskRank: 1 });
      expect(await recordsOf(former.user, taskId)).toMatchObject([{ status: 7, deviceName: '' }]);
    });
  });
});

describe('on the default engine', () => {
  useTenants();

  describe('an upgrade task whose device was deleted', () => reachesNobody(otherWays));

  describe('a live stream', () => {
    it('of a device ends when the device is deleted', async () => {
      const { deviceId } = await connect(former);
      const stream = await openStartedStream(hub.url, former.user.token, { deviceId });
      await remove(former, deviceId);
      await stream.ended;
      expect(stream.events().filter(({ event }) => event === 'message')).toEqual([]);
    });

    it('of a fleet names no device of another tenant after a rejected login', async () => {
      const { deviceId } = await connect(next);
      const stream = await openStartedStream(hub.url, former.user.token, {});
      const { productId } = former.fixture;
      await tryLogin(hub.url, loginFields({ productId, deviceId, secret: 'guessed' }));
      await expectEvents(stream).toMatchObject([
        ['presence', { deviceId, deviceName: '', productName: '', status: 3, online: 2 }],
      ]);
      stream.leave();
    });
  });
});
