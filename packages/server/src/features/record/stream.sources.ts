import type { StreamEvents, StreamKind } from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db, RecordDb } from '../../db/connect.ts';
import type { ConnectRecordTable } from '../../db/record-tables.ts';
import type { Scope } from '../../db/scope.ts';
import { iso } from '../../platform/time.ts';
import { logAnswer, messageAnswer, valueAnswer } from './record.rows.ts';
import type { Entry, Read } from './stream.feed.ts';

type Presence = Selectable<ConnectRecordTable>;

/** Of one device, or of all that the scope holds. */
export type Watched = { scope: Scope; deviceId: string | null };

const entry = <Kind extends StreamKind>(number: number, key: string | number, data: StreamEvents[Kind]): Entry => ({
  number,
  key: String(key),
  data,
});

/** How each kind of record is read after a number, by an index of its own. */
export const createSources = (db: Db, records: RecordDb, { scope, deviceId }: Watched): Record<StreamKind, Read> => {
  /** A refused log-in says nothing about the connection that the device may well have. */
  const onlineOf = async (rows: Presence[]): Promise<Map<string, 1 | 2>> => {
    const refused = rows.filter((row) => row.status === 3).map((row) => row.device_id);
    if (refused.length === 0) return new Map();
    const devices = await db
      .selectFrom('device')
      .select(['device_id', 'online'])
      .where('device_id', 'in', [...new Set(refused)])
      .execute();
    return new Map(devices.map((row) => [row.device_id, row.online]));
  };

  return {
    async presence(after, limit) {
      let query = records.selectFrom('connect_record').selectAll().where('record_id', '>', after);
      if (deviceId !== null) query = query.where('device_id', '=', deviceId);
      if (scope.tenancyId !== null)
        query = query.where('tenancy_id', '=', scope.tenancyId).where('status', 'in', [1, 2, 3]);
      const rows = await query.orderBy('record_id').limit(limit).execute();
      const online = await onlineOf(rows);
      return rows.map((row) =>
        entry<'presence'>(row.record_id, row.record_id, {
          deviceId: row.device_id,
          online: row.status === 3 ? (online.get(row.device_id) ?? 2) : row.status,
          time: iso(row.connect_time),
          reason: row.reason,
          status: row.status,
        }),
      );
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

    /** Several values of one message share its number, and a later one of a property takes the earlier one's place. */
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
};
