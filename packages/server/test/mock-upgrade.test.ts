import { type MockUpgradeFault, mockCalls } from '@device-center/contract';
import { createMock, type Mock } from '@device-center/virtual-device';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectOnline } from './device-fixtures.ts';
import { addMock, createMockProducts, type MockProducts, mockDetails } from './mock-fixtures.ts';
import { expectStatuses, expectVersion, progressOf, sendSystemService, statusesOf } from './upgrade-fixtures.ts';
import { createUpgradeFixture } from './upgrade-flow-fixtures.ts';

const scene = createUpgradeFixture(400_000);
let products: MockProducts;
beforeAll(async () => {
  products = await createMockProducts(scene.hub);
});

/** As a page of the console has it, with its children mounted. */
const alive = async (deviceId: string): Promise<Mock> => {
  const mock = scene.stopAfterTest(
    createMock({
      hubUrl: scene.hub.url,
      transport: 'ws',
      details: await mockDetails(scene.hub, deviceId),
      backoff: { first: 20, max: 200 },
      fetch: scene.files.fetch,
      installMs: 50,
    }),
  );
  await mock.device.start();
  mock.mountAll();
  for (const id of mock.deviceIds) await expectOnline(scene.hub, id, 1);
  return mock;
};

const orderTo = (versionNumber: string, productId = products.productId) => scene.orderTo(versionNumber, { productId });

describe('a mock device that is upgraded', () => {
  it('downloads and verifies the file, and reconnects with the new version, also in another page', async () => {
    const deviceId = await addMock(scene.hub, products);
    const mock = await alive(deviceId);
    expect(mock.upgradeOf(deviceId)).toEqual({ fault: '', versionNumber: '1.0.0', order: null, state: null });
    const order = orderTo('1.1.0');
    expect(await sendSystemService(scene.hub, deviceId, 'ota', order)).toBe(200);
    await expectVersion(scene.hub, deviceId, '1.1.0');
    await expectStatuses(scene.hub, deviceId, [2, 3, 4]);
    expect(scene.files.downloads()).not.toEqual([]);
    expect(mock.upgradeOf(deviceId)).toMatchObject({ versionNumber: '1.1.0', order, state: { phase: 'installed' } });
    await mock.stop();
    const later = await alive(deviceId);
    expect(later.upgradeOf(deviceId).versionNumber).toBe('1.1.0');
    await expectVersion(scene.hub, deviceId, '1.1.0');
  });

  it('behind a mock gateway does so too, and keeps the version at its next login', async () => {
    const deviceId = await addMock(scene.hub, products, { children: 1 });
    const mock = await alive(deviceId);
    const [, childId = ''] = mock.deviceIds;
    expect(
      await sendSystemService(scene.hub, childId, 'ota', orderTo('2.0.0', products.childProductId), deviceId),
    ).toBe(200);
    await expectVersion(scene.hub, childId, '2.0.0');
    await mock.unmount(childId);
    mock.mount(childId);
    await expectOnline(scene.hub, childId, 1);
    await expectVersion(scene.hub, childId, '2.0.0');
    expect(mock.upgradeOf(deviceId).versionNumber).toBe('1.0.0');
  });

  it.each<[MockUpgradeFault, number, number[], number | undefined]>([
    ['refuse', 60_001, [], undefined],
    ['busy', 60_002, [], undefined],
    ['download', 200, [2, 6], 3],
    ['verification', 200, [2, 3, 6], 4],
    ['install', 200, [2, 3, 4, 6], 5],
  ])('fails by %s: answers %d and reports %j with reason %s', async (fault, code, statuses, reason) => {
    const deviceId = await addMock(scene.hub, products);
    const mock = await alive(deviceId);
    mock.setUpgradeFault(deviceId, fault);
    const order = orderTo('1.1.0');
    expect(await sendSystemService(scene.hub, deviceId, 'ota', order)).toBe(code);
    await expectStatuses(scene.hub, deviceId, statuses);
    expect((await progressOf(scene.hub, deviceId)).at(-1)?.reason).toBe(reason);
    expect(mock.upgradeOf(deviceId)).toMatchObject({ fault, versionNumber: '1.0.0', order });
    // Nothing is left of it: without the fault the next one succeeds.
    mock.setUpgradeFault(deviceId, '');
    expect(await sendSystemService(scene.hub, deviceId, 'ota', { ...order, attempt: 2 })).toBe(200);
    await expectVersion(scene.hub, deviceId, '1.1.0');
  });

  it('is silent on demand: it answers, and nothing follows', async () => {
    const deviceId = await addMock(scene.hub, products);
    const mock = await alive(deviceId);
    mock.setUpgradeFault(deviceId, 'silent');
    const before = scene.files.downloads().length;
    expect(await sendSystemService(scene.hub, deviceId, 'ota', orderTo('1.1.0'))).toBe(200);
    await mock.send({ deviceId, kind: 'property', name: '', value: { power: true } });
    expect(await statusesOf(scene.hub, deviceId)).toEqual([]);
    expect(scene.files.downloads()).toHaveLength(before);
    expect(mock.device.online).toBe(true);
  });

  it('disconnects on demand: it answers, disconnects, and stays offline', async () => {
    const deviceId = await addMock(scene.hub, products);
    const mock = await alive(deviceId);
    mock.setUpgradeFault(deviceId, 'offline');
    const left = new Promise((resolve) => mock.on('left', resolve));
    expect(await sendSystemService(scene.hub, deviceId, 'ota', orderTo('1.1.0'))).toBe(200);
    expect(await left).toEqual({ deviceId });
    await expectOnline(scene.hub, deviceId, 2);
    expect(mock.device.online).toBe(false);
    expect(await statusesOf(scene.hub, deviceId)).toEqual([]);
  });

  it('is slow on demand, so that the upgrade can be cancelled', async () => {
    const deviceId = await addMock(scene.hub, products);
    const mock = await alive(deviceId);
    mock.setUpgradeFault(deviceId, 'slow');
    const order = orderTo('1.1.0');
    const { deviceOtaTaskId, attempt } = order;
    expect(await sendSystemService(scene.hub, deviceId, 'ota', order)).toBe(200);
    await expectStatuses(scene.hub, deviceId, [2]);
    expect(await sendSystemService(scene.hub, deviceId, 'otaCancel', { deviceOtaTaskId, attempt })).toBe(200);
    expect(mock.upgradeOf(deviceId).state?.phase).toBe('cancelled');
    expect(await statusesOf(scene.hub, deviceId)).toEqual([2]);
  });
});

