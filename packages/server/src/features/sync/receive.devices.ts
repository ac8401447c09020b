import { NodeType, type SyncedDevice, type SyncItem, syncedDevice } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db, RecordDb } from '../../db/connect.ts';
import { factColumns } from '../../db/device-facts.ts';
import { keepUnreserved, reservedAmong } from '../../db/device-ids.ts';
import { transact } from '../../db/errors.ts';
import { propertiesOf, propertyProblem } from '../../db/property-values.ts';
import { markReceived } from '../../db/sync-flags.ts';
import { versionColumns } from '../../db/version-keys.ts';
import { fold } from '../../platform/fold-case.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import { judgeRow, type ReceiveTarget, readContent, refused, refusedTaken, type Verdict } from './receive.result.ts';
import { hashOf } from './sync.items.ts';
import type { Reason } from './sync.reason.ts';

type Deps = { db: Db; records: RecordDb };
type Read = { item: SyncItem; content: SyncedDevice };
/** `stored` is the revision of what is written: one below the item's where values were left out. */
type Judged = Verdict & { content: SyncedDevice; stored: number; omitted?: Reason['params'] };

/** Rows of one statement of values. */
const VALUES_AT_ONCE = 500;

/** Which of the devices that are named as gateways the tenant has, here or among what was sent, and what they are. */
const lookForParents = async (
  db: Db,
  { tenancyId }: ReceiveTarget,
  read: Read[],
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

/** What is there already of what the items name. */
const look = async (db: Db, landing: ReceiveTarget, read: Read[]) => {
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
    parents: await lookForParents(db, landing, read, productsById),
    reserved: await reservedAmong(db, landing.tenancyId, ids),
  };
};

type Present = Awaited<ReturnType<typeof look>>;

const judge = ({ devices, products, reserved }: Present, landing: ReceiveTarget, { item, content }: Read): Verdict => {
  const { productId } = content;
  const { tenancyId } = landing;
  if (products.get(productId)?.tenancy_id !== tenancyId) return refused(item, 'productMissing', { productId });
  const row = devices.get(item.id);
  if (!row && reserved.has(item.id)) return refusedTaken(item, 'deviceIdTaken', '', landing);
  const verdict = judgeRow(item, row, landing);
  if (row && verdict.result !== 'refused' && row.product_id !== productId)
    return refused(item, 'productDiffers', { productId: row.product_id });
  return verdict;
};

const writes = ({ result }: Pick<Verdict, 'result'>): boolean => result === 'created' || result === 'changed';

/** Values that the model does not allow are left out: the revision stays below theirs, so that they can come yet. */
const judgeValues = (present: Present, landing: ReceiveTarget, entry: Read): Judged => {
  const { item, content } = entry;
  const judged = { ...judge(present, landing, entry), content, stored: item.revision };
  if (!writes(judged)) return judged;
  const properties = present.propertiesOf(content.productId);
  const problems = content.values.map((value) => propertyProblem(properties, value, landing.language));
  const omitted = problems.find((problem) => problem !== undefined);
  if (!omitted) return judged;
  const values = content.values.filter((_, index) => problems[index] === undefined);
  return { ...judged, content: { ...content, values }, stored: Math.max(0, item.revision - 1), omitted };
};

/** The answer to the sender: that the rest was stored does not make an item whole. */
const answered = (judged: Judged): Judged =>
  judged.omitted && writes(judged) ? { ...judged, ...refused(judged.item, 'invalid', judged.omitted) } : judged;

/**
 * Nobody is behind himself, or behind what is no gateway. One that this tenant does not have may come later, so its id is
 * kept; whether another tenant has it is not looked at, and it is never joined there.
 */
const parentOf = ({ parents }: Present, { item, content: { parentId } }: Pick<Judged, 'item' | 'content'>): string =>
  parentId === item.id || (parents.get(parentId) ?? NodeType.gateway) !== NodeType.gateway ? '' : parentId;

const fieldsOf = (present: Present, { sender, keyId }: ReceiveTarget, { item, content, stored }: Judged) => ({
  received_from: sender,
  received_key: keyId,
  device_name: content.deviceName,
  device_name_key: fold(content.deviceName),
  ...factColumns(content),
  ...versionColumns(content.versionNumber),
  parent_id: parentOf(present, { item, content }),
  revision: stored,
  // Set when its values are stored too.
  content_hash: '',
  updated_at: Date.now(),
});

