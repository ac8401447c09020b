-- What an operator of the platform set for a tenant; null is the default.
create table tenant_quota (
  tenancy_id @key primary key references tenancy (tenancy_id) on delete cascade,
  messages_per_second @int,
  device_messages_per_second @int,
  messages_per_day @int,
  stored_bytes @int,
  upload_bytes @int,
  texts_per_day @int,
  user_texts_per_day @int,
  updated_at @int not null
) @table;

-- Texts and e-mails with codes that were sent on a day (UTC, in days since 1970), of a user; '' is the whole tenant.
create table text_usage (
  tenancy_id @key not null references tenancy (tenancy_id) on delete cascade,
  user_id @key not null,
  usage_day @int not null,
  texts @int not null,
  primary key (tenancy_id, user_id)
) @table;
create index text_usage_by_day on text_usage (usage_day);
