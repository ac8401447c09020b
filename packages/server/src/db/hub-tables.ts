import type {
  ApiKeyScope,
  CommandState,
  ConnectionDisconnectReason,
  DisconnectReason,
  FailReasonId,
  FirmwareFile,
  LogLevelId,
  NodeTypeId,
  OwnFunctionType,
  ProductClassId,
  ProtocolId,
  SignMethod,
  TaskStatusId,
  UpgradeStatusId,
} from '@device-center/contract';
import type { Defaulted, Flag, InstructionScope, Nullable, OutboxState, SessionEnd } from './column-types.ts';

/** Generated from the migrations: node packages/server/row-types.ts --write */

export type ApiKeyTable = {
  key_id: string;
  tenancy_id: string;
  key_name: string;
  key_name_key: string;
  key_hash: string;
  key_hint: string;
  scope: ApiKeyScope;
  role_id: Nullable<string>;
  application_id: Nullable<string>;
  creator: string;
  expires_at: Nullable<number>;
  last_used_at: Nullable<number>;
  last_used_ip: string;
  created_at: number;
  updated_at: number;
  /** null: its creator was deleted before that also deleted the key. */
  creator_id: Nullable<string>;
};

export type ApplicationTable = {
  application_id: string;
  tenancy_id: string;
  application_name: string;
  application_name_key: string;
  enabled: Flag;
  creator: string;
  created_at: number;
  updated_at: number;
  /** Marked for deletion: its devices are deleted first. */
  deleting: Defaulted<Flag>;
};

export type AuditLogTable = {
  audit_id: string;
  created_at: number;
  tenancy_id: string;
  user_id: string;
  username: string;
  username_key: string;
  ip: string;
  request_id: string;
  action: string;
  action_key: string;
  target_id: string;
  target_name: string;
  target_key: string;
  before_json: string;
  after_json: string;
  merge_key: Defaulted<string>;
};

export type CategoryTable = {
  category_id: string;
  tenancy_id: string;
  category_name: string;
  category_name_key: string;
  search_key: string;
  description: string;
  english: Nullable<string>;
  model_version: number;
  created_at: number;
  updated_at: number;
};

export type ConnectionMovedTable = {
  hub_no: number;
  device_id: string;
  conn_no: number;
};

export type DeletedDeviceTable = {
  device_id: string;
  due_at: number;
  looked: number;
  tenancy_id: Defaulted<string>;
};

