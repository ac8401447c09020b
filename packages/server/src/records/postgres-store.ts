import type { Pool, PoolClient } from 'pg';
import {
  type Batch,
  countersOf,
  type Known,
  latestOf,
  logDaysOf,
  type RecordStore,
  type Uplink,
  type Verdict,
} from './batch.ts';
import { onConflict, type RecordColumn, type RecordTable, recordColumns } from './columns.ts';
import { asked, judge, splitByMark } from './judge.ts';

type Row = Record<string, string | number>;

/** Many rows in one statement of constant text, so that the server plans it once. */
const insertRows = async (client: PoolClient, table: RecordTable, rows: Row[]): Promise<void> => {
  if (rows.length === 0) return;
  const columns: readonly RecordColumn[] = recordColumns[table];
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  await client.query({
    name: `insert ${table}`,
    text: `insert into ${table} (${names}) select * from unnest(${arrays}) ${onConflict[table]}`,
    values: columns.map(([name]) => rows.map((row) => row[name])),
  });
};

const readMarks = async (client: PoolClient, uplinks: Uplink[]): Promise<Map<string, number>> => {
  const sessions = [
    ...new Set(uplinks.filter(({ record }) => record.response === 0).map(({ record }) => record.session_id)),
  ];
  if (sessions.length === 0) return new Map();
  const { rows } = await client.query<{ session_id: string; mark: number }>({
    name: 'marks',
    text: 'select session_id, mark from session_mark where session_id = any($1::text[]) order by session_id for update',
    values: [sessions],
  });
  return new Map(rows.map(({ session_id, mark }) => [session_id, mark]));
};

const readKnown = async (client: PoolClient, records: Uplink['record'][]): Promise<Known[]> => {
  if (records.length === 0) return [];
  const { rows } = await client.query<Known>({
    name: 'known',
    text: `select record.device_id, record.message_id, session_id, response, device_time, envelope
      from unnest($1::text[], $2::bigint[]) as asked (device_id, message_id)
      join message_record as record on record.device_id = asked.device_id and record.message_id = asked.message_id`,
    values: [records.map(({ device_id }) => device_id), records.map(({ message_id }) => message_id)],
  });
  return rows;
};

const insertAll = async (client: PoolClient, batch: Batch, stored: Uplink[], marks: Map<string, number>) => {
  const updated_at = Date.now();
  const sessions = new Map(
    stored.filter(({ record }) => record.response === 0).map(({ record }) => [record.session_id, record.device_id]),
  );
  const samples = stored.flatMap((uplink) => uplink.samples);
  const logs = stored.flatMap((uplink) => uplink.logs);
  await insertRows(client, 'message_record', [...stored.map(({ record }) => record), ...batch.downlinks]);
  await insertRows(
    client,
    'session_mark',
    [...sessions]
      .sort()
      .map(([session_id, device_id]) => ({ session_id, device_id, mark: marks.get(session_id) ?? -1, updated_at })),
  );
  await insertRows(client, 'property_sample', samples);
  await insertRows(client, 'latest_value', latestOf(samples));
  await insertRows(client, 'device_log', logs);
  await insertRows(client, 'device_log_day', logDaysOf(logs));
  await insertRows(client, 'connect_record', batch.connects);
  await insertRows(client, 'quarter_counter', countersOf(batch.hubNo, stored, batch.connects));
};

export const createPostgresStore = (pool: Pool): RecordStore => ({
  write: async (batch): Promise<Verdict[]> => {
    const client = await pool.connect();
    let fault: Error | undefined;
    try {
      await client.query('begin');
      const marks = await readMarks(client, batch.uplinks);
      const fresh = splitByMark(batch.uplinks, marks);
      const verdicts = judge(batch.uplinks, fresh, await readKnown(client, asked(batch.uplinks, fresh)));
      const stored = batch.uplinks.filter((_, index) => verdicts[index] === 'stored');
      await insertAll(client, batch, stored, marks);
      await client.query('commit');
      return verdicts;
    } catch (error) {
      fault = error as Error;
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      // A connection on which something failed is not given to the next one.
      client.release(fault);
    }
  },
  close: () => pool.end(),
});
