import {
  CODE_OK,
  ConnectStatus,
  type EventDefinition,
  type RecordKind,
  type StreamEvents,
} from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import type { Scope } from '../../db/scope.ts';
import { storedJson } from '../../db/stored.ts';
import { firstSequenceIdAt } from '../../platform/ids.ts';
import { iso } from '../../platform/time.ts';
import { logAnswer, messageAnswer, valueAnswer } from './record.rows.ts';
import type { Entry, Read } from './stream.feed.ts';

type DeviceKey = { tenancy_id: string; device_id: string };
const keyOf = ({ tenancy_id, device_id }: DeviceKey): string => `${tenancy_id} ${device_id}`;

type DeviceNames = { device_name: string; product_id: string; product_name: string; online: 1 | 2 };
type EventType = EventDefinition['eventType'];

/** One device, or all devices in scope. */
export type Watched = { scope: Scope; deviceId: string | null };

const entry = <Kind extends RecordKind>(number: number, key: string | number, data: StreamEvents[Kind]): Entry => ({
  number,
  key: String(key),
  data,
});

type Sources = {
  read: Record<RecordKind, Read>;
  /** The number after which the latest `count` presence changes and events follow. */
  startOfLatest: (count: number) => Promise<number>;
};

/** Reads each kind of record after a sequence number, by an index of its own. */
export const createSources = (db: Db, records: RecordDb, { scope, deviceId }: Watched): Sources => {
  /** Keyed by tenant and ID: a rejected login of one tenant's product may name another tenant's device. */
  const namesOf = async (rows: DeviceKey[]): Promise<Map<string, DeviceNames>> => {
    if (rows.length === 0) return new Map();
    const devices = await db
      .selectFrom('device')
      .innerJoin('product', 'product.product_id', 'device.product_id')
      .select(['device_id', 'device.tenancy_id', 'device_name', 'device.product_id', 'product_name', 'online'])
      .where('device_id', 'in', [...new Set(rows.map((row) => row.device_id))])
      .execute();
    return new Map(devices.map((row) => [keyOf(row), row]));
  };

  /** Names and types of events by product, from the models. */
  const eventsOf = async (devices: Iterable<DeviceNames>): Promise<Map<string, { name: string; type: EventType }>> => {
    const products = [...new Set([...devices].map((row) => row.product_id))];
    if (products.length === 0) return new Map();
    const functions = await db
      .selectFrom('product_function')
      .select(['function_id', 'product_id', 'sign_code', 'function_name', 'definition'])
      .where('product_id', 'in', products)
      .where('function_type', '=', 22)
      .execute();
    return new Map(
      functions.map((row) => [
        `${row.product_id} ${row.sign_code}`,
        {
          name: row.function_name,
          type: storedJson<EventDefinition>(row.definition, 'product_function', row.function_id).eventType,
        },
      ]),
    );
  };

  const presenceRows = () => {
    let query = records.selectFrom('connect_record');
    if (deviceId !== null) query = query.where('device_id', '=', deviceId);
    if (scope.tenancyId !== null)
      query = query.where('tenancy_id', '=', scope.tenancyId).where('status', 'in', [1, 2, 3]);
    return query;
  };

  /** Uses a partial index of events. Events that violate the model are excluded: they appear as rejections. */
  const eventRows = () => {
    let query = records
      .selectFrom('message_record')
      .where('function_type', '=', 22)
      .where('data_flow', '=', 1)
      .where('code', '=', CODE_OK);
    if (scope.tenancyId !== null) query = query.where('tenancy_id', '=', scope.tenancyId);
    if (deviceId !== null) query = query.where('device_id', '=', deviceId);
    return query;
  };

  // Record numbers are chronological across both tables.
  const startOfLatest = async (count: number): Promise<number> => {
    const latest = await Promise.all([
      presenceRows().select('record_id').orderBy('record_id', 'desc').limit(count).execute(),
      eventRows().select('record_id').orderBy('record_id', 'desc').limit(count).execute(),
    ]);
    const numbers = latest.flat().map((row) => row.record_id);
    const first = numbers.sort((a, b) => b - a)[count - 1] ?? numbers.at(-1);
    return first === undefined ? firstSequenceIdAt(Date.now()) : first - 1;
  };

  const read: Record<RecordKind, Read> = {
    async presence(after, limit) {
      const rows = await presenceRows()
        .selectAll()
        .where('record_id', '>', after)
        .orderBy('record_id')
        .limit(limit)
        .execute();
      const devices = await namesOf(rows);
      return rows.map((row) => {
        const device = devices.get(keyOf(row));
        return entry<'presence'>(row.record_id, row.record_id, {
          deviceId: row.device_id,
          deviceName: device?.device_name ?? '',
          productName: device?.product_name ?? '',
          // A rejected login says nothing about an existing connection, and the end of a connection replaced at
          // another hub is recorded after the start of the new one. So both show the current state.
          online:
            row.status === ConnectStatus.refused || row.reason === 'replaced' ? (device?.online ?? 2) : row.status,
          time: iso(row.connect_time),
          reason: row.reason,
          status: row.status,
        });
      });
    },

    async message(after, limit) {
      const rows = await records
        .selectFrom('message_record')
        .selectAll()
        .where('device_id', '=', deviceId ?? '')
        .where('record_id', '>', after)
        .orderBy('record_id')
        .limit(limit)
        .execute();
      return rows.map((row) => entry<'message'>(row.record_id, row.record_id, messageAnswer(row)));
    },

    async event(after, limit) {
      const rows = await eventRows()
        .select(['record_id', 'tenancy_id', 'device_id', 'function_id', 'message_time', 'value'])
        .where('record_id', '>', after)
        .orderBy('record_id')
        .limit(limit)
        .execute();
      const devices = await namesOf(rows);
      const events = await eventsOf(devices.values());
      return rows.map((row) => {
        const device = devices.get(keyOf(row));
        const known = events.get(`${device?.product_id} ${row.function_id}`);
        return entry<'event'>(row.record_id, row.record_id, {
          deviceId: row.device_id,
          deviceName: device?.device_name ?? '',
          productName: device?.product_name ?? '',
          event: row.function_id,
          eventName: known?.name ?? row.function_id,
          eventType: known?.type ?? 'info',
          time: iso(row.message_time),
          value: row.value,
        });
      });
    },

    async log(after, limit) {
      const rows = await records
        .selectFrom('device_log')
        .selectAll()
        .where('device_id', '=', deviceId ?? '')
        .where('record_id', '>', after)
        .orderBy('record_id')
        .limit(limit)
        .execute();
      return rows.map((row) => entry<'log'>(row.record_id, row.record_id, logAnswer(row)));
    },

    /** Several values may share a number, and a newer value of a property replaces the previous row. */
    async value(after, limit) {
      const rows = await records
        .selectFrom('latest_value')
        .selectAll()
        .where('device_id', '=', deviceId ?? '')
        .where('record_id', '>', after)
        .orderBy('record_id')
        .orderBy('sign_code')
        .limit(limit)
        .execute();
      return rows.map((row) =>
        entry<'value'>(row.record_id, `${row.record_id} ${row.sign_code}`, {
          deviceId: row.device_id,
          ...valueAnswer(row),
        }),
      );
    },
  };
  return { read, startOfLatest };
};
