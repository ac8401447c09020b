import type { Pool, PoolClient } from 'pg';
import { firstSequenceIdAt, timeOfId, timeOfSequenceId } from '../platform/ids.ts';
import {
  type Batch,
  countersOf,
  latestOf,
  logDaysOf,
  type RecordStore,
  type StoredMessage,
  type Uplink,
  type WriteResult,
} from './batch.ts';
import { onConflict, type RecordColumn, type RecordTable, recordColumns } from './columns.ts';
import { createHistory, deduplicate, possibleDuplicates, splitByHighWaterMark } from './deduplicate.ts';
import { DAY_MS, type Partitions } from './partitions.ts';

type Row = Record<string, string | number>;

/** Inserts many rows with one statement of constant text, which the server plans once. */
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
 * Reads the high-water marks and locks them until the commit. A device that moves to another hub resends what was not
 * acknowledged, while the first hub may still be writing it: the second waits here and then finds it. A session without
 * a mark gets one, so that there is a row to lock.
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

type MessageRecord = Uplink['record'];

const readKnownSince = async (
  client: PoolClient,
  records: MessageRecord[],
  since: number,
): Promise<StoredMessage[]> => {
  if (records.length === 0) return [];
  const { rows } = await client.query<StoredMessage>({
    name: 'known',
    text: `select record.device_id, record.message_id, session_id, response, device_time, envelope
      from unnest($1::text[], $2::bigint[]) as candidate (device_id, message_id)
      join message_record as record on record.device_id = candidate.device_id
        and record.message_id = candidate.message_id
      where record.record_id >= $3`,
    values: [records.map(({ device_id }) => device_id), records.map(({ message_id }) => message_id), since],
  });
  return rows;
};

/** Tolerance for clock differences between hubs. */
const SLACK_MS = DAY_MS;
const RECENT_MS = 2 * DAY_MS;

/** A message cannot be stored before its session began or, as a command result, before the command was created. */
const oldestOf = ({ response, message_id, session_id }: MessageRecord): number =>
  firstSequenceIdAt((response === 1 ? timeOfSequenceId(message_id) : timeOfId(session_id)) - SLACK_MS);

/** Most duplicates are recent: all partitions are searched only for the rest. */
const readKnown = async (client: PoolClient, records: MessageRecord[]): Promise<StoredMessage[]> => {
  const recent = firstSequenceIdAt(Date.now() - RECENT_MS);
  const known = await readKnownSince(client, records, recent);
  const { findSame } = createHistory(known);
  const rest = records.filter((record) => oldestOf(record) < recent && !findSame(record));
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

const writeBatch = async (pool: Pool, batch: Batch): Promise<WriteResult[]> => {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    await client.query('begin');
    const marks = await readMarks(client, batch.uplinks);
    const fresh = splitByHighWaterMark(batch.uplinks, marks);
    const results = deduplicate(
      batch.uplinks,
      fresh,
      await readKnown(client, possibleDuplicates(batch.uplinks, fresh)),
    );
    const stored = batch.uplinks.filter((_, index) => results[index] === 'stored');
    await insertAll(client, batch, stored, marks);
    await client.query('commit');
    return results;
  } catch (error) {
    fault = error as Error;
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    // Destroys the connection after an error instead of returning it to the pool.
    client.release(fault);
  }
};

const RETRY_MS = 60_000;

export const createPostgresStore = (pool: Pool, { createAhead }: Pick<Partitions, 'createAhead'>): RecordStore => {
  let nextCheckAt = 0;

  /** Runs once a day. Without a partition rows go to the default partition, so a failure here delays no message. */
  const createPartitionsAhead = async (): Promise<void> => {
    const now = Date.now();
    if (now < nextCheckAt) return;
    nextCheckAt = now + RETRY_MS;
    const succeeded = await createAhead(now).then(
      () => true,
      () => false,
    );
    if (succeeded) nextCheckAt = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  };

  return {
    // A batch needs eight round trips, during which the other one is written. A third in parallel was not faster.
    parallelWrites: 2,
    write: async (batch) => {
      await createPartitionsAhead();
      return writeBatch(pool, batch);
    },
    close: () => pool.end(),
  };
};
