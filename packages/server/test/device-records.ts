import { nextSequenceId } from '../src/platform/ids.ts';
import type { Hub } from './hub.ts';

type Whose = { tenancyId: string; productId: string; deviceId: string };

const columnsOf = ({ tenancyId, deviceId }: Whose) => ({ tenancy_id: tenancyId, device_id: deviceId });

/** The row that the device process writes for a message. */
export const messageRow = (whose: Whose, more: object = {}) => {
  const now = Date.now();
  return {
    record_id: nextSequenceId(now),
    ...columnsOf(whose),
    message_time: now,
    data_flow: 1 as const,
    response: 0 as const,
    message_type: 2,
    function_type: 1,
    function_id: 'power',
    code: 0,
    message_id: 10_000,
    session_id: 'S1',
    device_time: now,
    value: 'true',
    envelope: '{}',
    ...more,
  };
};

export const connectRow = (whose: Whose, status: 1 | 2 | 3, more: object = {}) => {
  const now = Date.now();
  return {
    record_id: nextSequenceId(now),
    ...columnsOf(whose),
    product_id: whose.productId,
    connect_time: now,
    status,
    reason: '',
    place: '' as const,
    detail: '',
    ip: '127.0.0.1',
    transport: 'tcp',
    duration_ms: 0,
    ...more,
  };
};

export const logRow = (whose: Whose, log: string, more: object = {}) => {
  const now = Date.now();
  return { record_id: nextSequenceId(now), ...columnsOf(whose), log_time: now, level: 4, log, ...more };
};

/** Inserts a record of every kind, and a command. */
export const insertRecords = async ({ db, records }: Hub, whose: Whose): Promise<void> => {
  const message = messageRow(whose);
  const log = logRow(whose, 'started');
  const sample = {
    device_id: whose.deviceId,
    sign_code: 'power',
    sample_time: message.message_time,
    record_id: message.record_id,
    value: 'true',
  };
  await records.insertInto('message_record').values(message).execute();
  await records.insertInto('property_sample').values(sample).execute();
  await records.insertInto('latest_value').values(sample).execute();
  await records
    .insertInto('connect_record')
    .values([connectRow(whose, 1), connectRow(whose, 2, { reason: 'byDevice' }), connectRow(whose, 3)])
    .execute();
  await records.insertInto('device_log').values(log).execute();
  const log_day = new Date(log.log_time).toISOString().slice(0, 10);
  await records.insertInto('device_log_day').values({ device_id: whose.deviceId, log_day, lines: 1 }).execute();
  const session = { session_id: `S-${whose.deviceId}`, device_id: whose.deviceId, mark: 10_000, updated_at: 1 };
  await records.insertInto('session_mark').values(session).execute();
  await db
    .insertInto('device_command')
    .values({
      command_id: nextSequenceId(),
      ...columnsOf(whose),
      via_id: whose.deviceId,
      message_type: 4,
      function_type: 31,
      function_id: 'restart',
      payload: '{}',
      state: 'answered',
      code: 200,
      message: '',
      output: null,
      creator: 'admin',
      created_at: 1,
      sent_at: 1,
      answered_at: 2,
      deadline: 3,
    })
    .execute();
};

const tables = [
  'message_record',
  'property_sample',
  'latest_value',
  'connect_record',
  'device_log',
  'device_log_day',
  'session_mark',
] as const;

/** All records of these devices, by table. */
export const recordsOf = async ({ records }: Hub, deviceIds: string[]): Promise<Record<string, object[]>> => {
  const read = tables.map(async (table) => {
    const rows = await records
      .selectFrom(table)
      .selectAll()
      .where('device_id', 'in', ['', ...deviceIds])
      .execute();
    return [table, rows] as const;
  });
  return Object.fromEntries(await Promise.all(read));
};
