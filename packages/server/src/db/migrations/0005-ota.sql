-- Firmware, its versions, and upgrade tasks.

-- The hub signs what devices are to install. The first key is made when it is first needed.
create table signing_key (
  key_id @key primary key,
  public_key @text not null,
  private_sealed @text not null,
  created_at @int not null
) @table;

create table firmware_file (
  file_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id) on delete cascade,
  nick_name @text not null,
  size @int not null,
  -- uploading, checking, ready, failed
  state @key not null,
  fault @text not null,
  md5 @text not null,
  sha256 @text not null,
  creator @text not null,
  -- Whoever checks it says until when; after that somebody else may.
  checker_until @int not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create index firmware_file_by_state on firmware_file (state, updated_at);
create index firmware_file_by_tenancy on firmware_file (tenancy_id);

create table ota_version (
  version_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  product_id @key not null references product (product_id) on delete cascade,
  version_name @text not null,
  version_name_key @key not null,
  version_number @key not null,
  version_number_key @key not null,
  file_id @key not null references firmware_file (file_id),
  nick_name @text not null,
  manifest @text not null,
  creator @text not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index ota_version_number on ota_version (product_id, version_number);
create unique index ota_version_file on ota_version (file_id);
create index ota_version_by_tenancy on ota_version (tenancy_id, created_at, version_id);
create index ota_version_by_time on ota_version (created_at, version_id);

create table ota_task (
  task_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  -- The target; its words are kept here too, so that a task that is over tells them when the version is gone.
  version_id @key not null,
  version_name @text not null,
  version_number @text not null,
  product_id @key not null references product (product_id) on delete cascade,
  task_name @text not null,
  task_name_key @key not null,
  task_id_key @key not null,
  task_rank @int not null,
  task_type @int not null,
  status @int not null,
  -- 0 while its devices are still being written down: nobody sees it yet.
  complete @int not null,
  execute_now @int not null,
  start_at @int not null,
  end_at @int not null,
  cron @text not null,
  timezone @text not null,
  -- When the hub has something to do by the clock: start, next run; 0 for never.
  next_at @int not null,
  run_open @int not null,
  runs @int not null,
  app_id @key not null,
  -- Condition: JSON list of versions; '' where devices were chosen.
  from_versions @text not null,
  chosen @int not null,
  stages @text not null,
  stage_wait_ms @int not null,
  per_minute @int not null,
  timeout_ms @int not null,
  retries @int not null,
  stop_percent @int not null,
  stop_after @int not null,
  allow_older @int not null,
  rehearsal @int not null,
  stop_reason @text not null,
  -- What was done and had failed when it was last started: the threshold counts from there.
  base_done @int not null,
  base_failed @int not null,
  -- The stage being told, from 0, and when the next one may begin.
  stage @int not null,
  stage_at @int not null,
  -- Devices told in this run for the first time.
  told @int not null,
  -- The rate: not before this time is the next device told.
  slot_at @int not null,
  -- How its devices ended, once it is over: JSON; '' until then.
  tally @text not null,
  ended_at @int not null,
  -- The one hub that dispatches it.
  leader @key not null,
  leader_until @int not null,
  creator @text not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create index ota_task_by_status on ota_task (status, task_id);
create index ota_task_by_version on ota_task (version_id, status);
create index ota_task_by_tenancy on ota_task (tenancy_id, created_at, task_id);
create index ota_task_by_time on ota_task (created_at, task_id);

create table ota_sequence (one @int primary key, next_no @int not null) @table;
insert into ota_sequence (one, next_no) values (1, 1000000);

create table ota_device (
  record_no @int primary key,
  task_id @key not null references ota_task (task_id) on delete cascade,
  tenancy_id @key not null,
  device_id @key not null,
  status @int not null,
  reason @int not null,
  detail @text not null,
  attempt @int not null,
  -- How often it was told in this run; more than the task's retries and it has failed.
  tries @int not null,
  -- The order of telling: -1 what an operator wants first, 0 what was told and failed, then as scattered.
  place @int not null,
  -- Not before.
  due_at @int not null,
  -- The command that told it last.
  command_id @int not null,
  -- When it has failed unless it reports.
  deadline @int not null,
  percent @int not null,
  stage @int not null,
  from_version @text not null,
  told_at @int not null,
  reported_at @int not null,
  ended_at @int not null,
  created_at @int not null
) @table;
create unique index ota_device_once on ota_device (task_id, device_id);
create index ota_device_by_status on ota_device (task_id, status, place, record_no);
create index ota_device_by_device on ota_device (device_id, record_no);
create index ota_device_failed on ota_device (tenancy_id, ended_at) where status = 6;
create index ota_device_by_deadline on ota_device (deadline) where status in (1, 2, 3, 4);

-- Whom a task holds: one of a rank at a time, whoever comes with a higher one takes over once it has started.
create table ota_hold (
  device_id @key not null,
  task_rank @int not null,
  task_id @key not null references ota_task (task_id) on delete cascade,
  started @int not null,
  primary key (device_id, task_rank)
) @table;
create index ota_hold_by_task on ota_hold (task_id, device_id);

create table ota_log (
  log_no @int primary key,
  task_id @key not null references ota_task (task_id) on delete cascade,
  logged_at @int not null,
  username @text not null,
  action @text not null,
  from_status @int not null,
  to_status @int not null,
  detail @text not null
) @table;
create index ota_log_by_task on ota_log (task_id, log_no);

-- How a mock device fails when it is upgraded, and what it runs; the mock slice reads it.
alter table mock_device add column upgrade_fault @text not null default '';
-- The task that a mock device was made for; it goes with it.
alter table mock_device add column rehearsal_task @key not null default '';
create index device_by_product_version on device (product_id, version_number);

insert into menu (menu_key, menu_id, parent_key, name_zh, name_en, path, icon, sort_order, platform_only) values
  ('OTAUpdate', 6, null, 'OTA 升级', 'OTA upgrade', '/OTAUpdate', 'cloud-upload', 60, 0),
  ('softwareVersion', 601, 'OTAUpdate', '固件版本', 'Firmware versions', '/OTAUpdate/softwareVersion', 'file-stack', 61, 0),
  ('updateMission', 602, 'OTAUpdate', '升级任务', 'Upgrade tasks', '/OTAUpdate/updateMission', 'cloud-upload', 62, 0);
