-- Where an account has logged in from: others' guesses do not slow it down there.
create table login_network (
  user_id @key not null references user_account (user_id) on delete cascade,
  network @key not null,
  last_login_at @int not null,
  primary key (user_id, network)
) @table;
create index login_network_by_age on login_network (last_login_at);
insert into login_network (user_id, network, last_login_at)
  select user_id, ip, max(last_used_at) from session where ip not like '%:%' group by user_id, ip;

-- Wrong tries of a recovery code, which nobody has to be logged in for, by who made them.
create table verification_code_try (
  code_hash @key not null,
  network @key not null,
  tries @int not null,
  created_at @int not null,
  primary key (code_hash, network)
) @table;
create index verification_code_try_by_age on verification_code_try (created_at);
