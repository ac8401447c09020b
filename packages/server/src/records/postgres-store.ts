import type { Pool, PoolClient } from 'pg';
import { firstNumberAt, timeOfId, timeOfNumber } from '../platform/ids.ts';
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
import { asked, createHistory, judge, splitByHighWaterMark } from './deduplicate.ts';
import { DAY_MS, type Partitions } from './partitions.ts';

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

const lockMarks = async (client: PoolClient, sessions: string[], marks: Map<string, number>): Promise<void> => {
  const { rows } = await client.query<{ session_id: string; mark: number }>({
    name: 'marks',
    text: 'select session_id, mark from session_mark where session_id = any($1::text[]) order by session_id for update',
    values: [sessions],
  });
  for (const { session_id, mark } of rows) marks.set(session_id, mark);
};

/**
 * The marks, held until the commit. A device that goes from one hub to another sends again what it has no answer to,
 * while the first hub may still be writing it: the second waits here, and then finds it. So a session that has no mark
 * yet is given one to hold.
 */
const readMarks = async (client: PoolClient, uplinks: Uplink[]): Promise<Map<string, number>> => {
  const marks = new Map<string, number>();
  const devices = new Map(uplinks.map(({ record }) => [record.session_id, record.device_id]));
  if (devices.size === 0) return marks;
  await lockMarks(client, [...devices.keys()], marks);
  const without = [...devices].filter(([sessionId]) => !marks.has(sessionId)).sort();
  if (without.length === 0) return marks;
  const updated_at = Date.now();
  await insertRows(
    client,
    'session_mark',
    without.map(([session_id, device_id]) => ({ session_id, device_id, mark: -1, updated_at })),
  );
  await lockMarks(
    client,
    without.map(([sessionId]) => sessionId),
    marks,
  );
  return marks;
};

type Asked = Uplink['record'];

const readKnownSince = async (client: PoolClient, records: Asked[], since: number): Promise<Known[]> => {
  if (records.length === 0) return [];
  const { rows } = await client.query<Known>({
    name: 'known',
    text: `select record.device_id, record.message_id, session_id, response, device_time, envelope
      from unnest($1::text[], $2::bigint[]) as asked (device_id, message_id)
      join message_record as record on record.device_id = asked.device_id and record.message_id = asked.message_id
      where record.record_id >= $3`,
    values: [records.map(({ device_id }) => device_id), records.map(({ message_id }) => message_id), since],
  });
  return rows;
};

/** Clocks of several hubs may differ, though not by that much. */
const SLACK_MS = DAY_MS;
const RECENT_MS = 2 * DAY_MS;

/** It cannot be in history before its session began or, if it answers a command, before that was given its number. */
const oldestOf = ({ response, message_id, session_id }: Asked): number =>
  firstNumberAt((response === 1 ? timeOfNumber(message_id) : timeOfId(session_id)) - SLACK_MS);

/** What is sent again was sent lately, as a rule: only for the rest are all partitions looked at. */
const readKnown = async (client: PoolClient, records: Asked[]): Promise<Known[]> => {
  const recent = firstNumberAt(Date.now() - RECENT_MS);
  const known = await readKnownSince(client, records, recent);
  const { sameAs } = createHistory(known);
  const rest = records.filter((record) => oldestOf(record) < recent && !sameAs(record));
  const since = rest.reduce((oldest, record) => Math.min(oldest, oldestOf(record)), recent);
  return [...known, ...(await readKnownSince(client, rest, Math.max(0, since)))];
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
  await insertRows(client, 'quarter_counter', countersOf(batch, stored));
};

const writeBatch = async (pool: Pool, batch: Batch): Promise<Verdict[]> => {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    await client.query('begin');
    const marks = await readMarks(client, batch.uplinks);
    const fresh = splitByHighWaterMark(batch.uplinks, marks);
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
};

const TRY_AGAIN_MS = 60_000;

export const createPostgresStore = (pool: Pool, { makeAhead }: Pick<Partitions, 'makeAhead'>): RecordStore => {
  let lookAgainAt = 0;

  /** Once a day. Without a partition its rows go into the net, so that a failure here keeps no message waiting. */
  const makePartitions = async (): Promise<void> => {
    const now = Date.now();
    if (now < lookAgainAt) return;
    lookAgainAt = now + TRY_AGAIN_MS;
    const made = await makeAhead(now).then(
      () => true,
      () => false,
    );
    if (made) lookAgainAt = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  };

  return {
    // A batch is asked and answered eight times; meanwhile the other lane works. A third brought nothing more.
    lanes: 2,
    write: async (batch) => {
      await makePartitions();
      return writeBatch(pool, batch);
    },
    close: () => pool.end(),
  };
};
