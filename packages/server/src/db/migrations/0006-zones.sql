-- Availability zones with their nodes, and API keys.

alter table zone add column builtin @int not null default 0;
-- What devices are told; '' is the hub's own listener.
alter table zone add column address @text not null default '';
alter table zone add column is_sync_model @int not null default 0;
-- Counts every change, so that each hub sees what it has not taken up yet.
alter table zone add column revision @int not null default 1;
update zone set builtin = 1 where zone_id in (1, 2);
create unique index zone_by_name on zone (zone_name_key);

-- Where a device's connection is: the zone whose broker it came by, or 0 for the hub's own listener.
alter table device add column link_zone_id @int not null default 0;

-- An id is never given twice: other platforms may know it.
create table zone_sequence (
  sequence_no @int primary key,
  next_id @int not null
) @table;
insert into zone_sequence (sequence_no, next_id) values (1, 3);

create table zone_node (
  node_id @key primary key,
  zone_id @int not null references zone (zone_id) on delete cascade,
  node_index @int not null,
  host_name @text not null,
  port @int not null,
  -- 1 MQTT, 2 HTTP
  server_type @int not null,
  username @text not null,
  password_sealed @text not null,
  tls @int not null,
  bucket_url @text not null,
  bucket_zone_id @int not null,
  api_key_sealed @text not null,
  certificate_sealed @text not null,
  -- What may be told of the certificate, as JSON; '' without one.
  certificate_facts @text not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index zone_node_by_place on zone_node (zone_id, node_index);

-- How the connection of a hub to a node stands. Rows of dead hubs mean nothing.
create table zone_link (
  node_id @key not null references zone_node (node_id) on delete cascade,
  hub_no @int not null,
  -- connecting, connected, failed
  state @key not null,
  problem @text not null,
  detail @text not null,
  since @int not null,
  primary key (node_id, hub_no)
) @table;

-- A subscriber of a zone's broker. Its session there outlives the hub that held it, so another hub takes it over.
create table zone_slot (
  zone_id @int not null references zone (zone_id) on delete cascade,
  slot_no @int not null,
  hub_no @int not null,
  -- Whether the broker shares a subscription among several: 1, 0, or -1 when nobody has asked it yet.
  shared @int not null,
  primary key (zone_id, slot_no)
) @table;

create index device_by_link on device (link_zone_id, online, device_id);

-- This installation, however many hubs it has: brokers and other hubs know it by this.
create table installation (
  installation_no @int primary key,
  installation_id @key not null,
  created_at @int not null
) @table;

create table api_key (
  key_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id) on delete cascade,
  key_name @text not null,
  key_name_key @key not null,
  key_hash @key not null,
  key_hint @text not null,
  -- role, sync, broker
  scope @key not null,
  role_id @key references role (role_id) on delete cascade,
  application_id @key references application (application_id) on delete cascade,
  creator @text not null,
  expires_at @int,
  last_used_at @int,
  last_used_ip @text not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index api_key_by_hash on api_key (key_hash);
create unique index api_key_by_name on api_key (tenancy_id, key_name_key);
create index api_key_by_role on api_key (role_id);
create index api_key_by_application on api_key (application_id);

insert into menu (menu_key, menu_id, parent_key, name_zh, name_en, path, icon, sort_order, platform_only) values
  ('apiKeyList', 205, 'systemConfig', 'API 密钥', 'API keys', '/systemConfig/apiKeyList', 'key-round', 27, 0),
  ('avaConfig', 6, null, '可用区配置', 'Availability', '/avaConfig', 'network', 70, 1),
  ('availableList', 603, 'avaConfig', '可用区管理', 'Availability zones', '/avaConfig/availableList', 'network', 71, 1);
