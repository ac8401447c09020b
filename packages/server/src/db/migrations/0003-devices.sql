-- Devices come alive: secrets, sessions, presence, commands, zones.

-- Zones 1 and 2 are born with the hub and served by its own listener until they have nodes.
create table zone (
  zone_id @int primary key,
  zone_name @text not null,
  zone_name_key @key not null,
  english @text,
  zone_type @int not null,
  status @int not null,
  route_key @text not null,
  created_at @int not null,
  updated_at @int not null
) @table;
insert into zone (zone_id, zone_name, zone_name_key, english, zone_type, status, route_key, created_at, updated_at) values
  (1, '可用区 1', '可用区 1', 'HA area 1', 1, 1, 'dc', 0, 0),
  (2, '可用区 2', '可用区 2', 'HA area 2', 1, 1, 'dc', 0, 0);

-- An application whose devices are being deleted, piece by piece; it is gone for everybody already.
alter table application add column deleting @int not null default 0;
create index application_deleting on application (deleting, application_id);

alter table device add column zone_id @int not null default 1;
alter table device add column secret_sealed @text not null default '';
-- 1 once it has logged in with its own secret: the product's is refused from then on.
alter table device add column secret_proven @int not null default 0;
alter table device add column logger_level @int not null default 4;
alter table device add column real_time_push @int not null default 0;
alter table device add column hardware @text not null default '';
alter table device add column sdk @text not null default '';
alter table device add column sign_method @text not null default '';
alter table device add column ip @text not null default '';
alter table device add column transport @text not null default '';
-- Presence: the hub that holds the connection and the connection's rising number; a late goodbye never unseats a newer one.
alter table device add column hub_no @int not null default 0;
alter table device add column conn_no @int not null default 0;
alter table device add column presence_at @int not null default 0;
alter table device add column first_connect_at @int not null default 0;
alter table device add column kicked_until @int not null default 0;
alter table device add column blacklisted @int not null default 0;
alter table device add column black_at @int not null default 0;
alter table device add column black_reason @text not null default '';
alter table device add column black_by @text not null default '';
create index device_by_parent on device (parent_id, created_at, device_id);
create index device_by_hub on device (hub_no, device_id);
create index device_by_black on device (blacklisted, black_at, device_id);
create index device_by_online on device (online, created_at, device_id);
create index device_by_tenancy_online on device (tenancy_id, online, created_at, device_id);
create index device_by_product_online on device (product_id, online);
create index device_by_application_online on device (application_id, online);
create index device_by_zone on device (zone_id, device_id);

-- A log-in's session lives through reconnects and refreshes. Earlier ones are kept 7 days for messages sent again.
create table device_session (
  session_id @key primary key,
  device_id @key not null references device (device_id) on delete cascade,
  token_hash @key not null,
  expires_at @int not null,
  -- After a refresh the old token is good for a minute more.
  old_token_hash @key not null default '',
  old_expires_at @int not null default 0,
  sign_method @text not null,
  -- The gateway it logged in through; '' for a device of its own.
  gateway_id @key not null default '',
  ended @int not null default 0,
  created_at @int not null
) @table;
create index device_session_by_token on device_session (token_hash);
create index device_session_by_old_token on device_session (old_token_hash);
create index device_session_by_device on device_session (device_id, created_at);
create index device_session_by_created on device_session (created_at);

create table device_nonce (
  device_id @key not null,
  nonce @key not null,
  used_at @int not null,
  primary key (device_id, nonce)
) @table;
create index device_nonce_by_time on device_nonce (used_at);

-- Each start of a device side takes a number with a lease.
create table hub_instance (
  hub_no @int primary key,
  lease_until @int not null,
  started_at @int not null
) @table;

create table device_command (
  command_id @int primary key,
  device_id @key not null references device (device_id) on delete cascade,
  tenancy_id @key not null,
  -- The device whose connection it goes through: itself, or its gateway.
  via_id @key not null,
  message_type @int not null,
  function_type @int not null,
  function_id @text not null,
  payload @text not null,
  state @key not null,
  code @int not null,
  message @text not null,
  output @text,
  creator @text not null,
  created_at @int not null,
  sent_at @int not null,
  answered_at @int not null,
  deadline @int not null
) @table;
create index device_command_by_device on device_command (device_id, command_id);
create index device_command_by_state on device_command (state, via_id, command_id);
create index device_command_by_deadline on device_command (state, deadline);

-- Devices that were deleted a moment ago: what was still on its way when they were is looked for again.
create table deleted_device (
  device_id @key primary key,
  due_at @int not null,
  looked @int not null
) @table;
create index deleted_device_by_due on deleted_device (due_at);

-- What the device side must cut, or tell. Read by every hub, a while back; swept later.
create table device_cut (
  cut_id @int primary key,
  scope @key not null,
  scope_id @key not null,
  reason @text not null,
  -- What the operator said, for the device to be told.
  detail @text not null,
  -- Only connections up to this number: a later one has passed the door anew.
  conn_no @int not null,
  created_at @int not null
) @table;

insert into menu (menu_key, menu_id, parent_key, name_zh, name_en, path, icon, sort_order, platform_only) values
  ('deviceList', 501, 'productConfig', '设备管理', 'Devices', '/productConfig/deviceList', 'cpu', 42, 0),
  ('blackDeviceList', 503, 'productConfig', '黑名单', 'Blacklist', '/productConfig/blackDeviceList', 'ban', 43, 0);
