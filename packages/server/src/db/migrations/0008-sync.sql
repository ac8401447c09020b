-- Products and devices are kept in step with other installations.

-- The installation where it is managed; '' is this one. What comes from elsewhere is read-only but for its application.
alter table product add column origin_id @key not null default '';
-- Rises with every change at the origin.
alter table product add column revision @int not null default 0;
update product set revision = updated_at;
alter table device add column origin_id @key not null default '';
alter table device add column revision @int not null default 0;
-- Of what was compared last. A received device has one as soon as its values are stored too.
alter table device add column content_hash @key not null default '';

-- A zone that is a target of synchronisation, and the hub that sends to it just now.
create table sync_zone (
  zone_id @int primary key references zone (zone_id) on delete cascade,
  -- Which nodes it had when its records were last looked at; other nodes have nothing of it yet.
  target @key not null,
  -- The installation behind its nodes; '' where there are several, or nobody knows.
  peer_id @key not null,
  leader @key not null,
  leader_until @int not null
) @table;

create table sync_record (
  sync_id @key primary key,
  zone_id @int not null references zone (zone_id) on delete cascade,
  -- 1 model, 2 device data
  data_type @int not null,
  -- The product's id, or the device's.
  item_id @key not null,
  product_id @key not null references product (product_id) on delete cascade,
  device_id @key references device (device_id) on delete cascade,
  -- 0 not synchronized, 1 synchronizing, 2 success, 3 failed
  status @int not null,
  -- The newest that is known of, and what the other side has confirmed.
  revision @int not null,
  sent_revision @int not null,
  attempts @int not null,
  next_at @int not null,
  reason @text not null,
  tries @text not null,
  synced_at @int not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index sync_record_by_item on sync_record (zone_id, data_type, item_id);
create index sync_record_due on sync_record (zone_id, status, data_type, next_at, sync_id);
create index sync_record_by_time on sync_record (zone_id, data_type, created_at, sync_id);
-- What the counts of a zone are read from.
create index sync_record_counts on sync_record (zone_id, data_type, status, synced_at);
create index sync_record_by_product on sync_record (product_id, data_type);
create index sync_record_by_device on sync_record (device_id, status);

-- What is done once however many hubs there are.
create table sync_job (
  job_name @key primary key,
  leader @key not null,
  leader_until @int not null,
  done_at @int not null
) @table;
insert into sync_job (job_name, leader, leader_until, done_at) values ('compare', '', 0, 0);

insert into menu (menu_key, menu_id, parent_key, name_zh, name_en, path, icon, sort_order, platform_only) values
  ('dataSynch', 6, null, '数据同步', 'Synchronisation', '/dataSynch', 'refresh-cw', 80, 1),
  ('dataShow', 604, 'dataSynch', '数据同步', 'Data sync', '/dataSynch/dataShow', 'refresh-cw', 81, 1);
