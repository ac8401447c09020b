import type { FailReasonId, FirmwareFile, TaskStatusId, UpgradeStatusId } from '@device-center/contract';
import type { Flag } from './column-types.ts';

/** Row types of the hub database: firmware and upgrades. */

export type SigningKeyTable = { key_id: string; public_key: string; private_sealed: string; created_at: number };

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

export type OtaSequenceTable = { one: number; next_no: number };

export type OtaDeviceTable = {
  record_no: number;
  task_id: string;
  tenancy_id: string;
  device_id: string;
  /** Registration of the device; -1 for a device deleted before registrations were numbered. */
  registration_no: number;
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
};

export type OtaReservationTable = {
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

export type OtaTables = {
  signing_key: SigningKeyTable;
  firmware_file: FirmwareFileTable;
  ota_version: OtaVersionTable;
  ota_task: OtaTaskTable;
  ota_sequence: OtaSequenceTable;
  ota_device: OtaDeviceTable;
  ota_hold: OtaReservationTable;
  ota_log: OtaLogTable;
};
