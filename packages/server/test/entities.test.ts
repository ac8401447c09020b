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
import { makeVersion } from './firmware-fixtures.ts';
import { threeFunctions } from './functions.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { makeMock, mockPlace } from './mock-fixtures.ts';
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
  const { admin, has } = hub;
  const tenancyId = await has.tenancy();
  const applicationId = await has.application(tenancyId);
  const user = await has.user({ tenancyId });
  const categoryId = await has.category(tenancyId);
  const functions = threeFunctions();
  await admin.get(categoryCalls.addOpenFunctions, { categoryId, functions }, { as: 'json' });
  const productId = await has.product(tenancyId, { categoryId });
  const deviceId = await has.device({ productId, applicationId });
  await insertRecords(hub, { tenancyId, productId, deviceId });
  const { versionId } = await makeVersion(hub, { productId, tenancyId }, '2.0.0');
  const taskId = await addTask(admin, versionId, { deviceListId: [deviceId], executeNow: 1 });
  const blackId = await has.device({ productId, applicationId });
  await admin.get(controlCalls.markBlack, { idList: [blackId], op: 1, reason: 'lost' });
  const inner = await admin.get(zoneCalls.addZone, zoneFields({ nodes: JSON.stringify([innerNode()]) }) as never);
  const outerId = await addOuterZone(hub, { bucketUrl: 'https://other.invalid' });
  const mockId = await makeMock(hub, await mockPlace(hub, tenancyId), { children: 1 });

  const zone = (id: number) => admin.get(zoneCalls.getZoneDetail, { id });
  const node = async (id: number) => (await zone(id)).nodes[0];
  reads = {
    tenant: () => admin.get(tenancyCalls.getTenancyDetails, { tenancyId }),
    application: () => admin.get(applicationCalls.getApplicationDetails, { applicationId }),
    role: () => admin.get(roleCalls.getRoleDetails, { roleId: user.roleId }),
    user: () => admin.get(userCalls.getUserDetails, { userId: user.userId }),
    category: () => admin.get(categoryCalls.getCategoryDetails, { categoryId }),
    'open function': () => only(admin.get(categoryCalls.getOpenFunctions, { categoryId })),
    product: () => admin.get(productCalls.getDeviceProductDetails, { productId }),
    'product function': () => only(admin.get(modelCalls.getDeviceFunctionDefinitionList, { productId })),
    device: () => admin.get(deviceCalls.getDeviceDetails, { deviceId }),
    'device log': () => only(admin.get(recordCalls.queryDeviceLogList, { deviceId })),
    'connect record': () => only(admin.get(recordCalls.deviceConnectRecord, { deviceId })),
    'message record': () => only(admin.get(recordCalls.deviceMessageRecord, { deviceId })),
    'blacklist entry': () => only(admin.get(controlCalls.blackList, { deviceId: blackId })),
    'OTA version': () => admin.get(firmwareCalls.getDeviceOtaVersionDetails, { versionId }),
    'OTA task': () => only(admin.get(otaCalls.queryDeviceOtaTaskList, { taskId })),
    'device OTA record': () => only(admin.get(otaCalls.deviceOtaList, { taskId })),
    'availability zone': () => zone(inner.id),
    'inner node': () => node(inner.id),
    'outer node': () => node(outerId),
    'sync record': () => only(admin.get(syncCalls.querySyncRecordList, { zoneId: outerId, dataType: 1 })),
    'sync counts': () => only(admin.get(syncCalls.querySyncRecordCount, {})),
    'mock device': () => admin.get(mockCalls.getMockDeviceDetails, { deviceId: mockId }),
  };
});
afterAll(() => hub.close());

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return value === null ? 'nothing' : typeof value;
};

it.each(Object.keys(entities) as EntityName[])('answers every field of a %s, each of its type', async (name) => {
  await expect.poll(() => reads[name](), { timeout: 20_000 }).toBeTruthy();
  const fields = (await reads[name]()) as Record<string, unknown>;
  const kinds = Object.fromEntries(Object.keys(entities[name]).map((field) => [field, kindOf(fields[field])]));
  expect(kinds).toEqual(entities[name]);
});
