import type { deviceCalls, Input } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains, containsAny } from '../../db/contains.ts';
import { type BareDevices, devicesOf } from '../../db/devices.ts';
import { productsOf } from '../../db/products.ts';
import { type Scope, scopeOf, seesNothing } from '../../db/scope.ts';
import type { Actor } from '../../platform/actor.ts';

export type DeviceFilter = Input<(typeof deviceCalls)['countDevices']>;

export type FilteredDevices = {
  rows: BareDevices;
  /** One index holds exactly these rows, so that counting them touches nothing else. */
  cheaplyCounted: boolean;
};

/** The products meant, where a filter is about them: all that is asked of a product is asked here, of few rows. */
const productsMeant = (db: Db, scope: Scope, filter: DeviceFilter) => {
  let rows = productsOf(db, scope).select('product.product_id');
  if (filter.productId) rows = rows.where('product.product_id', '=', filter.productId);
  if (filter.categoryId) rows = rows.where('product.category_id', '=', filter.categoryId);
  if (filter.nodeType) rows = rows.where('product.node_type', '=', filter.nodeType);
  if (filter.protocolId) rows = rows.where('product.protocol_id', '=', filter.protocolId);
  return rows;
};

const isInScope = async (db: Db, { tenancyId }: Scope, table: 'application' | 'device', id: string) => {
  const column = table === 'application' ? 'application.application_id' : 'device.device_id';
  const row = await db
    .selectFrom(table)
    .select(`${table}.tenancy_id`)
    .where(column as 'device.device_id', '=', id)
    .executeTakeFirst();
  return row !== undefined && (tenancyId === null || row.tenancy_id === tenancyId);
};

/** Found out by the database at once; more products than this are left to its own choice. */
const PRODUCTS_NAMED_MAX = 200;

/**
 * What is asked for, as a query over devices alone; null where nothing can match. What belongs to one tenant (a
 * product, an application, a gateway) is looked up first, and then stands for its tenant: one index is enough.
 */
export const filteredDevices = async (db: Db, actor: Actor, filter: DeviceFilter): Promise<FilteredDevices | null> => {
  if (seesNothing(actor, filter.tenancyId)) return null;
  const scope = scopeOf(actor, filter.tenancyId);
  const { applicationId, parentId, productId, online } = filter;
  if (applicationId && !(await isInScope(db, scope, 'application', applicationId))) return null;
  if (parentId && !(await isInScope(db, scope, 'device', parentId))) return null;

  const aboutProducts = [productId, filter.categoryId, filter.nodeType, filter.protocolId].some(Boolean);
  const meant = productsMeant(db, scope, filter);
  const products = aboutProducts ? await meant.limit(PRODUCTS_NAMED_MAX + 1).execute() : [];
  if (aboutProducts && products.length === 0) return null;

  const owned = Boolean(applicationId || parentId || aboutProducts);
  let rows = await devicesOf(db, owned ? { tenancyId: null } : scope);
  if (applicationId) rows = rows.where('device.application_id', '=', applicationId);
  if (parentId) rows = rows.where('device.parent_id', '=', parentId);
  const [only, ...more] = products.map((row) => row.product_id);
  if (only !== undefined) {
    if (more.length === 0) rows = rows.where('device.product_id', '=', only);
    else if (more.length < PRODUCTS_NAMED_MAX) rows = rows.where('device.product_id', 'in', [only, ...more]);
    else rows = rows.where('device.product_id', 'in', meant);
  }
  if (online) rows = rows.where('device.online', '=', online);

  const words = [filter.deviceId, filter.deviceName, filter.mac, filter.searchValue].some(Boolean);
  if (filter.deviceId) rows = rows.where(contains('device.device_id_key', filter.deviceId));
  if (filter.deviceName) rows = rows.where(contains('device.device_name_key', filter.deviceName));
  if (filter.mac) rows = rows.where(contains('device.mac_key', filter.mac));
  if (filter.searchValue)
    rows = rows.where(
      containsAny(['device.device_id_key', 'device.device_name_key', 'device.mac_key'], filter.searchValue),
    );

  const narrowed = [applicationId, parentId, aboutProducts].filter(Boolean).length;
  const cheaplyCounted = !words && narrowed <= 1 && !(online && (applicationId || parentId)) && products.length <= 1;
  return { rows, cheaplyCounted };
};