export type DeviceTable = {
  device_id: string;
  tenancy_id: string;
  product_id: string;
  application_id: string;
  device_name: string;
  device_name_key: string;
  device_id_key: string;
  mac: string;
  mac_key: string;
  version_number: string;
  online: 1 | 2;
  /** Gateway of a child device; '' if none. */
  parent_id: string;
  mock: Flag;
  created_at: number;
  updated_at: number;
  zone_id: Defaulted<number>;
  secret_sealed: Defaulted<string>;
  /** 1 once its own secret has signed a login or a message. */
  secret_proven: Defaulted<Flag>;
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
  first_connect_at: Defaulted<number>;
  kicked_until: Defaulted<number>;
  blacklisted: Defaulted<Flag>;
  black_at: Defaulted<number>;
  black_reason: Defaulted<string>;
  black_by: Defaulted<string>;
  /** Zone whose broker holds its connection; 0 for the hub's own listener. */
  link_zone_id: Defaulted<number>;
  /** Installation that manages it; '' is this one. */
  origin_id: Defaulted<string>;
  revision: Defaulted<number>;
  content_hash: Defaulted<string>;
  /** Distinguishes this registration of the id from others; 0 if older than these numbers. */
  registration_no: Defaulted<number>;
  secret_by_console: Defaulted<Flag>;
  /** Until when it may log in once with the product's secret; 0 if it may not. */
  reregister_until: Defaulted<number>;
  /** Installation that sent it; '' if unknown. */
  received_from: Defaulted<string>;
  /** API key it was sent with; '' if unknown. */
  received_key: Defaulted<string>;
  /** Installation that managed it before a takeover; '' if none. */
  former_origin: Defaulted<string>;
  /** Reason of its last disconnect, as in the connection events. */
  offline_reason: Defaulted<DisconnectReason | ''>;
  version_key: Defaulted<string>;
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

export type DeviceCutTable = {
  cut_id: number;
  /** `configuration` does not disconnect: it notifies the device of a configuration change. */
  scope: InstructionScope;
  scope_id: string;
  /** '' for `configuration`. */
  reason: ConnectionDisconnectReason | '';
  detail: string;
  conn_no: number;
  created_at: number;
};

export type DeviceNonceTable = {
  device_id: string;
  nonce: string;
  used_at: number;
};

export type DeviceSessionTable = {
  session_id: string;
  device_id: string;
  token_hash: string;
  expires_at: number;
  old_token_hash: Defaulted<string>;
  old_expires_at: Defaulted<number>;
  sign_method: SignMethod;
  gateway_id: Defaulted<string>;
  /** 0: valid; 1: revoked; 2: replaced by a later login of the device. */
  ended: Defaulted<SessionEnd>;
  created_at: number;
};

export type FirmwareFileTable = {
  file_id: string;
  tenancy_id: string;
  nick_name: string;
  size: number;
  state: FirmwareFile['state'];
  fault: FirmwareFile['fault'];
  md5: string;
  sha256: string;
  creator: string;
  checker_until: number;
  created_at: number;
  updated_at: number;
};

export type FleetSnapshotTable = {
  tenancy_id: string;
  quarter: number;
  devices: number;
  connected: number;
  online: number;
};

export type HubFactTable = {
  fact_name: string;
  fact_value: string;
};

export type HubInstanceTable = {
  hub_no: number;
  lease_until: number;
  started_at: number;
  listens_at: Defaulted<string>;
};

export type HubKeeperTable = {
  only_row: number;
  keeper: string;
  keeper_until: number;
};

export type HubNumberTable = {
  only_row: number;
  last_no: number;
};

export type InstallationTable = {
  installation_no: number;
  installation_id: string;
  created_at: number;
};

export type LoginAttemptTable = {
  attempt_key: string;
  failures: number;
  last_failed_at: number;
  blocked_until: number;
};

export type LoginNetworkTable = {
  user_id: string;
  network: string;
  last_login_at: number;
};

export type MenuTable = {
  menu_key: string;
  menu_id: number;
  parent_key: Nullable<string>;
  name_zh: string;
  name_en: string;
  path: string;
  icon: string;
  sort_order: number;
  platform_only: Flag;
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

export type OpenFunctionTable = {
  function_id: string;
  category_id: string;
  sign_code: string;
  function_name: string;
  search_key: string;
  function_type: OwnFunctionType;
  description: string;
  definition: string;
  english: Nullable<string>;
  sort_order: number;
  created_at: number;
  updated_at: number;
};

export type OtaDeviceTable = {
  record_no: number;
  task_id: string;
  tenancy_id: string;
  device_id: string;
  status: UpgradeStatusId;
  reason: FailReasonId;
  detail: string;
  attempt: number;
  tries: number;
  place: number;
  due_at: number;
  command_id: number;
  deadline: number;
  percent: number;
  stage: number;
  from_version: string;
  told_at: number;
  reported_at: number;
  ended_at: number;
  created_at: number;
  /** Registration of the device; -1 for a device deleted before registrations were numbered. */
  registration_no: Defaulted<number>;
};

export type OtaHoldTable = {
  device_id: string;
  registration_no: number;
  task_rank: number;
  task_id: string;
  started: Flag;
};

export type OtaLogTable = {
  log_no: number;
  task_id: string;
  logged_at: number;
  username: string;
  action: string;
  from_status: number;
  to_status: number;
  detail: string;
};

export type OtaSequenceTable = {
  one: number;
  next_no: number;
};

export type OtaTaskTable = {
  task_id: string;
  tenancy_id: string;
  version_id: string;
  version_name: string;
  version_number: string;
  product_id: string;
  task_name: string;
  task_name_key: string;
  task_id_key: string;
  task_rank: number;
  task_type: 1 | 2;
  status: TaskStatusId;
  complete: Flag;
  execute_now: Flag;
  start_at: number;
  end_at: number;
  cron: string;
  timezone: string;
  next_at: number;
  run_open: Flag;
  runs: number;
  app_id: string;
  from_versions: string;
  chosen: Flag;
  stages: string;
  stage_wait_ms: number;
  per_minute: number;
  timeout_ms: number;
  retries: number;
  stop_percent: number;
  stop_after: number;
  allow_older: Flag;
  rehearsal: Flag;
  stop_reason: '' | 'threshold';
  base_done: number;
  base_failed: number;
  stage: number;
  stage_at: number;
  told: number;
  slot_at: number;
  tally: string;
  ended_at: number;
  leader: string;
  leader_until: number;
  creator: string;
  created_at: number;
  updated_at: number;
};

export type OtaVersionTable = {
  version_id: string;
  tenancy_id: string;
  product_id: string;
  version_name: string;
  version_name_key: string;
  version_number: string;
  version_number_key: string;
  file_id: string;
  nick_name: string;
  /** JSON of the signed manifest. */
  manifest: string;
  creator: string;
  created_at: number;
  updated_at: number;
};

export type OutboxTable = {
  outbox_id: string;
  channel: 'mail' | 'sms';
  recipient: string;
  recipient_key: string;
  subject: string;
  body_sealed: string;
  /** The text that is shown after delivery, with its secret masked. */
  body_after: string;
  /** `suppressed`: no account has the address; the row is written so that each request for a code does the same work. */
  state: OutboxState;
  attempts: number;
  next_at: number;
  error: string;
  created_at: number;
  sent_at: Nullable<number>;
};

export type OutboxRevealTable = {
  reveal_id: string;
  user_id: string;
  subject: string;
  revealed_by: string;
  revealed_at: number;
};

export type PictureTable = {
  picture_id: string;
  tenancy_id: string;
  content_type: string;
  bytes: Uint8Array;
  created_at: number;
  purpose: Defaulted<'avatar' | 'product'>;
};

export type ProductTable = {
  product_id: string;
  tenancy_id: string;
  category_id: string;
  application_id: Nullable<string>;
  product_name: string;
  product_name_key: string;
  product_id_key: string;
  description: string;
  picture_id: Nullable<string>;
  node_type: NodeTypeId;
  protocol_id: ProtocolId;
  class_id: ProductClassId;
  secret_sealed: string;
  allow_register: Flag;
  allow_md5: Flag;
  model_version: number;
  function_count: number;
  creator: string;
  created_at: number;
  updated_at: number;
  /** Installation that manages it; '' is this one. */
  origin_id: Defaulted<string>;
  revision: Defaulted<number>;
  /** Installation that sent it; '' if unknown. */
  received_from: Defaulted<string>;
  /** API key it was sent with; '' if unknown. */
  received_key: Defaulted<string>;
  /** Installation that managed it before a takeover; '' if none. */
  former_origin: Defaulted<string>;
};

export type ProductFunctionTable = {
  function_id: string;
  product_id: string;
  sign_code: string;
  function_name: string;
  function_type: OwnFunctionType;
  description: string;
  definition: string;
  sort_order: number;
};

export type ProductModelVersionTable = {
  product_id: string;
  model_version: number;
  functions: string;
  function_count: number;
  added: number;
  removed: number;
  changed: number;
  restored_from: Nullable<number>;
  creator: string;
  created_at: number;
};

export type RoleTable = {
  role_id: string;
  tenancy_id: string;
  role_name: string;
  role_name_key: string;
  builtin: Flag;
  created_at: number;
  updated_at: number;
};

export type RoleMenuTable = {
  role_id: string;
  menu_id: number;
};

export type SeedTable = {
  seed_name: string;
  created_at: number;
};

export type SessionTable = {
  session_id: string;
  token_hash: string;
  user_id: string;
  ip: string;
  user_agent: string;
  created_at: number;
  last_used_at: number;
};

export type SigningKeyTable = {
  key_id: string;
  public_key: string;
  private_sealed: string;
  created_at: number;
};

export type SyncJobTable = {
  job_name: string;
  leader: string;
  leader_until: number;
  done_at: number;
};

export type SyncRecordTable = {
  sync_id: string;
  zone_id: number;
  data_type: 1 | 2;
  item_id: string;
  product_id: string;
  device_id: Nullable<string>;
  status: 0 | 1 | 2 | 3;
  revision: number;
  sent_revision: number;
  /** Consecutive failed attempts. */
  attempts: number;
  next_at: number;
  /** JSON; '' if it has not failed. */
  reason: string;
  /** JSON, newest first. */
  tries: string;
  synced_at: number;
  created_at: number;
  updated_at: number;
};

export type SyncZoneTable = {
  zone_id: number;
  target: string;
  peer_id: string;
  leader: string;
  leader_until: number;
  /** JSON; '' if unknown. */
  peers: Defaulted<string>;
  /** The tenants that its records cover: 'all', or ids. */
  scope: Defaulted<string>;
};

export type TakenIdTable = {
  caller_id: string;
  refusals: number;
  refused_at: number;
  blocked_until: number;
};

export type TenancyTable = {
  tenancy_id: string;
  tenancy_name: string;
  tenancy_name_key: string;
  company_name: string;
  company_name_key: string;
  contact_name: string;
  phone: string;
  email: string;
  company_address: string;
  enabled: Flag;
  builtin: Flag;
  created_at: number;
  updated_at: number;
  demo: Defaulted<Flag>;
};

export type TenantQuotaTable = {
  tenancy_id: string;
  /** In all quotas, null is the default. */
  messages_per_second: Nullable<number>;
  device_messages_per_second: Nullable<number>;
  messages_per_day: Nullable<number>;
  stored_bytes: Nullable<number>;
  upload_bytes: Nullable<number>;
  texts_per_day: Nullable<number>;
  user_texts_per_day: Nullable<number>;
  updated_at: number;
};

export type TextUsageTable = {
  tenancy_id: string;
  /** '' counts for the whole tenant. */
  user_id: string;
  usage_day: number;
  texts: number;
};

export type UserAccountTable = {
  user_id: string;
  tenancy_id: string;
  role_id: string;
  username: string;
  username_key: string;
  name: string;
  name_key: string;
  email: Nullable<string>;
  email_key: Nullable<string>;
  phone: Nullable<string>;
  picture_id: Nullable<string>;
  password_hash: string;
  must_change_password: Flag;
  preferences: string;
  last_login_at: Nullable<number>;
  created_at: number;
  updated_at: number;
};

export type VerificationCodeTable = {
  purpose: number;
  address_key: string;
  asker: string;
  code_hash: string;
  tries: number;
  created_at: number;
  checked_at: Nullable<number>;
};

export type VerificationCodeTryTable = {
  code_hash: string;
  network: string;
  tries: number;
  created_at: number;
};

export type ZoneTable = {
  zone_id: number;
  zone_name: string;
  zone_name_key: string;
  english: Nullable<string>;
  zone_type: 1 | 2;
  status: Flag;
  route_key: string;
  created_at: number;
  updated_at: number;
  builtin: Defaulted<Flag>;
  address: Defaulted<string>;
  is_sync_model: Defaulted<Flag>;
  revision: Defaulted<number>;
  /** 1: all tenants; 0: those of `zone_tenancy`. */
  sync_all: Defaulted<Flag>;
};

export type ZoneLinkTable = {
  node_id: string;
  hub_no: number;
  state: 'connecting' | 'connected' | 'failed';
  problem: string;
  detail: string;
  since: number;
};

export type ZoneNodeTable = {
  node_id: string;
  zone_id: number;
  node_index: number;
  host_name: string;
  port: number;
  server_type: 1 | 2;
  username: string;
  password_sealed: string;
  tls: Flag;
  bucket_url: string;
  bucket_zone_id: number;
  api_key_sealed: string;
  certificate_sealed: string;
  certificate_facts: string;
  created_at: number;
  updated_at: number;
};

export type ZoneNodeCheckTable = {
  node_id: string;
  problem: string;
  detail: string;
  since: number;
  checked_at: number;
};

export type ZoneProbeTable = {
  device_id: string;
  zone_id: number;
  /** Seconds; 0 if the device did not report it. */
  keep_alive: number;
  due_at: number;
  /** 0: not probed. */
  asked_at: number;
};

export type ZoneSequenceTable = {
  sequence_no: number;
  next_id: number;
};

export type ZoneSlotTable = {
  zone_id: number;
  slot_no: number;
  hub_no: number;
  shared: -1 | 0 | 1;
};

export type ZoneTenancyTable = {
  zone_id: number;
  tenancy_id: string;
};

export type HubTables = {
  api_key: ApiKeyTable;
  application: ApplicationTable;
  audit_log: AuditLogTable;
  category: CategoryTable;
  connection_moved: ConnectionMovedTable;
  deleted_device: DeletedDeviceTable;
  device: DeviceTable;
  device_command: DeviceCommandTable;
  device_cut: DeviceCutTable;
  device_nonce: DeviceNonceTable;
  device_session: DeviceSessionTable;
  firmware_file: FirmwareFileTable;
  fleet_snapshot: FleetSnapshotTable;
  hub_fact: HubFactTable;
  hub_instance: HubInstanceTable;
  hub_keeper: HubKeeperTable;
  hub_number: HubNumberTable;
  installation: InstallationTable;
  login_attempt: LoginAttemptTable;
  login_network: LoginNetworkTable;
  menu: MenuTable;
  mock_device: MockDeviceTable;
  open_function: OpenFunctionTable;
  ota_device: OtaDeviceTable;
  ota_hold: OtaHoldTable;
  ota_log: OtaLogTable;
  ota_sequence: OtaSequenceTable;
  ota_task: OtaTaskTable;
  ota_version: OtaVersionTable;
  outbox: OutboxTable;
  outbox_reveal: OutboxRevealTable;
  picture: PictureTable;
  product: ProductTable;
  product_function: ProductFunctionTable;
  product_model_version: ProductModelVersionTable;
  role: RoleTable;
  role_menu: RoleMenuTable;
  seed: SeedTable;
  session: SessionTable;
  signing_key: SigningKeyTable;
  sync_job: SyncJobTable;
  sync_record: SyncRecordTable;
  sync_zone: SyncZoneTable;
  taken_id: TakenIdTable;
  tenancy: TenancyTable;
  tenant_quota: TenantQuotaTable;
  text_usage: TextUsageTable;
  user_account: UserAccountTable;
  verification_code: VerificationCodeTable;
  verification_code_try: VerificationCodeTryTable;
  zone: ZoneTable;
  zone_link: ZoneLinkTable;
  zone_node: ZoneNodeTable;
  zone_node_check: ZoneNodeCheckTable;
  zone_probe: ZoneProbeTable;
  zone_sequence: ZoneSequenceTable;
  zone_slot: ZoneSlotTable;
  zone_tenancy: ZoneTenancyTable;
};
