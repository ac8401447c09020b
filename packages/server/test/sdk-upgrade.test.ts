import { deviceCalls } from '@device-center/contract';
import { createDevice, DeviceError, type UpgradeState } from '@device-center/device-sdk';
import { describe, expect, it } from 'vitest';
import { createProductFixture, expectOnline } from './device-fixtures.ts';
import { unique } from './hub.ts';
import {
  expectStatuses,
  expectVersion,
  orderOf,
  progressOf,
  sendSystemService,
  serveBytes,
  startUpgradable,
  statusesOf,
} from './upgrade-fixtures.ts';
import { createUpgradeFixture } from './upgrade-flow-fixtures.ts';

const scene = createUpgradeFixture(300_000);
const { firmware, maker, orderTo, upgradable } = scene;

const versionOf = async (deviceId: string): Promise<string> =>
  (await scene.hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).versionNumber;

/** A server that blocks every download until it is released. */
const holdDownloads = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const serve = serveBytes(firmware);
  scene.files.serve = (request, answer) => void promise.then(() => serve(request, answer));
  return resolve;
};

describe('a device with an upgrade order', () => {
  // Spec 4.43
  it('downloads, verifies, installs, and logs in again as the new version', async () => {
    const { device, installed } = await upgradable();
    const { deviceId } = device;
    const session = device.session?.sessionId;
    const seen: UpgradeState[] = [];
    device.on('upgrade', (state) => seen.push(state));
    expect(await sendSystemService(scene.hub, deviceId, 'ota', orderTo('1.1.0'))).toBe(200);
    await expectVersion(scene.hub, deviceId, '1.1.0');
    await expectStatuses(scene.hub, deviceId, [2, 3, 4]);
    expect(installed.map((bytes) => Buffer.from(bytes).equals(firmware))).toEqual([true]);
    expect(device.versionNumber).toBe('1.1.0');
    expect(device.session?.sessionId).not.toBe(session);
    expect(seen.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1])).toEqual([
      'downloading',
      'verifying',
      'installing',
      'installed',
    ]);
    expect(scene.files.downloads()).toMatchObject([{ path: '/a-link', range: '' }]);
    expect(scene.files.downloads()[0]?.token).not.toBe('');
    await device.report({ power: true });
  });

  it('requests the key once, and not at all when it has one', async () => {
    const { device } = await upgradable();
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    await expect.poll(() => device.online).toBe(true);
    await expectOnline(scene.hub, device.deviceId, 1);
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.2.0'));
    await expectVersion(scene.hub, device.deviceId, '1.2.0');
    const keysAsked = () => scene.files.requests.filter(({ path }) => path.includes('getFirmwareKey')).length;
    expect(keysAsked()).toBe(1);
    for (const key of [maker.pem, maker.publicKey]) {
      const pinned = await upgradable({ upgrade: { key } });
      await sendSystemService(scene.hub, pinned.device.deviceId, 'ota', orderTo('1.1.0'));
      await expectVersion(scene.hub, pinned.device.deviceId, '1.1.0');
    }
    expect(keysAsked()).toBe(1);
  });

  it('to its current version reports success and does nothing else', async () => {
    const { device, installed } = await upgradable({ versionNumber: '1.1.0' });
    await scene.hub.db
      .updateTable('device')
      .set({ version_number: '' })
      .where('device_id', '=', device.deviceId)
      .execute();
    const identities: string[] = [];
    device.on('message', ({ direction, envelope }) => {
      if (direction === 'up' && envelope.type === 5) identities.push(JSON.parse(envelope.payload).versionNumber);
    });
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'))).toBe(200);
    await expect.poll(() => identities).toEqual(['1.1.0']);
    expect(installed).toEqual([]);
    expect(await statusesOf(scene.hub, device.deviceId)).toEqual([]);
  });

  it('may reject it, or leave it to its application', async () => {
    const { device, installed } = await upgradable({
      upgrade: {
        accept: ({ versionNumber }) => {
          if (versionNumber === '2.0.0') throw new DeviceError('REFUSED', 'battery low');
          return false;
        },
      },
    });
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('2.0.0'))).toBe(60_001);
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'))).toBe(200);
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', { ...orderTo('1.1.0'), size: -1 })).toBe(40_001);
    expect(scene.files.downloads()).toEqual([]);
    expect(installed).toEqual([]);
  });

  it('without the option answers that it is unsupported', async () => {
    const { productId, productSecret } = scene.shop;
    const device = createDevice({ hubUrl: scene.hub.url, productId, productSecret, deviceId: unique('lamp') });
    scene.stopAfterTest(device);
    await device.start();
    await expectOnline(scene.hub, device.deviceId, 1);
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'))).toBe(60_003);
    expect(await sendSystemService(scene.hub, device.deviceId, 'otaCancel', { deviceOtaTaskId: '1', attempt: 1 })).toBe(
      60_003,
    );
  });

  it('behind a gateway does the same over its gateway', async () => {
    const gateways = await createProductFixture(scene.hub, { nodeType: 2 });
    const sensors = await createProductFixture(scene.hub, { nodeType: 3 });
    const { device: gateway } = await startUpgradable(scene.hub, gateways, scene.files);
    scene.stopAfterTest(gateway);
    const { productId, productSecret } = sensors;
    const installed: number[] = [];
    const child = gateway.addChild({
      productId,
      productSecret,
      deviceId: unique('kid'),
      versionNumber: '1.0.0',
      upgrade: {
        install: ({ size }) => {
          installed.push(size);
          return undefined;
        },
      },
    });
    await expectOnline(scene.hub, child.deviceId, 1);
    const order = orderOf(maker, firmware, { productId, versionNumber: '1.1.0' }, scene.files.url);
    expect(await sendSystemService(scene.hub, child.deviceId, 'ota', order, gateway.deviceId)).toBe(200);
    await expectVersion(scene.hub, child.deviceId, '1.1.0');
    await expectStatuses(scene.hub, child.deviceId, [2, 3, 4]);
    expect(installed).toEqual([firmware.length]);
    expect(gateway.versionNumber).toBe('1.0.0');
    expect(await versionOf(gateway.deviceId)).toBe('1.0.0');
  });
});

