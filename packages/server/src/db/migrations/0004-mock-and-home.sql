-- Mock devices and the home page.

-- What a mock device has beside its row: its home gateway, what it says when nobody says otherwise, and whether the hub
-- is its body when no page is.
create table mock_device (
  device_id @key primary key references device (device_id) on delete cascade,
  -- The mock gateway it was made for; '' where it has none.
  gateway_id @key not null,
  defaults @text not null,
  run_in_hub @int not null,
  run_mode @int not null,
  every_s @int not null,
  sequence @text not null,
  -- The process that is its body now, and until when it says so.
  runner @key not null,
  runner_until @int not null
) @table;
create index mock_device_by_gateway on mock_device (gateway_id, device_id);
create index mock_device_by_run on mock_device (run_in_hub, device_id);
create index device_by_mock on device (mock, created_at, device_id);

-- Who came or went since a time; who has ever connected.
create index device_by_presence on device (online, presence_at, device_id);
create index device_by_tenancy_presence on device (tenancy_id, online, presence_at, device_id);
create index device_by_connected on device (tenancy_id, device_id) where first_connect_at > 0;

-- How many devices a tenant had when a quarter of an hour began: a change since then is told by the difference.
create table fleet_snapshot (
  tenancy_id @key not null,
  quarter @int not null,
  devices @int not null,
  connected @int not null,
  online @int not null,
  primary key (tenancy_id, quarter)
) @table;
create index fleet_snapshot_by_quarter on fleet_snapshot (quarter);

-- A tenant of the demonstration, to be shown as one and removed whole.
alter table tenancy add column demo @int not null default 0;

insert into menu (menu_key, menu_id, parent_key, name_zh, name_en, path, icon, sort_order, platform_only) values
  ('message', 1, null, '首页', 'Home', '/message', 'house', 10, 0),
  ('messageChart', 1, 'message', '消息图表', 'Overview', '/message/messageChart', 'chart-line', 11, 0),
  ('deviceMock', 1101, null, '设备模拟', 'Mock devices', '/deviceMock', 'flask-conical', 110, 0),
  ('mockList', 1101, 'deviceMock', '模拟设备', 'Mock devices', '/deviceMock/mockList', 'flask-conical', 111, 0);
