import {
  bareFunction,
  SYNC_VALUES_MAX,
  SyncDataType,
  type SyncedDevice,
  type SyncedModel,
  type SyncItem,
} from '@device-center/contract';
import { sql } from 'kysely';
import type { Db, RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { attributesOf } from '../../domain/device/attributes.ts';
import { functionOf } from '../../domain/model/functions.ts';
import { digest, firstSequenceIdAt } from '../../platform/ids.ts';
import { propertiesOf, propertyProblem } from './sync.property-values.ts';

type Deps = { db: Db; records: RecordDb; installationId: string };

export type OutgoingItem = {
  item: SyncItem;
  itemName: string;
  tenancyId: string;
  /** The installation that delivered it; '' for an item that is managed here. */
  receivedFrom: string;
};
type DataType = 1 | 2;

/** Items of one database query. */
const BATCH_SIZE = 200;

/** Sorts the keys, so that equal contents have equal JSON and thus equal hashes. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, entry]) => [key, canonical(entry)]),
  );
};

export const hashOf = (content: unknown): string => digest(JSON.stringify(canonical(content)));

export const chunked = <Item>(items: Item[], size = BATCH_SIZE): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

export const createItems = ({ db, records, installationId }: Deps) => {
  const readModels = async (productIds: string[]): Promise<Map<string, OutgoingItem>> => {
    const rows = await db
      .selectFrom('product')
      .innerJoin('category', 'category.category_id', 'product.category_id')
      .selectAll('product')
      .select('category.category_name')
      .where('product_id', 'in', productIds)
      .execute();
    const functions = await db
      .selectFrom('product_function')
      .selectAll()
      .where('product_id', 'in', productIds)
      .orderBy('sort_order')
      .orderBy('function_id')
      .execute();
    return new Map(
      rows.map((row) => {
        const content: SyncedModel = {
          productName: row.product_name,
          description: row.description,
          categoryName: row.category_name,
          nodeType: row.node_type,
          protocolId: row.protocol_id,
          classId: row.class_id,
          allowMd5: row.allow_md5,
          modelVersion: row.model_version,
          functions: functions
            .filter((entry) => entry.product_id === row.product_id)
            .map((entry) => bareFunction(functionOf(entry))),
        };
        const origin = row.origin_id || installationId;
        const revision = row.revision || row.updated_at;
        const item: SyncItem = { kind: 'model', id: row.product_id, origin, revision, content };
        return [
          row.product_id,
          { item, itemName: row.product_name, tenancyId: row.tenancy_id, receivedFrom: row.received_from },
        ];
      }),
    );
  };

  const latestOf = async (deviceIds: string[]) => {
    const rows = await records
      .selectFrom('latest_value')
      .selectAll()
      .where('device_id', 'in', deviceIds)
      .orderBy('device_id')
      .orderBy('sign_code')
      .execute();
    return Map.groupBy(rows, (row) => row.device_id);
  };

  const deviceContents = async (deviceIds: string[]) => {
    const rows = await db.selectFrom('device').selectAll().where('device_id', 'in', deviceIds).execute();
    const latest = await latestOf(deviceIds);
    const properties = await propertiesOf(
      db,
      rows.map((row) => row.product_id),
    );
    return rows.map((row) => {
      const firstRecordId = firstSequenceIdAt(row.created_at);
      const own = properties(row.product_id);
      const values = (latest.get(row.device_id) ?? [])
        .filter((value) => value.record_id >= firstRecordId)
        .map((value) => ({
          signCode: value.sign_code,
          time: value.sample_time,
          value: JSON.parse(value.value) as SyncedDevice['values'][number]['value'],
        }))
        // The receiver would reject a value whose property was removed or has changed its type.
        .filter((value) => !propertyProblem(own, value, 'en_US'));
      const content: SyncedDevice = {
        productId: row.product_id,
        deviceName: row.device_name,
        ...attributesOf(row),
        versionNumber: row.version_number,
        parentId: row.parent_id,
        values: values.slice(0, SYNC_VALUES_MAX),
      };
      return { row, content, hash: hashOf(content) };
    });
  };

  type DeviceContent = Awaited<ReturnType<typeof deviceContents>>[number];

  /** Gives changed devices a new revision, so that they are no longer in sync with any zone. */
  const raiseRevisions = (changed: DeviceContent[]): Promise<Map<string, number>> =>
    transact(db, async (db) => {
      const raised = new Map<string, number>();
      for (const { row, hash } of changed) {
        const now = Date.now();
        const [next] = await db
          .updateTable('device')
          .set({
            revision: sql<number>`case when revision >= ${now} then revision + 1 else ${now} end`,
            content_hash: hash,
          })
          .where('device_id', '=', row.device_id)
          .where('content_hash', '=', row.content_hash)
          .where('revision', '=', row.revision)
          .returning('revision')
          .execute();
        if (!next) continue;
        raised.set(row.device_id, next.revision);
        await db
          .updateTable('sync_record')
          .set({
            revision: next.revision,
            status: sql<0>`case when status = 2 then 0 else status end`,
            updated_at: now,
          })
          .where('device_id', '=', row.device_id)
          .where('data_type', '=', SyncDataType.data)
          .execute();
      }
      return raised;
    });

  /** Reads devices, each with the revision of exactly this content. A device that changes meanwhile is left out. */
  const readDevices = async (deviceIds: string[]): Promise<Map<string, OutgoingItem>> => {
    const contents = await deviceContents(deviceIds);
    const changed = contents.filter(({ row, hash }) => row.origin_id === '' && row.content_hash !== hash);
    const raised = changed.length === 0 ? new Map<string, number>() : await raiseRevisions(changed);
    const changing = new Set(changed.map(({ row }) => row.device_id).filter((deviceId) => !raised.has(deviceId)));
    return new Map(
      contents
        // A received device without a hash is left out: its values are not stored yet.
        .filter(({ row }) => !changing.has(row.device_id) && (row.origin_id === '' || row.content_hash !== ''))
        .map(({ row, content }) => {
          const revision = raised.get(row.device_id) ?? row.revision;
          const origin = row.origin_id || installationId;
          const item: SyncItem = { kind: 'device', id: row.device_id, origin, revision, content };
          return [
            row.device_id,
            { item, itemName: row.device_name, tenancyId: row.tenancy_id, receivedFrom: row.received_from },
          ];
        }),
    );
  };

  /** The items to send, by their ids. */
  const read = async (dataType: DataType, ids: string[]): Promise<Map<string, OutgoingItem>> => {
    const all = new Map<string, OutgoingItem>();
    for (const chunk of chunked(ids)) {
      const found = await (dataType === SyncDataType.model ? readModels(chunk) : readDevices(chunk));
      for (const [id, outgoing] of found) all.set(id, outgoing);
    }
    return all;
  };

  return { read };
};

export type Items = ReturnType<typeof createItems>;
