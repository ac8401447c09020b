import type { RecordTables } from '../db/record-tables.ts';

export type RecordColumn<Name extends string = string> = readonly [name: Name, type: 'bigint' | 'text'];
/** The tables that a batch writes. */
export type RecordTable = Exclude<keyof RecordTables, 'counter_total' | 'stored_total' | 'lost_messages'>;

const int = <Name extends string>(name: Name): RecordColumn<Name> => [name, 'bigint'];
const text = <Name extends string>(name: Name): RecordColumn<Name> => [name, 'text'];

/** The columns of each table in the order in which both engines write them. */
export const recordColumns = {
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
  quarter_counter: [int('quarter'), text('tenancy_id'), int('hub_no'), int('messages'), int('accesses'), int('bytes')],
} satisfies { [Table in RecordTable]: RecordColumn<keyof RecordTables[Table] & string>[] };

/** SQL for both engines: existing values are qualified with their table. */
export const onConflict = {
  message_record: '',
  session_mark: `on conflict (session_id) do update set updated_at = excluded.updated_at,
    mark = case when excluded.mark > session_mark.mark then excluded.mark else session_mark.mark end`,
  property_sample: 'on conflict do nothing',
  latest_value: `on conflict (device_id, sign_code) do update set sample_time = excluded.sample_time,
    record_id = excluded.record_id, value = excluded.value where excluded.sample_time >= latest_value.sample_time`,
  device_log: '',
  device_log_day: 'on conflict (device_id, log_day) do update set lines = device_log_day.lines + excluded.lines',
  connect_record: '',
  quarter_counter: `on conflict (quarter, tenancy_id, hub_no) do update
    set messages = quarter_counter.messages + excluded.messages,
    accesses = quarter_counter.accesses + excluded.accesses,
    bytes = quarter_counter.bytes + excluded.bytes`,
} satisfies Record<RecordTable, string>;

export const columnNames = <Table extends RecordTable>(table: Table): (keyof RecordTables[Table] & string)[] =>
  recordColumns[table].map(([name]) => name as keyof RecordTables[Table] & string);
