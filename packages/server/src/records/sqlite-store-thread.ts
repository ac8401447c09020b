import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordTables } from '../db/record-tables.ts';
import { type Batch, countersOf, type Known, latestOf, logDaysOf, type Uplink, type Verdict } from './batch.ts';
import { columnNames, onConflict, type RecordTable } from './columns.ts';
import { asked, judge, splitByMark } from './judge.ts';
import { type PackedBatch, unpack } from './pack.ts';

/** The one writer of the records, in a thread of its own: prepared statements, one transaction a batch. */

export type StoreRequest = { id: number; batch: PackedBatch };
export type StoreReply =
  | { id: number; verdicts: Verdict[] }
  | { id: number; error: { message: string; errcode: number } };

const { file } = workerData as { file: string };
const database = new DatabaseSync(file, { timeout: 2_000 });
// A batch touches a few pages of each device again and again: writing them back seldom writes each of them once.
database.exec(
  'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -64000; pragma wal_autocheckpoint = 16000;',
);

/** How rows of a table are written, each with the same prepared statement. */
const inserting = <Table extends RecordTable>(table: Table): ((row: RecordTables[Table]) => void) => {
  const columns = columnNames(table);
  const places = columns.map(() => '?').join(', ');
  const statement = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${places}) ${onConflict[table]}`,
  );
  return (row) => {
    statement.run(...columns.map((column) => row[column] as SQLInputValue));
  };
};

const insert = {
  message: inserting('message_record'),
  mark: inserting('session_mark'),
  sample: inserting('property_sample'),
  latest: inserting('latest_value'),
  log: inserting('device_log'),
  logDay: inserting('device_log_day'),
  connect: inserting('connect_record'),
  counter: inserting('quarter_counter'),
};

const markOf = database.prepare('select mark from session_mark where session_id = ?');
const knownAs = database.prepare(
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

const knownOf = ({ device_id, message_id }: Uplink['record']): Known[] => knownAs.all(device_id, message_id) as Known[];

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

const write = ({ writerNo, uplinks, downlinks, connects }: Batch): Verdict[] => {
  database.exec('begin immediate');
  try {
    const marks = marksOf(uplinks);
    const fresh = splitByMark(uplinks, marks);
    const verdicts = judge(uplinks, fresh, asked(uplinks, fresh).flatMap(knownOf));
    const stored = uplinks.filter((_, index) => verdicts[index] === 'stored');
    insertUplinks(stored, marks);
    for (const row of downlinks) insert.message(row);
    for (const row of connects) insert.connect(row);
    for (const row of countersOf(writerNo, stored, connects)) insert.counter(row);
    database.exec('commit');
    return verdicts;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
};

parentPort?.on('message', (request: StoreRequest | 'close') => {
  if (request === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage({ id: request.id, verdicts: write(unpack(request.batch)) } satisfies StoreReply);
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    parentPort?.postMessage({ id: request.id, error: { message, errcode: errcode ?? 0 } } satisfies StoreReply);
  }
});
