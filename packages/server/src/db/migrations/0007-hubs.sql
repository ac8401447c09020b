-- Several hubs on one database.

-- What all hubs must agree on, such as the fingerprint of SECRET_KEY.
create table hub_fact (
  fact_name @key primary key,
  fact_value @text not null
) @table;

-- The last number that was given to a hub. A number is never given twice: one that was thought dead may wake up.
create table hub_number (
  only_row @int primary key,
  last_no @int not null
) @table;
insert into hub_number (only_row, last_no) select 1, coalesce(max(hub_no), 0) from hub_instance;

-- Whoever does what one hub does for all: deleting what is old, folding, sweeping.
create table hub_keeper (
  only_row @int primary key,
  keeper @key not null,
  keeper_until @int not null
) @table;
insert into hub_keeper (only_row, keeper, keeper_until) values (1, '', 0);

-- Connections that their device has left for another hub, to be cut by the one that still has them.
create table connection_moved (
  hub_no @int not null,
  device_id @key not null,
  -- Of the new one: earlier ones are cut.
  conn_no @int not null,
  primary key (hub_no, device_id)
) @table;
