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
import type { Scope } from '../../db/scope.ts';
import { DEVICES_COUNTED_MAX, type DeviceQuery, deviceAnswer, readDeviceRows } from '../../domain/device/devices.ts';
import { readTotal } from '../../domain/device/totals.ts';
import type { FilteredDevices } from './device.filter.ts';

type ListInput = { pageIndex: number; pageSize: number; sortField: DeviceSortFieldId; sortMode: 1 | 2 };

/** The assumed number of devices for estimating costs: the choice of a plan matters only with many devices. */
const DEVICES_ASSUMED = 1_000_000;

const countRows = async (db: Db, rows: DeviceQuery, limit?: number): Promise<number> => {
  const one = rows.select(sql`1`.as('one'));
  const counted = limit === undefined ? one : one.limit(limit);
  const { rows: counts } = await sql<{ n: number }>`select count(*) as n from (${counted}) as counted`.execute(db);
  return Number(counts[0]?.n ?? 0);
};

/** Not below 0: two statements read at different times, so the second may count rows that the first has not. */
const subtract = (all: number, excluded: number): number => Math.max(all - excluded, 0);

const countOf = async (db: Db, found: FilteredDevices): Promise<number> => {
  const { allOf, counted, excludedFromCount, exactTotal } = found;
  const all = allOf
    ? await readTotal(db, allOf)
    : await countRows(db, counted, exactTotal ? undefined : DEVICES_COUNTED_MAX);
  return excludedFromCount ? subtract(all, await countRows(db, excludedFromCount)) : all;
};

const columnOf: Record<DeviceSortFieldId, string> = {
  [DeviceSortField.createTime]: 'device.created_at',
  [DeviceSortField.updateTime]: 'device.updated_at',
  [DeviceSortField.deviceName]: 'device.device_name_key',
  [DeviceSortField.presenceTime]: 'device.presence_at',
  [DeviceSortField.versionNumber]: 'device.version_key',
};
const TEXTS: ReadonlySet<DeviceSortFieldId> = new Set([DeviceSortField.deviceName, DeviceSortField.versionNumber]);

type ReadPlan = { rows: DeviceQuery; order: (direction: string) => ReturnType<typeof sql> };

/**
 * Reads in the order of an index where it fits. Otherwise the rows are filtered and sorted, or read in order and
 * filtered until the page is full, whichever reads fewer rows.
 */
const planOf = (found: FilteredDevices, input: ListInput, skipped: number, total: number, known: boolean): ReadPlan => {
  const column = sql.raw(columnOf[input.sortField]);
  const orderBy = (by: RawBuilder<unknown>) => (direction: string) =>
    sql`${by} ${sql.raw(direction)}, device.device_id ${sql.raw(direction)}`;
  const inOrder = orderBy(column);
  // An expression instead of the column keeps the database from using the index of the order instead of the filter's.
  const sorted = orderBy(TEXTS.has(input.sortField) ? sql`${column} || ''` : sql`+${column}`);
  if (input.sortField === DeviceSortField.createTime && found.inOrder) return { rows: found.rows, order: inOrder };
  if (found.searched) return { rows: found.rows, order: sorted };
  const scannedRows = ((skipped + input.pageSize) * DEVICES_ASSUMED) / Math.max(total, 1);
  return known && total <= scannedRows
    ? { rows: found.rows, order: sorted }
    : { rows: found.inOrderScan, order: inOrder };
};

/** One page of the list. It reads ids first and joins names later, so that it stays fast with a million devices. */
export const readDeviceList = async (
  db: Db,
  found: FilteredDevices,
  language: Language,
  input: ListInput,
): Promise<Page<DeviceRow>> => {
  const { pageIndex, pageSize } = input;
  const total = await countOf(db, found);
  const offset = (pageIndex - 1) * pageSize;
  const size = Math.min(pageSize, total - offset);
  if (size <= 0) return { pageIndex, pageSize, total, list: [] };

  // Where counting stopped at its limit, the end of the list is unknown.
  const known = found.exactTotal || total < DEVICES_COUNTED_MAX;
  const fromEnd = known && offset > total / 2;
  const skipped = fromEnd ? total - offset - size : offset;
  const { rows, order } = planOf(found, input, skipped, total, known);
  const direction = (input.sortMode === SortMode.ascending) !== fromEnd ? 'asc' : 'desc';
  const page = await rows.select('device.device_id').orderBy(order(direction)).limit(size).offset(skipped).execute();
  const ids = page.map((row) => row.device_id);
  const devices = await readDeviceRows(db, fromEnd ? ids.reverse() : ids);
  return { pageIndex, pageSize, total, list: devices.map((row) => deviceAnswer(language, row)) };
};

type Presence = { online: number; offline: number };

const countPresence = async (db: Db, rows: DeviceQuery, limit?: number): Promise<Presence> => {
  const each = rows.select('device.online');
  const counted = limit === undefined ? each : each.limit(limit);
  const { rows: counts } = await sql<{
    online: 1 | 2;
    n: number;
  }>`select online, count(*) as n from (${counted}) as counted group by online`.execute(db);
  const count = (online: 1 | 2) => Number(counts.find((row) => row.online === online)?.n ?? 0);
  return { online: count(1), offline: count(2) };
};

/** With a known total only the online devices are counted; the others are offline. */
const countPresenceOfAll = async (db: Db, scope: Scope, rows: DeviceQuery): Promise<Presence> => {
  const [total, online] = await Promise.all([readTotal(db, scope), countRows(db, rows.where('device.online', '=', 1))]);
  return { online, offline: subtract(total, online) };
};

/** Counts by presence; without a matching index at most as many as the list counts. */
export const countByPresence = async (db: Db, found: FilteredDevices) => {
  const { allOf, counted, excludedFromCount, exactTotal } = found;
  const all = allOf
    ? await countPresenceOfAll(db, allOf, counted)
    : await countPresence(db, counted, exactTotal ? undefined : DEVICES_COUNTED_MAX);
  const excluded = excludedFromCount ? await countPresence(db, excludedFromCount) : { online: 0, offline: 0 };
  const [online, offline] = [subtract(all.online, excluded.online), subtract(all.offline, excluded.offline)];
  return { total: online + offline, online, offline };
};
