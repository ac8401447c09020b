import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Batch, countersOf, type Known, latestOf, logDaysOf, type Uplink, type Verdict } from './batch.ts';
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

const insert = (table: string, columns: string[], conflict = ''): ReturnType<DatabaseSync['prepare']> =>
  database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) ${conflict}`,
  );

const statements = {
  mark: database.prepare('select mark from session_mark where session_id = ?'),
  known: database.prepare(
    'select device_id, message_id, session_id, response, device_time, envelope from message_record where device_id = ? and message_id = ?',
  ),
  message: insert('message_record', [
    'record_id',
    'tenancy_id',
    'device_id',
    'message_time',
    'data_flow',
    'response',
    'message_type',
    'function_type',
    'function_id',
    'code',
    'message_id',
    'session_id',
    'device_time',
    'value',
    'envelope',
  ]),
  setMark: insert(
    'session_mark',
    ['session_id', 'device_id', 'mark', 'updated_at'],
    'on conflict (session_id) do update set mark = max(mark, excluded.mark), updated_at = excluded.updated_at',
  ),
  sample: insert(
    'property_sample',
    ['device_id', 'sign_code', 'sample_time', 'record_id', 'value'],
    'on conflict do nothing',
  ),
  latest: insert(
    'latest_value',
    ['device_id', 'sign_code', 'sample_time', 'record_id', 'value'],
    `on conflict (device_id, sign_code) do update set sample_time = excluded.sample_time,
     record_id = excluded.record_id, value = excluded.value where excluded.sample_time >= sample_time`,
  ),
  log: insert('device_log', ['record_id', 'tenancy_id', 'device_id', 'log_time', 'level', 'log']),
  logDay: insert(
    'device_log_day',
    ['device_id', 'log_day', 'lines'],
    'on conflict (device_id, log_day) do update set lines = lines + excluded.lines',
  ),
  connect: insert('connect_record', [
    'record_id',
    'tenancy_id',
    'product_id',
    'device_id',
    'connect_time',
    'status',
    'reason',
    'place',
    'detail',
    'ip',
    'transport',
    'duration_ms',
  ]),
  counter: insert(
    'quarter_counter',
    ['quarter', 'tenancy_id', 'hub_no', 'messages', 'accesses'],
    `on conflict (quarter, tenancy_id, hub_no) do update set messages = messages + excluded.messages,
     accesses = accesses + excluded.accesses`,
  ),
};

const marksOf = (uplinks: Uplink[]): Map<string, number> => {
  const marks = new Map<string, number>();
  for (const { record } of uplinks) {
    if (record.response === 1 || marks.has(record.session_id)) continue;
    const row = statements.mark.get(record.session_id) as { mark: number } | undefined;
    marks.set(record.session_id, row?.mark ?? -1);
  }
  return marks;
};

const knownOf = ({ device_id, message_id }: Uplink['record']): Known[] =>
  statements.known.all(device_id, message_id) as Known[];

const insertMessage = (row: Uplink['record']): void => {
  statements.message.run(
    row.record_id,
    row.tenancy_id,
    row.device_id,
    row.message_time,
    row.data_flow,
    row.response,
    row.message_type,
    row.function_type,
    row.function_id,
    row.code,
    row.message_id,
    row.session_id,
    row.device_time,
    row.value,
    row.envelope,
  );
};

const insertUplinks = (uplinks: Uplink[], marks: Map<string, number>): void => {
  const deviceOfSession = new Map<string, string>();
  for (const { record } of uplinks) {
    insertMessage(record);
    if (record.response === 0) deviceOfSession.set(record.session_id, record.device_id);
  }
  const now = Date.now();
  for (const [sessionId, deviceId] of deviceOfSession)
    statements.setMark.run(sessionId, deviceId, marks.get(sessionId) ?? -1, now);
  const samples = uplinks.flatMap((uplink) => uplink.samples);
  for (const row of samples)
    statements.sample.run(row.device_id, row.sign_code, row.sample_time, row.record_id, row.value);
  for (const row of latestOf(samples))
    statements.latest.run(row.device_id, row.sign_code, row.sample_time, row.record_id, row.value);
  const logs = uplinks.flatMap((uplink) => uplink.logs);
  for (const row of logs)
    statements.log.run(row.record_id, row.tenancy_id, row.device_id, row.log_time, row.level, row.log);
  for (const row of logDaysOf(logs)) statements.logDay.run(row.device_id, row.log_day, row.lines);
};

const insertConnects = (connects: Batch['connects']): void => {
  for (const row of connects)
    statements.connect.run(
      row.record_id,
      row.tenancy_id,
      row.product_id,
      row.device_id,
      row.connect_time,
      row.status,
      row.reason,
      row.place,
      row.detail,
      row.ip,
      row.transport,
      row.duration_ms,
    );
};

const write = ({ hubNo, uplinks, downlinks, connects }: Batch): Verdict[] => {
  database.exec('begin immediate');
  try {
    const marks = marksOf(uplinks);
    const fresh = splitByMark(uplinks, marks);
    const verdicts = judge(uplinks, fresh, asked(uplinks, fresh).flatMap(knownOf));
    const stored = uplinks.filter((_, index) => verdicts[index] === 'stored');
    insertUplinks(stored, marks);
    for (const row of downlinks) insertMessage(row);
    insertConnects(connects);
    for (const row of countersOf(hubNo, stored, connects))
      statements.counter.run(row.quarter, row.tenancy_id, row.hub_no, row.messages, row.accesses);
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
