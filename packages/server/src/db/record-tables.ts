import type { Defaulted } from './column-types.ts';

/** Generated from the migrations: node packages/server/row-types.ts --write */

export type ConnectRecordTable = {
  record_id: number;
  tenancy_id: string;
  product_id: string;
  device_id: string;
  connect_time: number;
  /** 1 connected, 2 disconnected, 3 rejected. */
  status: 1 | 2 | 3;
  reason: string;
  place: '' | 'login' | 'connect' | 'message';
  detail: string;
  ip: string;
  transport: string;
  duration_ms: number;
};

export type CounterTotalTable = {
  tenancy_id: string;
  messages: number;
  accesses: number;
};

export type DeviceLogTable = {
  record_id: number;
  tenancy_id: string;
  device_id: string;
  log_time: number;
  level: number;
  log: string;
};

export type DeviceLogDayTable = {
  device_id: string;
  log_day: string;
  lines: number;
};

export type LatestValueTable = {
  device_id: string;
  sign_code: string;
  sample_time: number;
  /** Its own number; only demonstration samples have the number of their message. */
  record_id: number;
  value: string;
};

export type LostMessagesTable = {
  found_at: number;
  messages: number;
};

export type MessageRecordTable = {
  record_id: number;
  tenancy_id: string;
  device_id: string;
  /** Times are milliseconds since 1970, values are JSON. */
  message_time: number;
  /** 1 up, 2 down. */
  data_flow: 1 | 2;
  response: 0 | 1;
  message_type: number;
  function_type: number;
  function_id: string;
  code: number;
  message_id: number;
  session_id: string;
  device_time: number;
  value: string;
  envelope: string;
};

export type PropertySampleTable = {
  device_id: string;
  sign_code: string;
  sample_time: number;
  /** Its own number; only demonstration samples have the number of their message. */
  record_id: number;
  value: string;
};

export type QuarterCounterTable = {
  quarter: number;
  tenancy_id: string;
  hub_no: number;
  messages: number;
  accesses: number;
  /** Estimated size of the records that are still stored. */
  bytes: Defaulted<number>;
};

export type SessionMarkTable = {
  session_id: string;
  device_id: string;
  mark: number;
  updated_at: number;
};

export type StoredTotalTable = {
  total_no: number;
  messages: number;
};

export type RecordTables = {
  connect_record: ConnectRecordTable;
  counter_total: CounterTotalTable;
  device_log: DeviceLogTable;
  device_log_day: DeviceLogDayTable;
  latest_value: LatestValueTable;
  lost_messages: LostMessagesTable;
  message_record: MessageRecordTable;
  property_sample: PropertySampleTable;
  quarter_counter: QuarterCounterTable;
  session_mark: SessionMarkTable;
  stored_total: StoredTotalTable;
};
