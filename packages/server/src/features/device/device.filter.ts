import type { deviceCalls, Input } from '@device-center/contract';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { deletingApplications } from '../../db/applications.ts';
import type { Db } from '../../db/connect.ts';
import { containsAny } from '../../db/contains.ts';
import { foundByIndex, isSqlite, type SearchedColumn } from '../../db/device-search.ts';
import { type BareDevices, devicesShown } from '../../db/devices.ts';
import { productsOf } from '../../db/products.ts';
import { hasRehearsed, isOfFleet, isRehearsed } from '../../db/rehearsed-devices.ts';
import { type Scope, scopeOf, seesNothing } from '../../db/scope.ts';
import type { Actor } from '../../platform/actor.ts';

export type DeviceFilter = Input<(typeof deviceCalls)['countDevices']>;

export type FilteredDevices = {
  /** Found by the one index that narrows most. */
  rows: BareDevices;
  /** The same, for counting. */
  counted: BareDevices;
  /** What is among those counted and is not shown; nothing where there is no such thing. */
  countedAway: BareDevices | null;
  /** The same by no index at all: for reading in an order, until a page is full. */
  walked: BareDevices;
  /** They are all that this scope has, of which the database keeps the number. */
  allOf: Scope | null;
  /** One index holds exactly these rows, so that counting them touches nothing else. */
  cheaplyCounted: boolean;
  /** That index has them in the order in which they were made. */
  inOrder: boolean;
  /** A word has found them, and there are not too many to sort. */
  searched: boolean;
};

type Column = 'product_id' | 'application_id' | 'parent_id' | 'tenancy_id' | 'zone_id' | 'online';
type Condition = {
  column: Column;
  values: (string | number)[];
  /** Where they are too many to be named one by one. */
  query?: Expression<unknown>;
};
type Words = { columns: SearchedColumn[]; word: string };

const PRODUCTS_NAMED_MAX = 1_000;
/** As many as a word may find and still be sorted quickly; of more, a page is soon full in any order. */
const FOUND_BY_INDEX_MAX = 30_000;

