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
import { firstNumberAt } from '../../platform/ids.ts';
import { iso } from '../../platform/time.ts';
import { logAnswer, messageAnswer, valueAnswer } from './record.rows.ts';
import type { Entry, Read } from './stream.feed.ts';

type Whose = { tenancy_id: string; device_id: string };
const keyOf = ({ tenancy_id, device_id }: Whose): string => `${tenancy_id} ${device_id}`;

type Named = { device_name: string; product_id: string; product_name: string; online: 1 | 2 };
type EventType = EventDefinition['eventType'];

/** Of one device, or of all that the scope holds. */
export type Watched = { scope: Scope; deviceId: string | null };

const entry = <Kind extends RecordKind>(number: number, key: string | number, data: StreamEvents[Kind]): Entry => ({
  number,
  key: String(key),
  data,
});

type Sources = {
  read: Record<RecordKind, Read>;
  /** The number after which the last `count` presence changes and events come. */
  startOfLatest: (count: number) => Promise<number>;
};

/** How each kind of record is read after a number, by an index of its own. */
export const createSources = (db: Db, records: RecordDb, { scope, deviceId }: Watched): Sources => {
  /** By tenant and id: a refused log-in of one tenant's product may name another tenant's device. */
  const namesOf = async (rows: Whose[]): Promise<Map<string, Named>> => {
    if (rows.length === 0) return new Map();
    const devices = await db
      .selectFrom('device')
      .innerJoin('product', 'product.product_id', 'device.product_id')
      .select(['device_id', 'device.tenancy_id', 'device_name', 'device.product_id', 'product_name', 'online'])
      .where('device_id', 'in', [...new Set(rows.map((row) => row.device_id))])
      .execute();
    return new Map(devices.map((row) => [keyOf(row), row]));
  };

  /** What the models call these events. */
  const eventsOf = async (devices: Iterable<Named>): Promise<Map<string, { name: string; type: EventType }>> => {
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

  /** By an index that holds events alone; one that the model refused is shown as a refusal. */
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

  // Numbers rise with time across both tables.
  const startOfLatest = async (count: number): Promise<number> => {
    const latest = await Promise.all([
      presenceRows().select('record_id').orderBy('record_id', 'desc').limit(count).execute(),
      eventRows().select('record_id').orderBy('record_id', 'desc').limit(count).execute(),
    ]);
    const numbers = latest.flat().map((row) => row.record_id);
    const first = numbers.sort((a, b) => b - a)[count - 1] ?? numbers.at(-1);
    return first === undefined ? firstNumberAt(Date.now()) : first - 1;
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
          // A refused log-in says nothing about the connection that the device may well have, and one that was replaced
          // at another hub is told after the one that replaced it.
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

    /** Several values may have one number, and a later one of a property takes the earlier one's place. */
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
