import { type DeviceRow, type Language, nodeTypes, onlineNames, type Page, protocols } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { readPage } from '../../db/paging.ts';
import { type Scope, scopeOf } from '../../db/scope.ts';
import { storedName } from '../../db/stored.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { iso, isoOrBlank } from '../../platform/time.ts';
import { deletingApplications } from '../application/applications.ts';
import { categoryTextIn } from '../category/categories.ts';
import { tenancyNameIn } from '../tenant/platform-ids.ts';
import { attributesOf } from './attributes.ts';
import { offlineReasons } from './offline-reasons.ts';

/** Device rows without joins, for filters and counts; excludes the devices of hidden applications. */
export const visibleDevices = (db: Db, { tenancyId }: Scope, hidden: string[]) => {
  let rows = db.selectFrom('device');
  if (tenancyId !== null) rows = rows.where('device.tenancy_id', '=', tenancyId);
  return hidden.length === 0 ? rows : rows.where('device.application_id', 'not in', hidden);
};

export type DeviceQuery = ReturnType<typeof visibleDevices>;

/** Device rows of a scope. */
export const devicesOf = async (db: Db, scope: Scope): Promise<DeviceQuery> =>
  // Queried first: it is nearly always empty, and then the condition does not cost a scan.
  visibleDevices(db, scope, await deletingApplications(db));

/** Joins the names and the number of child devices that a response contains. */
const withNames = (db: Db) =>
  db
    .selectFrom('device')
    .innerJoin('product', 'product.product_id', 'device.product_id')
    .innerJoin('category', 'category.category_id', 'product.category_id')
    .innerJoin('application', 'application.application_id', 'device.application_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'device.tenancy_id')
    // Another tenant's device may have been synchronised with this id as its gateway.
    .leftJoin('device as gateway', (join) =>
      join.onRef('gateway.device_id', '=', 'device.parent_id').onRef('gateway.tenancy_id', '=', 'device.tenancy_id'),
    )
    .where('application.deleting', '=', 0)
    .selectAll('device')
    .select((row) => [
      'product.product_name',
      'product.node_type',
      'product.protocol_id',
      'product.allow_register',
      'product.model_version',
      'category.category_name',
      'category.english',
      'application.application_name',
      'application.enabled as application_enabled',
      'tenancy.tenancy_name',
      'tenancy.enabled as tenancy_enabled',
      'gateway.device_name as gateway_name',
      'gateway.online as gateway_online',
      row
        .selectFrom('device as child')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('child.parent_id', '=', 'device.device_id')
        .whereRef('child.tenancy_id', '=', 'device.tenancy_id')
        .as('children'),
    ]);

export type DeviceRecord = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number];

export const deviceAnswer = (language: Language, row: DeviceRecord): DeviceRow => ({
  deviceId: row.device_id,
  deviceName: row.device_name,
  ...attributesOf(row),
  productId: row.product_id,
  productName: row.product_name,
  categoryName: categoryTextIn(language, { ...row, description: '' }).categoryName,
  nodeType: row.node_type,
  nodeTypeName: storedName(nodeTypes, row.node_type, language),
  protocolId: row.protocol_id,
  protocolName: storedName(protocols, row.protocol_id, language),
  online: row.online,
  onlineName: storedName(onlineNames, row.online, language),
  versionNumber: row.version_number,
  applicationId: row.application_id,
  applicationName: row.application_name,
  haZoneId: row.zone_id,
  parentId: row.parent_id,
  childCount: Number(row.children ?? 0),
  mock: row.mock,
  received: row.origin_id === '' ? 0 : 1,
  blacklisted: row.blacklisted,
  kickedUntil: row.kicked_until > Date.now() ? iso(row.kicked_until) : '',
  presenceTime: isoOrBlank(row.presence_at),
  offlineReason: row.online === 1 ? null : (offlineReasons(row)[0] ?? null),
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

/** Complete rows in the order of the ids. Names are joined to the rows of one page only. */
export const readDeviceRows = async (db: Db, deviceIds: string[]): Promise<DeviceRecord[]> => {
  if (deviceIds.length === 0) return [];
  const rows = await withNames(db).where('device.device_id', 'in', deviceIds).execute();
  const byId = new Map(rows.map((row) => [row.device_id, row]));
  return deviceIds.flatMap((deviceId) => byId.get(deviceId) ?? []);
};

/** Another tenant's device is "not found" rather than "forbidden", so that ids cannot be probed. */
export const findDevice = async (db: Db, actor: Actor, deviceId: string, field = 'deviceId'): Promise<DeviceRecord> => {
  const { tenancyId } = scopeOf(actor);
  let rows = withNames(db).where('device.device_id', '=', deviceId);
  if (tenancyId !== null) rows = rows.where('device.tenancy_id', '=', tenancyId);
  const row = await rows.executeTakeFirst();
  if (!row) throw new AppError('DEVICE_NOT_FOUND', {}, field);
  return row;
};

/** Fails unless all ids are found. */
export const findDevices = async (db: Db, actor: Actor, request: string[], field: string): Promise<DeviceRecord[]> => {
  const deviceIds = [...new Set(request)].sort();
  const { tenancyId } = scopeOf(actor);
  const rows = await readDeviceRows(db, deviceIds);
  const seen = tenancyId === null ? rows : rows.filter((row) => row.tenancy_id === tenancyId);
  if (seen.length !== deviceIds.length) throw new AppError('DEVICE_NOT_FOUND', {}, field);
  return seen;
};

export const auditOfDevice = (row: { tenancy_id: string; device_id: string; device_name: string }) => ({
  tenancyId: row.tenancy_id,
  targetId: row.device_id,
  targetName: row.device_name,
});

/** Locks device rows until the transaction ends, so that concurrent changes run one after the other. */
export const lockDevices = async (db: Db, deviceIds: string[]): Promise<void> => {
  await db
    .updateTable('device')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('device_id', 'in', deviceIds)
    .execute();
};

/** Totals that need a scan are counted up to this number and shown as "10,000+". */
export const DEVICES_COUNTED_MAX = 10_000;

type PageRequest = { pageIndex: number; pageSize: number; sortField: 1 | 2; sortMode: 1 | 2 };
type ReadOptions = { exactTotal?: boolean; createdAt?: string };

export const deviceOrder = {
  createdAt: 'device.created_at',
  updatedAt: 'device.updated_at',
  unique: 'device.device_id',
};

/** One page of complete rows. */
export const readDeviceRecords = async (
  db: Db,
  rows: DeviceQuery,
  request: PageRequest,
  { exactTotal = false, createdAt = deviceOrder.createdAt }: ReadOptions = {},
): Promise<Page<DeviceRecord>> => {
  const totalMax = exactTotal ? Number.POSITIVE_INFINITY : DEVICES_COUNTED_MAX;
  const query = { rows: rows.select('device.device_id'), ...deviceOrder, createdAt, totalMax };
  const page = await readPage(db, query, request);
  const list = await readDeviceRows(
    db,
    page.list.map((row) => row.device_id),
  );
  return { ...page, list };
};

/** One page of devices, as lists return it. */
export const readDevices = async (
  db: Db,
  rows: DeviceQuery,
  language: Language,
  request: PageRequest,
  options?: ReadOptions,
): Promise<Page<DeviceRow>> => {
  const page = await readDeviceRecords(db, rows, request, options);
  return { ...page, list: page.list.map((row) => deviceAnswer(language, row)) };
};
