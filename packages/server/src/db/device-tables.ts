import type {
  CommandState,
  ConnectionDisconnectReason,
  DisconnectReason,
  LogLevelId,
  SignMethod,
} from '@device-center/contract';
import type { Defaulted, Flag, Nullable } from './column-types.ts';
import type { AttributeColumns } from './device-attributes.ts';

/** Row types of the hub database: devices. */

export type DeviceTable = AttributeColumns & {
  device_id: string;
  /** Distinguishes this registration of the id from others; 0 if older than these numbers. */
  registration_no: number;
  tenancy_id: string;
  product_id: string;
  application_id: string;
  device_name: string;
  device_name_key: string;
  device_id_key: string;
  mac_key: string;
  version_number: string;
  version_key: Defaulted<string>;
  online: 1 | 2;
  /** Gateway of a child device; '' if none. */
  parent_id: string;
  mock: Flag;
  /** Installation that manages it; '' is this one. */
  origin_id: Defaulted<string>;
  revision: Defaulted<number>;
  content_hash: Defaulted<string>;
  /** Installation that sent it; '' if unknown. */
  received_from: Defaulted<string>;
  /** API key it was sent with; '' if unknown. */
  received_key: Defaulted<string>;
  /** Installation that managed it before a takeover; '' if none. */
  former_origin: Defaulted<string>;
  zone_id: Defaulted<number>;
  /** Zone whose broker holds its connection; 0 for the hub's own listener. */
  link_zone_id: Defaulted<number>;
  secret_sealed: Defaulted<string>;
  /** 1 once its own secret has signed a login or a message. */
  secret_proven: Defaulted<Flag>;
  secret_by_console: Defaulted<Flag>;
  /** Until when it may log in once with the product's secret; 0 if it may not. */
  reregister_until: Defaulted<number>;
  logger_level: Defaulted<LogLevelId>;
  real_time_push: Defaulted<Flag>;
  hardware: Defaulted<string>;
  sdk: Defaulted<string>;
  sign_method: Defaulted<SignMethod | ''>;
  ip: Defaulted<string>;
  transport: Defaulted<string>;
  hub_no: Defaulted<number>;
  conn_no: Defaulted<number>;
  presence_at: Defaulted<number>;
  /** Reason of its last disconnect, as in the connection events. */
  offline_reason: Defaulted<DisconnectReason | ''>;
  first_connect_at: Defaulted<number>;
  kicked_until: Defaulted<number>;
  blacklisted: Defaulted<Flag>;
  black_at: Defaulted<number>;
  black_reason: Defaulted<string>;
  black_by: Defaulted<string>;
  created_at: number;
  updated_at: number;
};

/** 0: valid; 1: revoked; 2: replaced by a later login of the device. */
export type SessionEnd = 0 | 1 | 2;

export type DeviceSessionTable = {
  session_id: string;
  device_id: string;
  token_hash: string;
  expires_at: number;
  old_token_hash: Defaulted<string>;
  old_expires_at: Defaulted<number>;
  sign_method: SignMethod;
  gateway_id: Defaulted<string>;
  ended: Defaulted<SessionEnd>;
  created_at: number;
};

export type DeviceCommandTable = {
  command_id: number;
  device_id: string;
  tenancy_id: string;
  via_id: string;
  message_type: number;
  function_type: number;
  function_id: string;
  payload: string;
  state: CommandState;
  code: number;
  message: string;
  output: Nullable<string>;
  creator: string;
  created_at: number;
  sent_at: number;
  answered_at: number;
  deadline: number;
};

export type DisconnectScope = 'device' | 'application' | 'tenancy';
/** `configuration` does not disconnect: it notifies the device of a configuration change. */
export type InstructionScope = DisconnectScope | 'configuration';

export type DeviceInstructionTable = {
  cut_id: number;
  scope: InstructionScope;
  scope_id: string;
  /** '' for `configuration`. */
  reason: ConnectionDisconnectReason | '';
  detail: string;
  conn_no: number;
  created_at: number;
};

export type MockDeviceTable = {
  device_id: string;
  gateway_id: string;
  /** JSON by sign code. */
  defaults: string;
  run_in_hub: Flag;
  run_mode: 1 | 2;
  every_s: number;
  sequence: string;
  runner: string;
  runner_until: number;
  /** How it fails an upgrade; '' if it does not. */
  upgrade_fault: Defaulted<string>;
  /** The rehearsal that created it; '' if none. */
  rehearsal_task: Defaulted<string>;
};

export type FleetSnapshotTable = {
  tenancy_id: string;
  quarter: number;
  devices: number;
  connected: number;
  online: number;
};

export type DeviceTables = {
  device: DeviceTable;
  device_session: DeviceSessionTable;
  device_nonce: { device_id: string; nonce: string; used_at: number };
  hub_instance: { hub_no: number; lease_until: number; started_at: number; listens_at: Defaulted<string> };
  hub_fact: { fact_name: string; fact_value: string };
  hub_number: { only_row: number; last_no: number };
  hub_keeper: { only_row: number; keeper: string; keeper_until: number };
  connection_moved: { hub_no: number; device_id: string; conn_no: number };
  device_command: DeviceCommandTable;
  device_cut: DeviceInstructionTable;
  mock_device: MockDeviceTable;
  fleet_snapshot: FleetSnapshotTable;
  taken_id: { caller_id: string; refusals: number; refused_at: number; blocked_until: number };
  deleted_device: { device_id: string; tenancy_id: string; due_at: number; looked: number };
};
