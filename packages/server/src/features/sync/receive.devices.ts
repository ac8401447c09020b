import { NodeType, type SyncedDevice, type SyncItem, syncedDevice } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db, RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { attributeColumns } from '../../domain/device/attributes.ts';
import { findReserved, removeReserved } from '../../domain/device/ids.ts';
import { versionColumns } from '../../domain/ota/version-keys.ts';
import { markReceived } from '../../domain/sync/flags.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import {
  compareWithRow,
  type ItemResult,
  idTakenResult,
  type ReceiveTarget,
  readContent,
  refusedResult,
} from './receive.result.ts';
import { hashOf } from './sync.items.ts';
import { propertiesOf, propertyProblem } from './sync.property-values.ts';
import type { Reason } from './sync.reason.ts';

type Deps = { db: Db; records: RecordDb };
type ReadDevice = { item: SyncItem; content: SyncedDevice };
/** `stored` is the revision to write: one below the item's where values are omitted. */
type CheckedDevice = ItemResult & { content: SyncedDevice; stored: number; omitted?: Reason['params'] };

/** Rows of one insert of values. */
const VALUE_BATCH = 500;

/** The node types of the named gateways that the tenant has, in the database or in the same delivery. */
const readParents = async (
  db: Db,
  { tenancyId }: ReceiveTarget,
  read: ReadDevice[],
  products: Map<string, { tenancy_id: string; node_type: number }>,
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('device')
    .innerJoin('product', 'product.product_id', 'device.product_id')
    .select(['device_id', 'node_type'])
    .where(
      'device_id',
      'in',
      read.map(({ content }) => content.parentId),
    )
    .where('device.tenancy_id', '=', tenancyId)
    .execute();
  const sent = read.flatMap(({ item, content }): [string, number][] => {
    const product = products.get(content.productId);
    return product?.tenancy_id === tenancyId ? [[item.id, product.node_type]] : [];
  });
  return new Map([...sent, ...rows.map((row): [string, number] => [row.device_id, row.node_type])]);
};

/** Reads the existing rows that the items refer to. */
const readExisting = async (db: Db, target: ReceiveTarget, read: ReadDevice[]) => {
  const ids = read.map(({ item }) => item.id);
  const devices = await db
    .selectFrom('device')
    .select(['device_id', 'tenancy_id', 'origin_id', 'product_id', 'revision', 'content_hash'])
    .select(['received_key', 'former_origin'])
    .where('device_id', 'in', ids)
    .execute();
  const products = await db
    .selectFrom('product')
    .select(['product_id', 'tenancy_id', 'node_type'])
    .where(
      'product_id',
      'in',
      read.map(({ content }) => content.productId),
    )
    .execute();
  const productsById = new Map(products.map((row) => [row.product_id, row]));
  return {
    devices: new Map(devices.map((row) => [row.device_id, row])),
    products: productsById,
    propertiesOf: await propertiesOf(
      db,
      read.map(({ content }) => content.productId),
    ),
    parents: await readParents(db, target, read, productsById),
    reserved: await findReserved(db, target.tenancyId, ids),
  };
};

type Existing = Awaited<ReturnType<typeof readExisting>>;

const checkDevice = (
  { devices, products, reserved }: Existing,
  target: ReceiveTarget,
  { item, content }: ReadDevice,
): ItemResult => {
  const { productId } = content;
  const { tenancyId } = target;
  if (products.get(productId)?.tenancy_id !== tenancyId) return refusedResult(item, 'productMissing', { productId });
  const row = devices.get(item.id);
  if (!row && reserved.has(item.id)) return idTakenResult(item, 'deviceIdTaken', '', target);
  const itemResult = compareWithRow(item, row, target);
  if (row && itemResult.result !== 'refused' && row.product_id !== productId)
    return refusedResult(item, 'productDiffers', { productId: row.product_id });
  return itemResult;
};

const writes = ({ result }: Pick<ItemResult, 'result'>): boolean => result === 'created' || result === 'changed';

/** Omits values that the model does not allow, and stores a lower revision, so that they can be delivered later. */
const checkValues = (existing: Existing, target: ReceiveTarget, entry: ReadDevice): CheckedDevice => {
  const { item, content } = entry;
  const checked = { ...checkDevice(existing, target, entry), content, stored: item.revision };
  if (!writes(checked)) return checked;
  const properties = existing.propertiesOf(content.productId);
  const problems = content.values.map((value) => propertyProblem(properties, value, target.language));
  const omitted = problems.find((problem) => problem !== undefined);
  if (!omitted) return checked;
  const values = content.values.filter((_, index) => problems[index] === undefined);
  return { ...checked, content: { ...content, values }, stored: Math.max(0, item.revision - 1), omitted };
};

/** The answer to the sender: an item with omitted values is rejected, although the rest was stored. */
const answerFor = (checked: CheckedDevice): CheckedDevice =>
  checked.omitted && writes(checked)
    ? { ...checked, ...refusedResult(checked.item, 'invalid', checked.omitted) }
    : checked;

/**
 * A device is not its own gateway, and its parent must be a gateway. An unknown parent is stored, because it may arrive
 * later; parents of other tenants are not looked up and never joined.
 */
const parentOf = (
  { parents }: Existing,
  { item, content: { parentId } }: Pick<CheckedDevice, 'item' | 'content'>,
): string => (parentId === item.id || (parents.get(parentId) ?? NodeType.gateway) !== NodeType.gateway ? '' : parentId);

