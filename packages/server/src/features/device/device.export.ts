import { type DeviceRow, type Language, sheetColumns } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { deviceAnswer, readDeviceRows } from '../../domain/device/devices.ts';
import { csvOf } from '../../platform/csv.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { iso } from '../../platform/time.ts';
import type { FilteredDevices } from './device.filter.ts';

const BATCH_SIZE = 500;

/** The first columns are those that checkDeviceFile reads. */
const columns = [
  ...sheetColumns,
  'applicationName',
  'productId',
  'productName',
  'categoryName',
  'nodeTypeName',
  'protocolName',
  'onlineName',
  'presenceTime',
  'versionNumber',
  'parentId',
  'childCount',
  'haZoneId',
  'mock',
  'blacklisted',
  'kickedUntil',
  'tenancyId',
  'tenancyName',
  'createTime',
  'updateTime',
] as const satisfies (keyof DeviceRow)[];

/** Paged by key: no cursor stays open, and the last batch is as fast as the first. */
async function* readBatches(db: Db, found: FilteredDevices, language: Language): AsyncGenerator<(string | number)[][]> {
  // Follows the order of an index, so that no batch needs to be sorted.
  const source = found.inOrder || found.searched ? found.rows : found.inOrderScan;
  let after: { created_at: number; device_id: string } | undefined;
  do {
    let rows = source.select(['device.device_id', 'device.created_at']);
    if (after)
      rows = rows.where(
        sql<boolean>`(device.created_at, device.device_id) > (${after.created_at}, ${after.device_id})`,
      );
    const keys = await rows.orderBy('device.created_at').orderBy('device.device_id').limit(BATCH_SIZE).execute();
    const devices = await readDeviceRows(
      db,
      keys.map((key) => key.device_id),
    );
    yield devices.map((device) => {
      const answer = deviceAnswer(language, device);
      return columns.map((column) => answer[column]);
    });
    after = keys.length < BATCH_SIZE ? undefined : keys.at(-1);
  } while (after);
}

async function* nothing(): AsyncGenerator<(string | number)[][]> {}

export const exportDevices = (db: Db, found: FilteredDevices | null, language: Language): FileAnswer => ({
  bytes: csvOf(columns, found ? readBatches(db, found, language) : nothing()),
  contentType: 'text/csv; charset=utf-8',
  download: `devices_${iso(Date.now()).slice(0, 10)}.csv`,
});