describe('a mock device that the hub runs', () => {
  const runInHub = async (fault: MockUpgradeFault, versionNumber: string): Promise<string> => {
    const deviceId = await addMock(scene.hub, products);
    const row = { upgrade_fault: fault };
    await scene.hub.db.updateTable('mock_device').set(row).where('device_id', '=', deviceId).execute();
    const device = { version_number: versionNumber };
    await scene.hub.db.updateTable('device').set(device).where('device_id', '=', deviceId).execute();
    await scene.hub.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub: 1, everySeconds: 3_600 });
    await expectOnline(scene.hub, deviceId, 1);
    return deviceId;
  };

  it('runs the version of its row, and fails as configured', async () => {
    const deviceId = await runInHub('refuse', '3.2.1');
    await expectVersion(scene.hub, deviceId, '3.2.1');
    expect(await mockDetails(scene.hub, deviceId)).toMatchObject({ versionNumber: '3.2.1', upgradeFault: 'refuse' });
    expect(await sendSystemService(scene.hub, deviceId, 'ota', orderTo('4.0.0'))).toBe(60_001);
  });

  it('answers success for the version that it already runs', async () => {
    const deviceId = await runInHub('', '3.2.1');
    expect(await sendSystemService(scene.hub, deviceId, 'ota', orderTo('3.2.1'))).toBe(200);
    await expectVersion(scene.hub, deviceId, '3.2.1');
  });
});