/** The products meant: all that is asked of a product is asked here, of few rows. */
const productsMeant = (db: Db, scope: Scope, filter: DeviceFilter) => {
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

/** A sign before a column keeps SQLite, which has no statistics, from choosing an index of little use. */
const where = ({ column, values, query }: Condition, indexed: boolean): RawBuilder<SqlBool> => {
  const sign = sql.raw(indexed ? '' : '+');
  const place = sql`${sign}${sql.ref(`device.${column}`)}`;
  if (query) return sql<SqlBool>`${place} in (${query})`;
  const [only] = values;
  return values.length === 1 ? sql<SqlBool>`${place} = ${only}` : sql<SqlBool>`${place} in (${sql.join(values)})`;
};

/**
 * Conditions in the order of how much each narrows. What belongs to one tenant (a gateway, a product, an application)
 * is looked up first, and then stands for its tenant; only a gateway's id can stand in another tenant's rows too. Null where nothing can match.
 */
const conditionsOf = async (db: Db, scope: Scope, filter: DeviceFilter): Promise<Condition[] | null> => {
  const { applicationId, parentId, haZoneId, online } = filter;
  const conditions: Condition[] = [];
  if (parentId) {
    const gateway = await devicesShown(db, scope, [])
      .select('device.tenancy_id')
      .where('device.device_id', '=', parentId)
      .executeTakeFirst();
    if (!gateway) return null;
    conditions.push({ column: 'parent_id', values: [parentId] });
    // Another tenant's device may have been received with this id as its gateway's.
    conditions.push({ column: 'tenancy_id', values: [gateway.tenancy_id] });
  }
  if (filter.productId || filter.categoryId || filter.nodeType || filter.protocolId) {
    const meant = productsMeant(db, scope, filter);
    const products = await meant.limit(PRODUCTS_NAMED_MAX + 1).execute();
    if (products.length === 0) return null;
    const values = products.map((row) => row.product_id);
    conditions.push({ column: 'product_id', values, ...(values.length > PRODUCTS_NAMED_MAX ? { query: meant } : {}) });
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

const wordsOf = (filter: DeviceFilter): Words[] => {
  const words: Words[] = [];
  if (filter.deviceId) words.push({ columns: ['device_id_key'], word: filter.deviceId });
  if (filter.deviceName) words.push({ columns: ['device_name_key'], word: filter.deviceName });
  if (filter.mac) words.push({ columns: ['mac_key'], word: filter.mac });
  if (filter.searchValue)
    words.push({ columns: ['device_id_key', 'device_name_key', 'mac_key'], word: filter.searchValue });
  return words;
};

/** Together with `online` in one index. */
const COUNTED_WITH_ONLINE: ReadonlySet<Column> = new Set(['tenancy_id', 'product_id', 'application_id']);

const isCheap = ([first, ...more]: Condition[]): boolean => {
  if (!first || more.length === 0) return (first?.values.length ?? 1) === 1;
  const [second, ...others] = more;
  const both = second?.column === 'online' && COUNTED_WITH_ONLINE.has(first.column);
  return both && others.length === 0 && first.values.length === 1;
};

const isTenancy = ({ column }: Condition): boolean => column === 'tenancy_id';

/** What is asked for, as queries over devices alone; null where nothing can match. */
export const filteredDevices = async (db: Db, actor: Actor, filter: DeviceFilter): Promise<FilteredDevices | null> => {
  if (seesNothing(actor, filter.tenancyId)) return null;
  const scope = scopeOf(actor, filter.tenancyId);
  const conditions = await conditionsOf(db, scope, filter);
  if (!conditions) return null;

  const sqlite = isSqlite(db);
  const words = wordsOf(filter);
  const [first] = words;
  const hits = first ? await foundByIndex(db, first.columns, first.word, FOUND_BY_INDEX_MAX) : null;
  const cheap = isCheap(conditions);

  const { presenceSince } = filter;
  const cheaplyCounted = cheap && words.length === 0 && presenceSince === undefined;
  const [rehearsed, hidden] = await Promise.all([hasRehearsed(db), deletingApplications(db)]);
  const shown = rehearsed ? isOfFleet(words.map(({ word }) => word)) : null;
  const build = (indexed: (place: number) => boolean, whose: RawBuilder<SqlBool> | null = shown): BareDevices => {
    let rows = devicesShown(db, { tenancyId: null }, hidden);
    if (whose) rows = rows.where(whose);
    if (presenceSince !== undefined) rows = rows.where('device.presence_at', '>=', presenceSince);
    if (hits) rows = rows.where(hits);
    for (const [place, condition] of conditions.entries()) {
      // The index of zones is in no order either: it serves where nothing else narrows.
      const useful = indexed(place) && (condition.column !== 'zone_id' || place === 0);
      rows = rows.where(where(condition, !sqlite || (!hits && useful)));
    }
    for (const { columns, word } of words)
      rows = rows.where(
        containsAny(
          columns.map((column) => `device.${column}`),
          word,
        ),
      );
    return rows;
  };
  return {
    // The index over product and presence is in no order: it is for counting alone.
    rows: build((place) => place === 0 || conditions[0]?.column === 'tenancy_id'),
    counted: build((place) => cheap || place === 0, cheaplyCounted ? null : shown),
    countedAway: cheaplyCounted && rehearsed ? build(() => false, isRehearsed) : null,
    walked: build(() => false),
    allOf: cheaplyCounted && hidden.length === 0 && conditions.every(isTenancy) ? scope : null,
    cheaplyCounted,
    searched: hits !== null,
    inOrder: !hits && (conditions[0]?.values.length ?? 1) === 1 && conditions[0]?.column !== 'zone_id',
  };
};
