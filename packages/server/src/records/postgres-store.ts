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
import { asked, judge, splitByMark } from './judge.ts';

type Column = [name: string, type: 'bigint' | 'text'];

const int = (name: string): Column => [name, 'bigint'];
const text = (name: string): Column => [name, 'text'];

const tables = {
  message_record: [
    int('record_id'),
    text('tenancy_id'),
    text('device_id'),
    int('message_time'),
    int('data_flow'),
    int('response'),
    int('message_type'),
    int('function_type'),
    text('function_id'),
    int('code'),
    int('message_id'),
    text('session_id'),
    int('device_time'),
    text('value'),
    text('envelope'),
  ],
  session_mark: [text('session_id'), text('device_id'), int('mark'), int('updated_at')],
  property_sample: [text('device_id'), text('sign_code'), int('sample_time'), int('record_id'), text('value')],
  latest_value: [text('device_id'), text('sign_code'), int('sample_time'), int('record_id'), text('value')],
  device_log: [int('record_id'), text('tenancy_id'), text('device_id'), int('log_time'), int('level'), text('log')],
  device_log_day: [text('device_id'), text('log_day'), int('lines')],
  connect_record: [
    int('record_id'),
    text('tenancy_id'),
    text('product_id'),
    text('device_id'),
    int('connect_time'),
    int('status'),
    text('reason'),
    text('place'),
    text('detail'),
    text('ip'),
    text('transport'),
    int('duration_ms'),
  ],
  quarter_counter: [int('quarter'), text('tenancy_id'), int('hub_no'), int('messages'), int('accesses')],
} satisfies Record<string, Column[]>;

const onConflict = {
  message_record: '',
  session_mark: `on conflict (session_id) do update set mark = greatest(session_mark.mark, excluded.mark),
    updated_at = excluded.updated_at`,
  property_sample: 'on conflict do nothing',
  latest_value: `on conflict (device_id, sign_code) do update set sample_time = excluded.sample_time,
    record_id = excluded.record_id, value = excluded.value where excluded.sample_time >= latest_value.sample_time`,
  device_log: '',
  device_log_day: 'on conflict (device_id, log_day) do update set lines = device_log_day.lines + excluded.lines',
  connect_record: '',
  quarter_counter: `on conflict (quarter, tenancy_id, hub_no) do update
    set messages = quarter_counter.messages + excluded.messages,
    accesses = quarter_counter.accesses + excluded.accesses`,
} satisfies Record<keyof typeof tables, string>;

type Row = Record<string, string | number>;

/** Many rows in one statement of constant text, so that the server plans it once. */
const insertRows = async (client: PoolClient, table: keyof typeof tables, rows: Row[]): Promise<void> => {
  if (rows.length === 0) return;
  const columns: Column[] = tables[table];
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