const fieldsOf = (existing: Existing, { sender, keyId }: ReceiveTarget, { item, content, stored }: CheckedDevice) => ({
  received_from: sender,
  received_key: keyId,
  device_name: content.deviceName,
  device_name_key: foldCase(content.deviceName),
  ...attributeColumns(content),
  ...versionColumns(content.versionNumber),
  parent_id: parentOf(existing, { item, content }),
  revision: stored,
  // Set when the values are stored too.
  content_hash: '',
  updated_at: Date.now(),
});

export const createDeviceReceiver = ({ db, records }: Deps) => {
  const insert = async (
    db: Db,
    target: ReceiveTarget,
    existing: Existing,
    created: CheckedDevice[],
  ): Promise<Set<string>> => {
    if (created.length === 0) return new Set();
    const now = Date.now();
    const rows = await db
      .insertInto('device')
      .values(
        created.map((checked) => ({
          device_id: checked.item.id,
          registration_no: nextSequenceId(now),
          device_id_key: foldCase(checked.item.id),
          tenancy_id: target.tenancyId,
          product_id: checked.content.productId,
          application_id: target.applicationId,
          zone_id: target.zoneId,
          ...fieldsOf(existing, target, checked),
          online: 2 as const,
          mock: 0 as const,
          origin_id: checked.item.origin,
          created_at: now,
        })),
      )
      .onConflict((row) => row.column('device_id').doNothing())
      .returning('device_id')
      .execute();
    const inserted = await removeReserved(
      db,
      target.tenancyId,
      rows.map((row) => row.device_id),
    );
    const nonGateways = created.filter(
      ({ item }) => inserted.has(item.id) && existing.parents.get(item.id) !== NodeType.gateway,
    );
    if (nonGateways.length > 0)
      // Devices that were delivered earlier with it as their gateway.
      await db
        .updateTable('device')
        .set({ parent_id: '' })
        .where(
          'parent_id',
          'in',
          nonGateways.map(({ item }) => item.id),
        )
        .where('tenancy_id', '=', target.tenancyId)
        .execute();
    return inserted;
  };

  const update = async (
    db: Db,
    target: ReceiveTarget,
    existing: Existing,
    checked: CheckedDevice,
  ): Promise<boolean> => {
    const { item } = checked;
    const { numUpdatedRows } = await db
      .updateTable('device')
      .set(fieldsOf(existing, target, checked))
      .where('device_id', '=', item.id)
      .where('tenancy_id', '=', target.tenancyId)
      .where('origin_id', '=', item.origin)
      .where('revision', '<=', item.revision)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  };

  /** Writes all rows in one transaction. A concurrently changed device gets the result 'fault' and is sent again. */
  const writeRows = (target: ReceiveTarget, read: ReadDevice[]): Promise<CheckedDevice[]> =>
    transact(db, async (db) => {
      const existing = await readExisting(db, target, read);
      const checked = read.map((entry) => checkValues(existing, target, entry));
      const inserted = await insert(
        db,
        target,
        existing,
        checked.filter(({ result }) => result === 'created'),
      );
      const outcomes: CheckedDevice[] = [];
      for (const entry of checked) {
        const { item, result, stored } = entry;
        const lost =
          (result === 'created' && !inserted.has(item.id)) ||
          (result === 'changed' && !(await update(db, target, existing, entry)));
        outcomes.push(lost ? { ...entry, ...refusedResult(item, 'fault') } : entry);
        if (!lost && writes(entry)) await markReceived(db, 2, { id: item.id, revision: stored }, target.sender);
      }
      return outcomes;
    });

  /** Replaces the latest values: a received device has no other source of values. */
  const writeValues = (written: CheckedDevice[]): Promise<void> =>
    transact(records, async (records) => {
      const ids = written.map(({ item }) => item.id);
      await records.deleteFrom('latest_value').where('device_id', 'in', ids).execute();
      const rows = written.flatMap(({ item, content }) =>
        [...new Map(content.values.map((value) => [value.signCode, value])).values()].map((value) => ({
          device_id: item.id,
          sign_code: value.signCode,
          sample_time: value.time,
          record_id: nextSequenceId(),
          value: JSON.stringify(value.value),
        })),
      );
      for (let from = 0; from < rows.length; from += VALUE_BATCH)
        await records
          .insertInto('latest_value')
          .values(rows.slice(from, from + VALUE_BATCH))
          .execute();
    });

  const setHashes = (written: CheckedDevice[]): Promise<void> =>
    transact(db, async (db) => {
      for (const { item, content, stored } of written)
        await db
          .updateTable('device')
          .set({ content_hash: hashOf(content) })
          .where('device_id', '=', item.id)
          .where('revision', '=', stored)
          .where(sql<boolean>`content_hash = ''`)
          .execute();
    });

  return async (target: ReceiveTarget, items: SyncItem[], preview: boolean): Promise<ItemResult[]> => {
    const results: ItemResult[] = [];
    const read: ReadDevice[] = [];
    for (const item of items) {
      const one = readContent<SyncedDevice>(syncedDevice, item, target.language);
      if ('itemResult' in one) results.push(one.itemResult);
      else read.push({ item, content: one.content });
    }
    if (read.length === 0) return results;
    if (preview) {
      const existing = await readExisting(db, target, read);
      return [...results, ...read.map((entry) => answerFor(checkValues(existing, target, entry)))];
    }
    const checked = await writeRows(target, read);
    const written = checked.filter(writes);
    if (written.length > 0) {
      await writeValues(written);
      await setHashes(written);
    }
    return [...results, ...checked.map(answerFor)];
  };
};

export type DeviceReceiver = ReturnType<typeof createDeviceReceiver>;
