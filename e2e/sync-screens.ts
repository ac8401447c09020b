import { syncCalls } from '@device-center/contract';
import type { Hub } from '../packages/server/test/hub.ts';
import type { ZoneScreenIds } from './zone-screens.ts';

export type SyncScreenIds = { modelSyncId: string; deviceSyncId: string };

type SeededData = Pick<ZoneScreenIds, 'innerZoneId'> & { productId: string; deviceId: string };

/** Sync records of a zone whose brokers do not answer: failed models, and device data that waits. */
export const seedSync = async (
  hub: Hub,
  { innerZoneId: zoneId, productId, deviceId }: SeededData,
): Promise<SyncScreenIds> => {
  await hub.admin.ok(syncCalls.oneKey, { zoneId, dataType: 1 });
  const first = async (dataType: 1 | 2, asked: { productId?: string; deviceId?: string }) => {
    const { list } = await hub.admin.ok(syncCalls.querySyncRecordList, { zoneId, dataType, ...asked });
    return list[0]?.syncId ?? '';
  };
  return { modelSyncId: await first(1, { productId }), deviceSyncId: await first(2, { deviceId }) };
};

const zonePath = (id: number, zoneName: string, status: 0 | 1): string =>
  `/detail/detailSync/${id}/${encodeURIComponent(zoneName)}/${status}`;

export const syncScreensOf = ({
  innerZoneId,
  outerZoneId,
  modelSyncId,
  deviceSyncId,
}: SyncScreenIds & ZoneScreenIds): Record<string, string> => ({
  syncList: '/dataSynch/dataShow',
  syncListNoMatch: '/dataSynch/dataShow?zoneName=nothing-like-this',
  syncModels: zonePath(innerZoneId, '华东一号工厂 / East plant', 1),
  syncData: `${zonePath(innerZoneId, '华东一号工厂 / East plant', 1)}?dataType=2`,
  syncDataNoMatch: `${zonePath(innerZoneId, '华东一号工厂 / East plant', 1)}?dataType=2&deviceId=nothing-like-this`,
  syncDisabled: zonePath(outerZoneId, '集团平台', 0),
  syncZoneMissing: zonePath(99_999_999, 'nobody', 1),
  syncModelRecord: `/detail/dataDetail?syncId=${modelSyncId}`,
  syncDeviceRecord: `/detail/dataDetail?syncId=${deviceSyncId}`,
  syncRecordMissing: '/detail/dataDetail?syncId=nobody',
});
