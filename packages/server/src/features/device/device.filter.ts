import type { deviceCalls, Input } from '@device-center/contract';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { isSqlite } from '../../db/connect.ts';
import { containsAny } from '../../db/contains.ts';
import { isOtherTenant, type Scope, scopeOf } from '../../db/scope.ts';
import { deletingApplications } from '../../domain/application/applications.ts';
import { type DeviceQuery, visibleDevices } from '../../domain/device/devices.ts';
import { hasRehearsed, isOfFleet, isRehearsed } from '../../domain/device/rehearsal-devices.ts';
import { foundByIndex, type SearchedColumn } from '../../domain/device/search.ts';
import { productsOf } from '../../domain/product/products.ts';
import type { Actor } from '../../platform/actor.ts';

export type DeviceFilter = Input<(typeof deviceCalls)['countDevices']>;

export type FilteredDevices = {
  /** Uses the most selective index. */
  rows: DeviceQuery;
  /** The same, for counting. */
  counted: DeviceQuery;
  /** Devices that `counted` includes and the list does not show; null where there are none. */
  excludedFromCount: DeviceQuery | null;
  /** Uses no index for the filter: for reading in the order of the list until a page is full. */
  inOrderScan: DeviceQuery;
  /** Set where the filter matches all devices of a scope, whose number the database stores. */
  allOf: Scope | null;
  /** One index contains exactly these rows, so that counting reads nothing else. */
  exactTotal: boolean;
  /** That index is in the order of creation. */
  inOrder: boolean;
  /** The search index has found them, and they are few enough to sort. */
  searched: boolean;
};

type Column = 'product_id' | 'application_id' | 'parent_id' | 'tenancy_id' | 'zone_id' | 'online';
type Condition = {
  column: Column;
  values: (string | number)[];
  /** Replaces `values` where they are too many to list. */
  query?: Expression<unknown>;
};
type SearchTerm = { columns: SearchedColumn[]; text: string };

const PRODUCTS_LISTED_MAX = 1_000;
/** Up to this many hits are sorted quickly; with more hits, reading in order soon fills a page. */
const FOUND_BY_INDEX_MAX = 30_000;

/** The products that match the filter: products are few, so their conditions are evaluated first. */
const matchingProducts = (db: Db, scope: Scope, filter: DeviceFilter) => {
  let rows = productsOf(db, scope).select('product.product_id');
  if (filter.productId) rows = rows.where('product.product_id', '=', filter.productId);
  if (filter.categoryId) rows = rows.where('product.category_id', '=', filter.categoryId);
  if (filter.nodeType) rows = rows.where('product.node_type', '=', filter.nodeType);
  if (filter.protocolId) rows = rows.where('product.protocol_id', '=', filter.protocolId);
  return rows;
};

const isApplicationOf = async (db: Db, { tenancyId }: Scope, applicationId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('application')
    .select('tenancy_id')
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  return row !== undefined && (tenancyId === null || row.tenancy_id === tenancyId);
};

/** A plus sign before a column keeps SQLite, which has no statistics, from choosing an inefficient index. */
const where = ({ column, values, query }: Condition, indexed: boolean): RawBuilder<SqlBool> => {
  const sign = sql.raw(indexed ? '' : '+');
  const columnRef = sql`${sign}${sql.ref(`device.${column}`)}`;
  if (query) return sql<SqlBool>`${columnRef} in (${query})`;
  const [only] = values;
  return values.length === 1
    ? sql<SqlBool>`${columnRef} = ${only}`
    : sql<SqlBool>`${columnRef} in (${sql.join(values)})`;
};

/**
 * Conditions, the most selective first. A gateway, product or application is looked up first and belongs to one tenant,
 * so it replaces the condition on the tenant; only a gateway's id can also occur in rows of other tenants. Null where
 * nothing can match.
 */
