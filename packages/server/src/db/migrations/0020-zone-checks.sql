-- When a device on a zone's broker is asked whether it is still there: a broker tells nobody that a connection is gone.
create table zone_probe (
  device_id @key primary key references device (device_id) on delete cascade,
  zone_id @int not null references zone (zone_id) on delete cascade,
  -- Seconds, as the device has reported it; 0 is the preset.
  keep_alive @int not null,
  due_at @int not null,
  -- When it was asked and has not answered yet; 0 is not asked.
  asked_at @int not null
) @table;
create index zone_probe_by_due on zone_probe (zone_id, due_at);
insert into zone_probe (device_id, zone_id, keep_alive, due_at, asked_at)
  select device_id, link_zone_id, 0, 0, 0 from device
  where link_zone_id in (select zone_id from zone) and online = 1 and parent_id = '';

-- How a node that is another platform last answered: the hub keeps no connection to it.
create table zone_node_check (
  node_id @key primary key references zone_node (node_id) on delete cascade,
  -- '' where nothing was wrong.
  problem @key not null,
  detail @text not null,
  since @int not null,
  checked_at @int not null
) @table;