export const createDeviceReceiver = ({ db, records }: Deps) => {
  const insert = async (db: Db, landing: ReceiveTarget, present: Present, created: Judged[]): Promise<Set<string>> => {
    if (created.length === 0) return new Set();
    const now = Date.now();
    const rows = await db
      .insertInto('device')
      .values(
        created.map((judged) => ({
          device_id: judged.item.id,
          registration_no: nextSequenceId(now),
          device_id_key: fold(judged.item.id),
          tenancy_id: landing.tenancyId,
          product_id: judged.content.productId,
          application_id: landing.applicationId,
          zone_id: landing.zoneId,
          ...fieldsOf(present, landing, judged),
          online: 2 as const,
          mock: 0 as const,
          origin_id: judged.item.origin,
          created_at: now,
        })),
      )
      .onConflict((row) => row.column('device_id').doNothing())
      .returning('device_id')
      .execute();
    const inserted = await keepUnreserved(
      db,
      landing.tenancyId,
      rows.map((row) => row.device_id),
    );
    const noGateways = created.filter(
      ({ item }) => inserted.has(item.id) && present.parents.get(item.id) !== NodeType.gateway,
    );
    if (noGateways.length > 0)
      // Devices that came before it and name it as their gateway.
      await db
        .updateTable('device')
        .set({ parent_id: '' })
        .where(
          'parent_id',
          'in',
          noGateways.map(({ item }) => item.id),
        )
        .where('tenancy_id', '=', landing.tenancyId)
        .execute();
    return inserted;
  };

  const update = async (db: Db, landing: ReceiveTarget, present: Present, judged: Judged): Promise<boolean> => {
    const { item } = judged;
    const { numUpdatedRows } = await db
      .updateTable('device')
      .set(fieldsOf(present, landing, judged))
      .where('device_id', '=', item.id)
      .where('tenancy_id', '=', landing.tenancyId)
      .where('origin_id', '=', item.origin)
      .where('revision', '<=', item.revision)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  };

  /** The rows, all in one transaction. What somebody else changed at the same moment is judged at the next try. */
  const writeRows = (landing: ReceiveTarget, read: Read[]): Promise<Judged[]> =>
    transact(db, async (db) => {
      const present = await look(db, landing, read);
      const judged = read.map((entry) => judgeValues(present, landing, entry));
      const inserted = await insert(
        db,
        landing,
        present,
        judged.filter(({ result }) => result === 'created'),
      );
      const told: Judged[] = [];
      for (const entry of judged) {
        const { item, result, stored } = entry;
        const lost =
          (result === 'created' && !inserted.has(item.id)) ||
          (result === 'changed' && !(await update(db, landing, present, entry)));
        told.push(lost ? { ...entry, ...refused(item, 'fault') } : entry);
        if (!lost && writes(entry)) await markReceived(db, 2, { id: item.id, revision: stored }, landing.sender);
      }
      return told;
    });

  /** The latest values are those that were sent, and no others: nobody else writes values of a received device. */
  const writeValues = (written: Judged[]): Promise<void> =>
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
      for (let from = 0; from < rows.length; from += VALUES_AT_ONCE)
        await records
          .insertInto('latest_value')
          .values(rows.slice(from, from + VALUES_AT_ONCE))
          .execute();
    });

  const finish = (written: Judged[]): Promise<void> =>
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

  return async (landing: ReceiveTarget, items: SyncItem[], preview: boolean): Promise<Verdict[]> => {
    const verdicts: Verdict[] = [];
    const read: Read[] = [];
    for (const item of items) {
      const one = readContent<SyncedDevice>(syncedDevice, item, landing.language);
      if ('verdict' in one) verdicts.push(one.verdict);
      else read.push({ item, content: one.content });
    }
    if (read.length === 0) return verdicts;
    if (preview) {
      const present = await look(db, landing, read);
      return [...verdicts, ...read.map((entry) => answered(judgeValues(present, landing, entry)))];
    }
    const judged = await writeRows(landing, read);
    const written = judged.filter(writes);
    if (written.length > 0) {
      await writeValues(written);
      await finish(written);
    }
    return [...verdicts, ...judged.map(answered)];
  };
};

export type DeviceReceiver = ReturnType<typeof createDeviceReceiver>;