const conditionsOf = async (db: Db, scope: Scope, filter: DeviceFilter): Promise<Condition[] | null> => {
  const { applicationId, parentId, haZoneId, online } = filter;
  const conditions: Condition[] = [];
  if (parentId) {
    const gateway = await visibleDevices(db, scope, [])
      .select('device.tenancy_id')
      .where('device.device_id', '=', parentId)
      .executeTakeFirst();
    if (!gateway) return null;
    conditions.push({ column: 'parent_id', values: [parentId] });
    // A received device of another tenant may name this id as its gateway.
    conditions.push({ column: 'tenancy_id', values: [gateway.tenancy_id] });
  }
  if (filter.productId || filter.categoryId || filter.nodeType || filter.protocolId) {
    const matching = matchingProducts(db, scope, filter);
    const products = await matching.limit(PRODUCTS_LISTED_MAX + 1).execute();
    if (products.length === 0) return null;
    const values = products.map((row) => row.product_id);
    conditions.push({
      column: 'product_id',
      values,
      ...(values.length > PRODUCTS_LISTED_MAX ? { query: matching } : {}),
    });
  }
  if (applicationId) {
    if (!(await isApplicationOf(db, scope, applicationId))) return null;
    conditions.push({ column: 'application_id', values: [applicationId] });
  }
  if (conditions.length === 0 && scope.tenancyId !== null)
    conditions.push({ column: 'tenancy_id', values: [scope.tenancyId] });
  if (haZoneId) conditions.push({ column: 'zone_id', values: [haZoneId] });
  if (online) conditions.push({ column: 'online', values: [online] });
  return conditions;
};

const searchTermsOf = (filter: DeviceFilter): SearchTerm[] => {
  const terms: SearchTerm[] = [];
  if (filter.deviceId) terms.push({ columns: ['device_id_key'], text: filter.deviceId });
  if (filter.deviceName) terms.push({ columns: ['device_name_key'], text: filter.deviceName });
  if (filter.mac) terms.push({ columns: ['mac_key'], text: filter.mac });
  if (filter.searchValue)
    terms.push({ columns: ['device_id_key', 'device_name_key', 'mac_key'], text: filter.searchValue });
  return terms;
};

/** Columns that share an index with `online`. */
const INDEXED_WITH_ONLINE: ReadonlySet<Column> = new Set(['tenancy_id', 'product_id', 'application_id']);

const isCheap = ([first, ...more]: Condition[]): boolean => {
  if (!first || more.length === 0) return (first?.values.length ?? 1) === 1;
  const [second, ...others] = more;
  const both = second?.column === 'online' && INDEXED_WITH_ONLINE.has(first.column);
  return both && others.length === 0 && first.values.length === 1;
};

const isTenancy = ({ column }: Condition): boolean => column === 'tenancy_id';

/** The filter as queries over devices only; null where nothing can match. */
export const filteredDevices = async (db: Db, actor: Actor, filter: DeviceFilter): Promise<FilteredDevices | null> => {
  if (isOtherTenant(actor, filter.tenancyId)) return null;
  const scope = scopeOf(actor, filter.tenancyId);
  const conditions = await conditionsOf(db, scope, filter);
  if (!conditions) return null;

  const sqlite = isSqlite(db);
  const terms = searchTermsOf(filter);
  const [first] = terms;
  const hits = first ? await foundByIndex(db, first.columns, first.text, FOUND_BY_INDEX_MAX) : null;
  const cheap = isCheap(conditions);

  const { presenceSince } = filter;
  const exactTotal = cheap && terms.length === 0 && presenceSince === undefined;
  const [rehearsed, hidden] = await Promise.all([hasRehearsed(db), deletingApplications(db)]);
  const isShown = rehearsed ? isOfFleet(terms.map(({ text }) => text)) : null;
  const build = (
    usesIndex: (position: number) => boolean,
    fleetCondition: RawBuilder<SqlBool> | null = isShown,
  ): DeviceQuery => {
    let rows = visibleDevices(db, { tenancyId: null }, hidden);
    if (fleetCondition) rows = rows.where(fleetCondition);
    if (presenceSince !== undefined) rows = rows.where('device.presence_at', '>=', presenceSince);
    if (hits) rows = rows.where(hits);
    for (const [position, condition] of conditions.entries()) {
      // The index of zones has no order: it is used only where no other condition is selective.
      const useful = usesIndex(position) && (condition.column !== 'zone_id' || position === 0);
      rows = rows.where(where(condition, !sqlite || (!hits && useful)));
    }
    for (const { columns, text } of terms)
      rows = rows.where(
        containsAny(
          columns.map((column) => `device.${column}`),
          text,
        ),
      );
    return rows;
  };
  return {
    // The index over product and presence has no order: it is used only for counting.
    rows: build((position) => position === 0 || conditions[0]?.column === 'tenancy_id'),
    counted: build((position) => cheap || position === 0, exactTotal ? null : isShown),
    excludedFromCount: exactTotal && rehearsed ? build(() => false, isRehearsed) : null,
    inOrderScan: build(() => false),
    allOf: exactTotal && hidden.length === 0 && conditions.every(isTenancy) ? scope : null,
    exactTotal,
    searched: hits !== null,
    inOrder: !hits && (conditions[0]?.values.length ?? 1) === 1 && conditions[0]?.column !== 'zone_id',
  };
};
