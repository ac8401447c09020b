-- History: what devices sent and did. No join, key or transaction crosses to what people manage.
-- Record ids rise with time (milliseconds times 4096 and a counter), so that age and order are the id's own.

create table message_record (
  record_id @int primary key,
  tenancy_id @key not null,
  device_id @key not null,
  message_time @int not null,
  data_flow @int not null,
  response @int not null,
  message_type @int not null,
  function_type @int not null,
  function_id @text not null,
  code @int not null,
  message_id @int not null,
  session_id @key not null,
  device_time @int not null,
  value @text not null,
  envelope @text not null
) @table;
create index message_record_by_device on message_record (device_id, record_id);
create index message_record_by_message on message_record (device_id, message_id);

-- A message above its session's mark is new.
create table session_mark (
  session_id @key primary key,
  device_id @key not null,
  mark @int not null,
  updated_at @int not null
) @table;
create index session_mark_by_device on session_mark (device_id);
create index session_mark_by_time on session_mark (updated_at);

create table property_sample (
  device_id @key not null,
  sign_code @key not null,
  sample_time @int not null,
  record_id @int not null,
  value @text not null,
  primary key (device_id, sign_code, sample_time, record_id)
) @clustered;

create table latest_value (
  device_id @key not null,
  sign_code @key not null,
  sample_time @int not null,
  record_id @int not null,
  value @text not null,
  primary key (device_id, sign_code)
) @clustered;

create table connect_record (
  record_id @int primary key,
  tenancy_id @key not null,
  product_id @key not null,
  device_id @key not null,
  connect_time @int not null,
  status @int not null,
  reason @text not null,
  place @text not null,
  detail @text not null,
  ip @text not null,
  transport @text not null,
  duration_ms @int not null
) @table;
create index connect_record_by_device on connect_record (device_id, record_id);
create index connect_record_by_tenancy on connect_record (tenancy_id, status, record_id);

create table device_log (
  record_id @int primary key,
  tenancy_id @key not null,
  device_id @key not null,
  log_time @int not null,
  level @int not null,
  log @text not null
) @table;
create index device_log_by_device on device_log (device_id, log_time, record_id);
create index device_log_by_arrival on device_log (device_id, record_id);

-- Which days (UTC) a device has logs of.
create table device_log_day (
  device_id @key not null,
  log_day @key not null,
  lines @int not null,
  primary key (device_id, log_day)
) @table;

-- Keyed by hub, so that no two writers meet on a row; sums are read.
create table quarter_counter (
  quarter @int not null,
  tenancy_id @key not null,
  hub_no @int not null,
  messages @int not null,
  accesses @int not null,
  primary key (quarter, tenancy_id, hub_no)
) @table;
create index quarter_counter_by_tenancy on quarter_counter (tenancy_id, quarter);
