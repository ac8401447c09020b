import { type SyncRecordRow, syncCalls } from '@device-center/contract';
import { vi } from 'vitest';
import { newFleet } from './fleet.ts';
import { admin } from './hub.ts';
import { newZone } from './zone.ts';

/** The hub does its part by itself, and on a busy machine a page takes its time to come. */
export const WITHIN = { timeout: 20_000 };

export const SYNC = '/dataSynch/dataShow';
export const syncZonePage = ({ id, zoneName }: { id: number; zoneName: string }, status = 1): string =>
  `/detail/detailSync/${id}/${encodeURIComponent(zoneName)}/${status}`;
export const recordPage = (syncId: string): string => `/detail/dataDetail?syncId=${syncId}`;

/** A zone whose broker nobody answers for, a product and a device, and their records. */
export const newSyncScene = async (more: Parameters<typeof newZone>[0] = {}) => {
  const fleet = await newFleet();
  const { productId, productName } = fleet.product;
  const { deviceId, deviceName } = await fleet.newDevice();
  const made = await newZone({ syncAll: 1, ...more });
  const zone = { ...made, zoneName: more.zoneName ?? made.zoneName };
  const operator = await admin();
  const recordOf = async (dataType: 1 | 2): Promise<SyncRecordRow> => {
    const { list } = await operator.ok(syncCalls.querySyncRecordList, { zoneId: zone.id, dataType, productId });
    const [record] = list;
    if (!record) throw new Error('no record yet');
    return record;
  };
  /** The hub makes the records by itself, a moment later. */
  const record = (dataType: 1 | 2) => vi.waitFor(() => recordOf(dataType), { ...WITHIN, interval: 200 });
  return { zone, productId, productName, deviceId, deviceName, record, recordOf, operator };
};
