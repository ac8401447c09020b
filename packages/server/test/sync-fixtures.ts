import {
  apiKeyCalls,
  deviceCalls,
  modelCalls,
  productCalls,
  recordCalls,
  type SyncCounts,
  type SyncRecordRow,
  syncCalls,
  zoneCalls,
} from '@device-center/contract';
import { expect } from 'vitest';
import { type Hub, type SpawnedHub, spawnHub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { bareFunctions } from './product-models.ts';

/** Longer than the lease of a killed hub and the work after it. */
export const SYNC_WITHIN = { timeout: 90_000, interval: 100 };

/** Allows requests to this machine, and compares devices often. */
const SYNC_SETTINGS = { NODE_NETWORKS: 'loopback,private,public', SYNC_COMPARE_EVERY: '1s' };

export const startSyncHub = (more: Record<string, string> = {}): Promise<Hub> =>
  startHub({ ...SYNC_SETTINGS, ...more });

/** The same in separate processes, which can be killed. */
export const spawnSyncHub = (more: Record<string, string> = {}): Promise<SpawnedHub> =>
  spawnHub({ ...SYNC_SETTINGS, ...more });

/** A tenant and application that receive synchronised items, with an API key. */
export const createReceiver = async (hub: Hub) => {
  const tenancyId = await hub.create.tenancy();
  const applicationId = await hub.create.application(tenancyId);
  const created = await hub.admin.ok(apiKeyCalls.addApiKey, {
    keyName: unique('key'),
    scope: 'sync',
    applicationId,
    tenancyId,
  });
  return { tenancyId, applicationId, ...created };
};

type OuterNode = { bucketUrl: string; bucketZoneId?: number; apiKey?: string };

export const addOuterZone = async (
  hub: Hub,
  { bucketZoneId = 1, ...node }: OuterNode,
  isSyncModel: 0 | 1 = 0,
  scope: { syncAll?: 0 | 1; syncTenancies?: string[] } = { syncAll: 1 },
): Promise<number> => {
  const fields = { zoneName: unique('zone'), zoneType: 2, routeKey: unique('r'), address: 'example.com' } as const;
  const nodes = JSON.stringify([{ bucketZoneId, ...node }]);
  return (await hub.admin.ok(zoneCalls.addZone, { ...fields, ...scope, isSyncModel, nodes: nodes as never })).id;
};

export const modelOf = async (hub: Hub, productId: string) =>
  bareFunctions(await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId }));

export const productOf = (hub: Hub, productId: string) =>
  hub.admin.ok(productCalls.getDeviceProductDetails, { productId });

export const deviceOf = (hub: Hub, deviceId: string) => hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId });

export const valuesOf = async (hub: Hub, deviceId: string) =>
  Object.fromEntries(
    (await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).map(({ signCode, value }) => [signCode, value]),
  );

export const countsOf = async (hub: Hub, zoneId: number): Promise<{ model: SyncCounts; data: SyncCounts }> => {
  const { list } = await hub.admin.ok(syncCalls.querySyncRecordCount, { pageSize: 200 });
  const row = list.find((entry) => entry.zoneId === zoneId);
  if (!row) throw new Error(`zone ${zoneId} is no target`);
  return row;
};

export const recordsOf = async (hub: Hub, zoneId: number, dataType?: 1 | 2): Promise<SyncRecordRow[]> =>
  (await hub.admin.ok(syncCalls.querySyncRecordList, { zoneId, dataType, pageSize: 200 })).list;

/** The sync record of an item. */
export const recordOf = async (hub: Hub, zoneId: number, itemId: string): Promise<SyncRecordRow | undefined> =>
  (await recordsOf(hub, zoneId)).find(({ deviceId, productId, dataType }) =>
    dataType === 1 ? productId === itemId : deviceId === itemId,
  );

export const expectStatus = (hub: Hub, zoneId: number, itemId: string, status: number) =>
  expect.poll(async () => (await recordOf(hub, zoneId, itemId))?.syncStatus, SYNC_WITHIN).toBe(status);

/** Waits until the item failed with this code. */
export const expectFailure = (hub: Hub, zoneId: number, itemId: string, code: string) =>
  expect
    .poll(async () => {
      const row = await recordOf(hub, zoneId, itemId);
      return [row?.syncStatus, row?.reasonCode];
    }, SYNC_WITHIN)
    .toEqual([3, code]);

/** Waits until all `total` items of a zone and type are in sync. */
export const expectSynced = (hub: Hub, zoneId: number, kind: 'model' | 'data', total: number) =>
  expect
    .poll(async () => {
      const counts = (await countsOf(hub, zoneId))[kind];
      return [counts.total, counts.success, counts.fail, counts.waiting, counts.sending];
    }, SYNC_WITHIN)
    .toEqual([total, total, 0, 0, 0]);

/** Sends models before the devices that need them. */
export const pushAll = async (hub: Hub, zoneId: number): Promise<void> => {
  for (const dataType of [1, 2] as const) await hub.admin.ok(syncCalls.oneKey, { zoneId, dataType });
};
