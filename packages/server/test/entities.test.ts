import {
  applicationCalls,
  categoryCalls,
  controlCalls,
  deviceCalls,
  firmwareCalls,
  mockCalls,
  modelCalls,
  otaCalls,
  productCalls,
  recordCalls,
  roleCalls,
  syncCalls,
  tenancyCalls,
  userCalls,
  zoneCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertRecords } from './device-records.ts';
import { type EntityName, entities } from './entities.ts';
import { createVersion } from './firmware-fixtures.ts';
import { threeFunctions } from './functions.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { addMock, createMockProducts } from './mock-fixtures.ts';
import { addTask } from './ota-fixtures.ts';
import { addOuterZone } from './sync-fixtures.ts';
import { innerNode, zoneFields } from './zone-fixtures.ts';

let hub: Hub;
let reads: Record<EntityName, () => Promise<unknown>>;

const only = async (listed: Promise<{ list: readonly unknown[] } | readonly unknown[]>): Promise<unknown> => {
  const found = await listed;
  return 'list' in found ? found.list[0] : found[0];
};

beforeAll(async () => {
  hub = await sharedHub();
  const { admin, create } = hub;
  const tenancyId = await create.tenancy();
  const applicationId = await create.application(tenancyId);
  const user = await create.user({ tenancyId });
  const categoryId = await create.category(tenancyId);
  const functions = threeFunctions();
  await admin.ok(categoryCalls.addOpenFunctions, { categoryId, functions }, { as: 'json' });
  const productId = await create.product(tenancyId, { categoryId });
  const deviceId = await create.device({ productId, applicationId });
  await insertRecords(hub, { tenancyId, productId, deviceId });
  const { versionId } = await createVersion(hub, { productId, tenancyId }, '2.0.0');
  const taskId = await addTask(admin, versionId, { deviceListId: [deviceId], executeNow: 1 });
  const blackId = await create.device({ productId, applicationId });
  await admin.ok(controlCalls.markBlack, { idList: [blackId], op: 1, reason: 'lost' });
  const inner = await admin.ok(zoneCalls.addZone, zoneFields({ nodes: JSON.stringify([innerNode()]) }) as never);
  const outerId = await addOuterZone(hub, { bucketUrl: 'https://other.invalid' });
  const mockId = await addMock(hub, await createMockProducts(hub, tenancyId), { children: 1 });

  const zone = (id: number) => admin.ok(zoneCalls.getZoneDetail, { id });
  const node = async (id: number) => (await zone(id)).nodes[0];
  reads = {
    tenant: () => admin.ok(tenancyCalls.getTenancyDetails, { tenancyId }),
    application: () => admin.ok(applicationCalls.getApplicationDetails, { applicationId }),
    role: () => admin.ok(roleCalls.getRoleDetails, { roleId: user.roleId }),
    user: () => admin.ok(userCalls.getUserDetails, { userId: user.userId }),
    category: () => admin.ok(categoryCalls.getCategoryDetails, { categoryId }),
    'open function': () => only(admin.ok(categoryCalls.getOpenFunctions, { categoryId })),
    product: () => admin.ok(productCalls.getDeviceProductDetails, { productId }),
    'product function': () => only(admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId })),
    device: () => admin.ok(deviceCalls.getDeviceDetails, { deviceId }),
    'device log': () => only(admin.ok(recordCalls.queryDeviceLogList, { deviceId })),
    'connect record': () => only(admin.ok(recordCalls.deviceConnectRecord, { deviceId })),
    'message record': () => only(admin.ok(recordCalls.deviceMessageRecord, { deviceId })),
    'blacklist entry': () => only(admin.ok(controlCalls.blackList, { deviceId: blackId })),
    'OTA version': () => admin.ok(firmwareCalls.getDeviceOtaVersionDetails, { versionId }),
    'OTA task': () => only(admin.ok(otaCalls.queryDeviceOtaTaskList, { taskId })),
    'device OTA record': () => only(admin.ok(otaCalls.deviceOtaList, { taskId })),
    'availability zone': () => zone(inner.id),
    'inner node': () => node(inner.id),
    'outer node': () => node(outerId),
    'sync record': () => only(admin.ok(syncCalls.querySyncRecordList, { zoneId: outerId, dataType: 1 })),
    'sync counts': () => only(admin.ok(syncCalls.querySyncRecordCount, {})),
    'mock device': () => admin.ok(mockCalls.getMockDeviceDetails, { deviceId: mockId }),
  };
});
afterAll(() => hub.close());

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return value === null ? 'nothing' : typeof value;
};

// Spec 3.1-3.38, 3.49-3.122, 3.124-3.143, 3.147-3.157, 3.159-3.166
it.each(Object.keys(entities) as EntityName[])('answers every field of a %s, each of its type', async (name) => {
  await expect.poll(() => reads[name](), { timeout: 20_000 }).toBeTruthy();
  const fields = (await reads[name]()) as Record<string, unknown>;
  const kinds = Object.fromEntries(Object.keys(entities[name]).map((field) => [field, kindOf(fields[field])]));
  expect(kinds).toEqual(entities[name]);
});