describe('an installation', () => {
  // Spec 4.49
  it('that fails is reported with reason 5 and the message, and the old version keeps running', async () => {
    const { device } = await upgradable({
      upgrade: {
        install: () => {
          throw new Error('flash is worn out');
        },
      },
    });
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectStatuses(scene.hub, device.deviceId, [2, 3, 4, 6]);
    expect((await progressOf(scene.hub, device.deviceId)).at(-1)).toMatchObject({
      reason: 5,
      detail: 'flash is worn out',
    });
    expect(device.versionNumber).toBe('1.0.0');
    expect(device.online).toBe(true);
  });

  it('that fails while the hub is unavailable is reported later, also from a full queue', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { device } = await upgradable({
      queue: { max: 3 },
      backoff: { first: 1_500, max: 1_500 },
      upgrade: {
        install: async () => {
          await promise;
          throw new Error('no');
        },
      },
    });
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectStatuses(scene.hub, device.deviceId, [2, 3, 4]);
    device.dropConnection();
    await expect.poll(() => device.online, { interval: 5 }).toBe(false);
    const failed = new Promise((done) => device.on('upgrade', ({ phase }) => phase === 'failed' && done(phase)));
    resolve();
    await failed;
    // The queue holds three messages, and each new one drops the oldest.
    for (const brightness of [1, 2, 3, 4, 5, 6]) void device.report({ brightness });
    await expectStatuses(scene.hub, device.deviceId, [2, 3, 4, 6]);
    expect((await progressOf(scene.hub, device.deviceId)).at(-1)).toMatchObject({ reason: 5, detail: 'no' });
  });

  it('is not interrupted: another order and a cancel are answered BUSY', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { device } = await upgradable({ upgrade: { install: () => promise } });
    const order = orderTo('1.1.0');
    await sendSystemService(scene.hub, device.deviceId, 'ota', order);
    await expectStatuses(scene.hub, device.deviceId, [2, 3, 4]);
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.2.0'))).toBe(60_002);
    const { deviceOtaTaskId, attempt } = order;
    expect(await sendSystemService(scene.hub, device.deviceId, 'otaCancel', { deviceOtaTaskId, attempt })).toBe(60_002);
    resolve(undefined);
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
  });

  it('may report another version than the order', async () => {
    const { device } = await upgradable({ upgrade: { install: () => ({ versionNumber: '1.1.0-hotfix' }) } });
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectVersion(scene.hub, device.deviceId, '1.1.0-hotfix');
  });
});

describe('a download in progress', () => {
  it('ends with a cancel, without further reports', async () => {
    const letGo = holdDownloads();
    const { device, installed } = await upgradable();
    const phases: string[] = [];
    device.on('upgrade', ({ phase }) => phases.push(phase));
    const order = orderTo('1.1.0');
    const { deviceOtaTaskId } = order;
    await sendSystemService(scene.hub, device.deviceId, 'ota', { ...order, attempt: 2 });
    await expect.poll(() => scene.files.downloads().length).toBe(1);
    // Of another task or an earlier attempt: nothing is there to be ended.
    expect(
      await sendSystemService(scene.hub, device.deviceId, 'otaCancel', { deviceOtaTaskId: 'another', attempt: 2 }),
    ).toBe(200);
    expect(await sendSystemService(scene.hub, device.deviceId, 'otaCancel', { deviceOtaTaskId, attempt: 1 })).toBe(200);
    expect(phases).toEqual(['downloading']);
    expect(await sendSystemService(scene.hub, device.deviceId, 'otaCancel', { deviceOtaTaskId, attempt: 2 })).toBe(200);
    expect(phases).toEqual(['downloading', 'cancelled']);
    letGo();
    // The next one starts from its first byte, and is the only one that is installed.
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.2.0'));
    await expectVersion(scene.hub, device.deviceId, '1.2.0');
    expect(installed).toHaveLength(1);
    expect((await progressOf(scene.hub, device.deviceId)).filter(({ status }) => status === 6)).toEqual([]);
  });

  it('is replaced by another order, and by a newer attempt of the same one', async () => {
    const letGo = holdDownloads();
    const { device, installed } = await upgradable();
    const order = orderTo('1.2.0');
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'))).toBe(200);
    await expect.poll(() => scene.files.downloads().length).toBe(1);
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', order)).toBe(200);
    await expect.poll(() => scene.files.downloads().length).toBe(2);
    // The same attempt again is no other order.
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', order)).toBe(200);
    expect(await sendSystemService(scene.hub, device.deviceId, 'ota', { ...order, attempt: 2 })).toBe(200);
    await expect.poll(() => scene.files.downloads().length).toBe(3);
    letGo();
    await expectVersion(scene.hub, device.deviceId, '1.2.0');
    expect(installed).toHaveLength(1);
    const told = (await progressOf(scene.hub, device.deviceId)).filter(({ status }) => status > 2);
    expect(told.map(({ deviceOtaTaskId, attempt, status }) => [deviceOtaTaskId, attempt, status])).toEqual([
      [order.deviceOtaTaskId, 2, 3],
      [order.deviceOtaTaskId, 2, 4],
    ]);
  });
});
