-- Types: @key is text compared byte by byte, @text any text, @int a whole number below 2^53, @blob bytes.
-- Times are epoch milliseconds, flags 0/1, JSON is text. Columns named …_key are folded for search and uniqueness.

create table tenancy (
  tenancy_id @key primary key,
  tenancy_name @text not null,
  tenancy_name_key @key not null,
  company_name @text not null,
  company_name_key @key not null,
  contact_name @text not null,
  phone @text not null,
  email @text not null,
  company_address @text not null,
  enabled @int not null,
  builtin @int not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index tenancy_by_name on tenancy (tenancy_name_key);
create index tenancy_by_created on tenancy (created_at, tenancy_id);
create index tenancy_by_updated on tenancy (updated_at, tenancy_id);

create table menu (
  menu_key @key primary key,
  menu_id @int not null,
  parent_key @key references menu (menu_key),
  name_zh @text not null,
  name_en @text not null,
  path @text not null,
  icon @text not null,
  sort_order @int not null,
  platform_only @int not null
) @table;

create table role (
  role_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  role_name @text not null,
  role_name_key @key not null,
  builtin @int not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index role_by_name on role (tenancy_id, role_name_key);
create index role_by_created on role (created_at, role_id);
create index role_by_updated on role (updated_at, role_id);

create table role_menu (
  role_id @key not null references role (role_id) on delete cascade,
  menu_id @int not null,
  primary key (role_id, menu_id)
) @table;

create table picture (
  picture_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id) on delete cascade,
  content_type @text not null,
  bytes @blob not null,
  created_at @int not null
) @table;

create table user_account (
  user_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  role_id @key not null references role (role_id),
  username @text not null,
  username_key @key not null,
  name @text not null,
  name_key @key not null,
  email @text,
  email_key @key,
  phone @key,
  picture_id @key references picture (picture_id),
  password_hash @text not null,
  must_change_password @int not null,
  preferences @text not null,
  last_login_at @int,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index user_account_by_username on user_account (username_key);
create unique index user_account_by_email on user_account (email_key);
create unique index user_account_by_phone on user_account (phone);
create index user_account_by_role on user_account (role_id);
create index user_account_by_tenancy on user_account (tenancy_id, created_at, user_id);
create index user_account_by_created on user_account (created_at, user_id);
create index user_account_by_updated on user_account (updated_at, user_id);

create table session (
  session_id @key primary key,
  token_hash @key not null,
  user_id @key not null references user_account (user_id) on delete cascade,
  ip @text not null,
  user_agent @text not null,
  created_at @int not null,
  last_used_at @int not null
) @table;
create unique index session_by_token on session (token_hash);
create index session_by_user on session (user_id, created_at);

-- One live code per purpose, address and asker; the asker is '' where nobody is signed in.
create table verification_code (
  purpose @int not null,
  address_key @key not null,
  asker @key not null,
  code_hash @key not null,
  tries @int not null,
  created_at @int not null,
  checked_at @int,
  primary key (purpose, address_key, asker)
) @table;

create table login_attempt (
  attempt_key @key primary key,
  failures @int not null,
  last_failed_at @int not null,
  blocked_until @int not null
) @table;

create table application (
  application_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  application_name @text not null,
  application_name_key @key not null,
  enabled @int not null,
  creator @text not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index application_by_name on application (tenancy_id, application_name_key);
create index application_by_created on application (created_at, application_id);
create index application_by_updated on application (updated_at, application_id);

create table outbox (
  outbox_id @key primary key,
  channel @key not null,
  recipient @text not null,
  recipient_key @key not null,
  subject @text not null,
  body_sealed @text not null,
  body_after @text not null,
  state @key not null,
  attempts @int not null,
  next_at @int not null,
  error @text not null,
  created_at @int not null,
  sent_at @int
) @table;
create index outbox_by_due on outbox (state, next_at);
create index outbox_by_created on outbox (created_at, outbox_id);

create table audit_log (
  audit_id @key primary key,
  created_at @int not null,
  tenancy_id @key not null,
  user_id @key not null,
  username @text not null,
  username_key @key not null,
  ip @text not null,
  request_id @text not null,
  action @key not null,
  action_key @key not null,
  target_id @key not null,
  target_name @text not null,
  target_key @key not null,
  before_json @text not null,
  after_json @text not null
) @table;
create index audit_log_by_created on audit_log (created_at, audit_id);
create index audit_log_by_tenancy on audit_log (tenancy_id, created_at, audit_id);

insert into menu (menu_key, menu_id, parent_key, name_zh, name_en, path, icon, sort_order, platform_only) values
  ('systemConfig', 2, null, '系统配置', 'System', '/systemConfig', 'settings', 20, 0),
  ('tenantList', 301, 'systemConfig', '租户管理', 'Tenants', '/systemConfig/tenantList', 'building', 21, 1),
  ('applyList', 302, 'systemConfig', '应用管理', 'Applications', '/systemConfig/applyList', 'layout-grid', 22, 0),
  ('roleList', 201, 'systemConfig', '角色管理', 'Roles', '/systemConfig/roleList', 'shield', 23, 0),
  ('userList', 202, 'systemConfig', '用户管理', 'Users', '/systemConfig/userList', 'users', 24, 0),
  ('auditLog', 203, 'systemConfig', '审计日志', 'Audit log', '/systemConfig/auditLog', 'scroll-text', 25, 0),
  ('outbox', 204, 'systemConfig', '发件箱', 'Outbox', '/systemConfig/outbox', 'mail', 26, 1);
