-- How many messages of devices were ever stored here. A file beside the database says the same from outside of it: what
-- the database has less at a start was acknowledged, and is missing.
create table stored_total (
  total_no @int primary key,
  messages @int not null
) @table;

-- What was found missing, and when.
create table lost_messages (
  found_at @int primary key,
  messages @int not null
) @table;
