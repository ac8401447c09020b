-- How often a caller was refused an id that another tenant has: too often, and it is slowed down.
create table taken_id (
  -- A user, or an API key.
  caller_id @key primary key,
  refusals @int not null,
  refused_at @int not null,
  blocked_until @int not null
) @table;

-- The product's secret counts for a device only until the device has one that nobody else can know.

-- 1: the console gave it (registration, sheet, reset).
alter table device add column secret_by_console @int not null default 0;
-- Until when an operator lets it come once more with its product's secret; 0 for not at all.
alter table device add column reregister_until @int not null default 0;

-- One that never logged in has its secret from the console.
update device set secret_by_console = 1 where secret_sealed <> '' and secret_proven = 0 and sign_method = '';
-- One that has connected has sent what its own secret signed.
update device set secret_proven = 1 where secret_sealed <> '' and secret_proven = 0 and first_connect_at > 0;
