import type { Defaulted } from './column-types.ts';

/** Row types of the records database; see record-migrations. Times are epoch ms, values are JSON text. */

export type MessageRecordTable = {
  record_id: number;
  tenancy_id: string;
  device_id: string;
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

export type SessionMarkTable = { session_id: string; device_id: string; mark: number; updated_at: number };

export type PropertySampleTable = {
  device_id: string;
  sign_code: string;
  sample_time: number;
  /** Its own number; only demonstration samples have the number of their message. */
  record_id: number;
  value: string;
};

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

export type DeviceLogTable = {
  record_id: number;
  tenancy_id: string;
  device_id: string;
  log_time: number;
  level: number;
  log: string;
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

export type RecordTables = {
  message_record: MessageRecordTable;
  session_mark: SessionMarkTable;
  property_sample: PropertySampleTable;
  latest_value: PropertySampleTable;
  connect_record: ConnectRecordTable;
  device_log: DeviceLogTable;
  device_log_day: { device_id: string; log_day: string; lines: number };
  quarter_counter: QuarterCounterTable;
  stored_total: { total_no: number; messages: number };
  lost_messages: { found_at: number; messages: number };
  counter_total: { tenancy_id: string; messages: number; accesses: number };
};
