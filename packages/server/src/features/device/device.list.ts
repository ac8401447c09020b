import {
  type DeviceRow,
  DeviceSortField,
  type DeviceSortFieldId,
  type Language,
  type Page,
  SortMode,
} from '@device-center/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readTotal } from '../../db/device-totals.ts';
import { type BareDevices, DEVICES_COUNTED_MAX, deviceAnswer, readDeviceRows } from '../../db/devices.ts';
import type { Scope } from '../../db/scope.ts';
import type { FilteredDevices } from './device.filter.ts';

type Asked = { pageIndex: number; pageSize: number; sortField: DeviceSortFieldId; sortMode: 1 | 2 };

/** Which way of reading costs less matters only where there are many: so it is reckoned as if there were. */
const DEVICES_RECKONED = 1_000_000;

const countRows = async (db: Db, rows: BareDevices, limit?: number): Promise<number> => {
  const one = rows.select(sql`1`.as('one'));
  const counted = limit === undefined ? one : one.limit(limit);
  const { rows: counts } = await sql<{ n: number }>`select count(*) as n from (${counted}) as counted`.execute(db);
  return Number(counts[0]?.n ?? 0);
};

/** Two statements see two moments: what came between them is counted away without having been counted. */
const less = (all: number, away: number): number => Math.max(all - away, 0);

const countOf = async (db: Db, found: FilteredDevices): Promise<number> => {
  const { allOf, counted, countedAway, cheaplyCounted } = found;
  const all = allOf
    ? await readTotal(db, allOf)
    : await countRows(db, counted, cheaplyCounted ? undefined : DEVICES_COUNTED_MAX);
  return countedAway ? less(all, await countRows(db, countedAway)) : all;
};

const columnOf: Record<DeviceSortFieldId, string> = {
  [DeviceSortField.createTime]: 'device.created_at',
  [DeviceSortField.updateTime]: 'device.updated_at',
  [DeviceSortField.deviceName]: 'device.device_name_key',
  [DeviceSortField.presenceTime]: 'device.presence_at',
  [DeviceSortField.versionNumber]: 'device.version_key',
};
const TEXTS: ReadonlySet<DeviceSortFieldId> = new Set([DeviceSortField.deviceName, DeviceSortField.versionNumber]);

type Reading = { rows: BareDevices; order: (direction: string) => ReturnType<typeof sql> };

/**
 * In an index's own order where it has one. Else the rows are found and sorted, or read in order and tested until the
 * page is full, whichever looks at fewer of them.
 */
const readingOf = (found: FilteredDevices, asked: Asked, skipped: number, total: number, known: boolean): Reading => {
  const column = sql.raw(columnOf[asked.sortField]);
  const orderBy = (by: RawBuilder<unknown>) => (direction: string) =>
    sql`${by} ${sql.raw(direction)}, device.device_id ${sql.raw(direction)}`;
  const inOrder = orderBy(column);
  // An expression in place of the column keeps the engine from following the order instead of the filter.
  const sorted = orderBy(TEXTS.has(asked.sortField) ? sql`${column} || ''` : sql`+${column}`);
  if (asked.sortField === DeviceSortField.createTime && found.inOrder) return { rows: found.rows, order: inOrder };
  if (found.searched) return { rows: found.rows, order: sorted };
  const walked = ((skipped + asked.pageSize) * DEVICES_RECKONED) / Math.max(total, 1);
  return known && total <= walked ? { rows: found.rows, order: sorted } : { rows: found.walked, order: inOrder };
};

/** One page of the list, quick also with a million devices: ids first, names after. */
export const readDeviceList = async (
  db: Db,
  found: FilteredDevices,
  language: Language,
  asked: Asked,
): Promise<Page<DeviceRow>> => {
  const { pageIndex, pageSize } = asked;
  const total = await countOf(db, found);
  const offset = (pageIndex - 1) * pageSize;
  const size = Math.min(pageSize, total - offset);
  if (size <= 0) return { pageIndex, pageSize, total, list: [] };

  // Where counting stopped short, nobody knows where the other end is.
  const known = found.cheaplyCounted || total < DEVICES_COUNTED_MAX;
  const fromEnd = known && offset > total / 2;
  const skipped = fromEnd ? total - offset - size : offset;
  const { rows, order } = readingOf(found, asked, skipped, total, known);
  const direction = (asked.sortMode === SortMode.ascending) !== fromEnd ? 'asc' : 'desc';
  const page = await rows.select('device.device_id').orderBy(order(direction)).limit(size).offset(skipped).execute();
  const ids = page.map((row) => row.device_id);
  const devices = await readDeviceRows(db, fromEnd ? ids.reverse() : ids);
  return { pageIndex, pageSize, total, list: devices.map((row) => deviceAnswer(language, row)) };
};

type Presence = { online: number; offline: number };

const countPresence = async (db: Db, rows: BareDevices, limit?: number): Promise<Presence> => {
  const each = rows.select('device.online');
  const counted = limit === undefined ? each : each.limit(limit);
  const { rows: counts } = await sql<{
    online: 1 | 2;
    n: number;
  }>`select online, count(*) as n from (${counted}) as counted group by online`.execute(db);
  const count = (online: 1 | 2) => Number(counts.find((row) => row.online === online)?.n ?? 0);
  return { online: count(1), offline: count(2) };
};

/** Who is not online is offline: of a number that is known, only those who are need be counted. */
const countPresenceOfAll = async (db: Db, scope: Scope, rows: BareDevices): Promise<Presence> => {
  const [total, online] = await Promise.all([readTotal(db, scope), countRows(db, rows.where('device.online', '=', 1))]);
  return { online, offline: less(total, online) };
};

/** How many, by presence; where no index counts them, at most as many as the list counts. */
export const countByPresence = async (db: Db, found: FilteredDevices) => {
  const { allOf, counted, countedAway, cheaplyCounted } = found;
  const all = allOf
    ? await countPresenceOfAll(db, allOf, counted)
    : await countPresence(db, counted, cheaplyCounted ? undefined : DEVICES_COUNTED_MAX);
  const away = countedAway ? await countPresence(db, countedAway) : { online: 0, offline: 0 };
  const [online, offline] = [less(all.online, away.online), less(all.offline, away.offline)];
  return { total: online + offline, online, offline };
};
