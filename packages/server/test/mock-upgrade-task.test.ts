import { mockCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectOnline } from './device-fixtures.ts';
import { createVersion, randomContent } from './firmware-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { addMock, createMockProducts, type MockProducts, mockDetails, startMock } from './mock-fixtures.ts';
import { addTask, expectRecords, expectTask, recordOf } from './ota-fixtures.ts';
import { expectVersion } from './upgrade-fixtures.ts';

let hub: Hub;
let products: MockProducts;
beforeAll(async () => {
  hub = await sharedHub();
  products = await createMockProducts(hub);
});
afterAll(() => hub.close());

const versionOf = (productId: string, versionNumber: string) =>
  createVersion(hub, { productId, tenancyId: products.tenancyId }, versionNumber, randomContent(200_000));

const SUCCESS: [number, number] = [5, 0];

it('upgrades a mock device of the hub, which continues with the new version', async () => {
  const deviceId = await addMock(hub, products);
  await hub.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub: 1, everySeconds: 1 });
  await expectOnline(hub, deviceId, 1);
  const { versionId } = await versionOf(products.productId, '2.0.0');
  const taskId = await addTask(hub.admin, versionId, { deviceListId: [deviceId] });
  await expectRecords(hub.admin, taskId, [deviceId], [SUCCESS]);
  await expectTask(hub.admin, taskId, 5);
  await expectVersion(hub, deviceId, '2.0.0');
  await expectOnline(hub, deviceId, 1);
  expect(await mockDetails(hub, deviceId)).toMatchObject({ runningInHub: 1, versionNumber: '2.0.0' });
});

it('upgrades a mock gateway and its child in a page, each with its own link and token', async () => {
  const deviceId = await addMock(hub, products, { children: 1 });
  const page = await startMock(hub, deviceId);
  const [, childId = ''] = page.deviceIds;
  await page.device.start();
  page.mountAll();
  for (const id of [deviceId, childId]) await expectOnline(hub, id, 1);
  const forGateway = await versionOf(products.gatewayProductId, '2.0.0');
  const forChild = await versionOf(products.childProductId, '3.0.0');
  const child = await addTask(hub.admin, forChild.versionId, { deviceListId: [childId] });
  await expectRecords(hub.admin, child, [childId], [SUCCESS]);
  const gateway = await addTask(hub.admin, forGateway.versionId, { deviceListId: [deviceId] });
  await expectRecords(hub.admin, gateway, [deviceId], [SUCCESS]);
  expect(page.upgradeOf(deviceId).versionNumber).toBe('2.0.0');
  expect(page.upgradeOf(childId).versionNumber).toBe('3.0.0');
  await page.stop();
});

it('shows the failure reported by a mock device in the task', async () => {
  const deviceId = await addMock(hub, products);
  const page = await startMock(hub, deviceId);
  page.setUpgradeFault(deviceId, 'verification');
  await page.device.start();
  await expectOnline(hub, deviceId, 1);
  const { versionId } = await versionOf(products.productId, '4.0.0');
  const taskId = await addTask(hub.admin, versionId, { deviceListId: [deviceId] });
  await expectRecords(hub.admin, taskId, [deviceId], [[6, 4]]);
  expect((await recordOf(hub.admin, taskId, deviceId)).detail).toContain('SHA-256');
  await page.stop();
});
