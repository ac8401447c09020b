import { type SyncRecordRow, syncCalls } from '@device-center/contract';
import { vi } from 'vitest';
import { createFleet } from './fleet.ts';
import { admin } from './hub.ts';
import { createZone } from './zone.ts';

/** The hub creates sync records in the background, and pages load slowly on a busy machine. */
export const SYNC_TIMEOUT = { timeout: 20_000 };

export const SYNC = '/dataSynch/dataShow';
export const syncZonePage = ({ id, zoneName }: { id: number; zoneName: string }, status = 1): string =>
  `/detail/detailSync/${id}/${encodeURIComponent(zoneName)}/${status}`;
export const recordPage = (syncId: string): string => `/detail/dataDetail?syncId=${syncId}`;

/** A zone with an unreachable broker, a product, a device and their sync records. */
export const createSyncFixture = async (options: Parameters<typeof createZone>[0] = {}) => {
  const fleet = await createFleet();
  const { productId, productName } = fleet.product;
  const { deviceId, deviceName } = await fleet.registerDevice();
  const created = await createZone({ syncAll: 1, ...options });
  const zone = { ...created, zoneName: options.zoneName ?? created.zoneName };
  const operator = await admin();
  const findRecord = async (dataType: 1 | 2): Promise<SyncRecordRow> => {
    const { list } = await operator.ok(syncCalls.querySyncRecordList, { zoneId: zone.id, dataType, productId });
    const [record] = list;
    if (!record) throw new Error('no record yet');
    return record;
  };
  /** Waits until the hub has created the record in the background. */
  const waitForRecord = (dataType: 1 | 2) => vi.waitFor(() => findRecord(dataType), { ...SYNC_TIMEOUT, interval: 200 });
  return { zone, productId, productName, deviceId, deviceName, waitForRecord, findRecord, operator };
};
