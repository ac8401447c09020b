import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordTables } from '../db/record-tables.ts';
import {
  type Batch,
  countersOf,
  latestOf,
  logDaysOf,
  type StoredMessage,
  type Uplink,
  type WriteResult,
} from './batch.ts';
import { columnNames, onConflict, type RecordTable } from './columns.ts';
import { deduplicate, possibleDuplicates, splitByHighWaterMark } from './deduplicate.ts';
import { type PackedBatch, unpack } from './pack.ts';
import { openStoredCount } from './stored-count.ts';

/** The writer thread of the records database: prepared statements, one transaction per batch. */

export type StoreRequest = { id: number; batch: PackedBatch };
export type StoreReply =
  | { id: number; results: WriteResult[] }
  | { id: number; error: { message: string; errcode: number } };

const { file, storedCountFile } = workerData as { file: string; storedCountFile: string };
const storedCount = openStoredCount(storedCountFile);
const database = new DatabaseSync(file, { timeout: 2_000 });
// Batches modify the same few pages of each device repeatedly: rare checkpoints write each page once.
database.exec(
  'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -64000; pragma wal_autocheckpoint = 16000;',
);

type Cells<Table extends RecordTable> = { [Column in keyof RecordTables[Table]]: unknown };

/** Prepares the insert of a table. */
const prepareInsert = <Table extends RecordTable>(table: Table): ((row: Cells<Table>) => void) => {
  const columns = columnNames(table);
  const placeholders = columns.map(() => '?').join(', ');
  const statement = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${placeholders}) ${onConflict[table]}`,
  );
  return (row) => {
    statement.run(...columns.map((column) => row[column] as SQLInputValue));
  };
};

const insert = {
  message: prepareInsert('message_record'),
  mark: prepareInsert('session_mark'),
  sample: prepareInsert('property_sample'),
  latest: prepareInsert('latest_value'),
  log: prepareInsert('device_log'),
  logDay: prepareInsert('device_log_day'),
  connect: prepareInsert('connect_record'),
  counter: prepareInsert('quarter_counter'),
};

const addStored = database.prepare(
  `insert into stored_total (total_no, messages) values (1, ?)
   on conflict (total_no) do update set messages = stored_total.messages + excluded.messages returning messages`,
);

const markOf = database.prepare('select mark from session_mark where session_id = ?');
const selectKnown = database.prepare(
  'select device_id, message_id, session_id, response, device_time, envelope from message_record where device_id = ? and message_id = ?',
);

const marksOf = (uplinks: Uplink[]): Map<string, number> => {
  const marks = new Map<string, number>();
  for (const { record } of uplinks) {
    if (record.response === 1 || marks.has(record.session_id)) continue;
    const row = markOf.get(record.session_id) as { mark: number } | undefined;
    marks.set(record.session_id, row?.mark ?? -1);
  }
  return marks;
};

const knownOf = ({ device_id, message_id }: Uplink['record']): StoredMessage[] =>
  selectKnown.all(device_id, message_id) as StoredMessage[];

const insertUplinks = (uplinks: Uplink[], marks: Map<string, number>): void => {
  const deviceOfSession = new Map<string, string>();
  for (const { record } of uplinks) {
    insert.message(record);
    if (record.response === 0) deviceOfSession.set(record.session_id, record.device_id);
  }
  const updated_at = Date.now();
  for (const [session_id, device_id] of deviceOfSession)
    insert.mark({ session_id, device_id, mark: marks.get(session_id) ?? -1, updated_at });
  const samples = uplinks.flatMap((uplink) => uplink.samples);
  for (const row of samples) insert.sample(row);
  for (const row of latestOf(samples)) insert.latest(row);
  const logs = uplinks.flatMap((uplink) => uplink.logs);
  for (const row of logs) insert.log(row);
  for (const row of logDaysOf(logs)) insert.logDay(row);
};

const write = (batch: Batch): WriteResult[] => {
  const { uplinks, downlinks, connects } = batch;
  database.exec('begin immediate');
  try {
    const marks = marksOf(uplinks);
    const fresh = splitByHighWaterMark(uplinks, marks);
    const results = deduplicate(uplinks, fresh, possibleDuplicates(uplinks, fresh).flatMap(knownOf));
    const stored = uplinks.filter((_, index) => results[index] === 'stored');
    insertUplinks(stored, marks);
    for (const row of downlinks) insert.message(row);
    for (const row of connects) insert.connect(row);
    const total = stored.length > 0 ? (addStored.get(stored.length) as { messages: number }) : undefined;
    for (const row of countersOf(batch, stored)) insert.counter(row);
    database.exec('commit');
    if (total) storedCount.write(total.messages);
    return results;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
};

/**
 * Rows that exist only in the WAL are lost with it. It is checkpointed once no batch has come for a second, and after a
 * minute of steady traffic, in which the same pages were modified many times.
 */
const QUIET_MS = 1_000;
const CHECKPOINT_MS = 60_000;
let quiet: NodeJS.Timeout | undefined;
let lastCheckpointAt = Date.now();

const checkpoint = (): void => {
  clearTimeout(quiet);
  lastCheckpointAt = Date.now();
  try {
    // Does not wait: pages that a reader still needs are copied next time.
    database.exec('pragma wal_checkpoint(passive)');
  } catch {
    // For example a full disk, which the next batch reports.
  }
};

const checkpointLater = (): void => {
  clearTimeout(quiet);
  if (Date.now() - lastCheckpointAt > CHECKPOINT_MS) checkpoint();
  else quiet = setTimeout(checkpoint, QUIET_MS);
};

parentPort?.on('message', (request: StoreRequest | 'close') => {
  if (request === 'close') {
    clearTimeout(quiet);
    database.close();
    storedCount.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage({ id: request.id, results: write(unpack(request.batch)) } satisfies StoreReply);
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    parentPort?.postMessage({ id: request.id, error: { message, errcode: errcode ?? 0 } } satisfies StoreReply);
  }
  checkpointLater();
});
