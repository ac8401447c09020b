import type { NodeTypeId, OwnFunctionType, ProductClassId, ProtocolId } from '@device-center/contract';
import type { Defaulted, Flag, Nullable } from './column-types.ts';
import type { DeviceTables } from './device-tables.ts';
import type { OtaTables } from './ota-tables.ts';
import type { SyncTables } from './sync-tables.ts';
import type { ZoneTables } from './zone-tables.ts';

/** Row types, one per table of the migrations. Numbers are integers below 2^53 on both engines. */

export type TenancyTable = {
  tenancy_id: string;
  tenancy_name: string;
  tenancy_name_key: string;
  company_name: string;
  company_name_key: string;
  contact_name: string;
  phone: string;
  email: string;
  company_address: string;
  enabled: Flag;
  builtin: Flag;
  demo: Defaulted<Flag>;
  created_at: number;
  updated_at: number;
};

export type MenuTable = {
  menu_key: string;
  menu_id: number;
  parent_key: Nullable<string>;
  name_zh: string;
  name_en: string;
  path: string;
  icon: string;
  sort_order: number;
  platform_only: Flag;
};

export type RoleTable = {
  role_id: string;
  tenancy_id: string;
  role_name: string;
  role_name_key: string;
  builtin: Flag;
  created_at: number;
  updated_at: number;
};

export type RoleMenuTable = { role_id: string; menu_id: number };

export type PictureTable = {
  picture_id: string;
  tenancy_id: string;
  content_type: string;
  bytes: Uint8Array;
  purpose: Defaulted<'avatar' | 'product'>;
  created_at: number;
};

export type UserAccountTable = {
  user_id: string;
  tenancy_id: string;
  role_id: string;
  username: string;
  username_key: string;
  name: string;
  name_key: string;
  email: Nullable<string>;
  email_key: Nullable<string>;
  phone: Nullable<string>;
  picture_id: Nullable<string>;
  password_hash: string;
  must_change_password: Flag;
  preferences: string;
  last_login_at: Nullable<number>;
  created_at: number;
  updated_at: number;
};

export type SessionTable = {
  session_id: string;
  token_hash: string;
  user_id: string;
  ip: string;
  user_agent: string;
  created_at: number;
  last_used_at: number;
};

export type VerificationCodeTable = {
  purpose: number;
  address_key: string;
  asker: string;
  code_hash: string;
  tries: number;
  created_at: number;
  checked_at: Nullable<number>;
};

export type VerificationCodeTryTable = { code_hash: string; network: string; tries: number; created_at: number };

export type LoginNetworkTable = { user_id: string; network: string; last_login_at: number };

export type OutboxRevealTable = {
  reveal_id: string;
  user_id: string;
  subject: string;
  revealed_by: string;
  revealed_at: number;
};

export type LoginAttemptTable = {
  attempt_key: string;
  failures: number;
  last_failed_at: number;
  blocked_until: number;
};

export type ApplicationTable = {
  application_id: string;
  tenancy_id: string;
  application_name: string;
  application_name_key: string;
  enabled: Flag;
  /** Marked for deletion: its devices are deleted first. */
  deleting: Defaulted<Flag>;
  creator: string;
  created_at: number;
  updated_at: number;
};

/** Limits of a tenant; null is the default. */
export type TenantQuotaTable = {
  tenancy_id: string;
  messages_per_second: number | null;
  device_messages_per_second: number | null;
  messages_per_day: number | null;
  stored_bytes: number | null;
  upload_bytes: number | null;
  texts_per_day: number | null;
  user_texts_per_day: number | null;
  updated_at: number;
};

/** Texts sent to a user; '' is the whole tenant. */
export type TextUsageTable = { tenancy_id: string; user_id: string; usage_day: number; texts: number };

/** `suppressed`: no account has the address; the row is written so that each request for a code does the same work. */
export type OutboxState = 'pending' | 'sent' | 'kept' | 'failed' | 'suppressed';

export type OutboxTable = {
  outbox_id: string;
  channel: 'mail' | 'sms';
  recipient: string;
  recipient_key: string;
  subject: string;
  body_sealed: string;
  /** The text that is shown after delivery, with its secret masked. */
  body_after: string;
  state: OutboxState;
  attempts: number;
  next_at: number;
  error: string;
  created_at: number;
  sent_at: Nullable<number>;
};

export type AuditLogTable = {
  audit_id: string;
  created_at: number;
  tenancy_id: string;
  user_id: string;
  username: string;
  username_key: string;
  ip: string;
  request_id: string;
  action: string;
  action_key: string;
  target_id: string;
  target_name: string;
  target_key: string;
  before_json: string;
  after_json: string;
  merge_key: Defaulted<string>;
};

export type CategoryTable = {
  category_id: string;
  tenancy_id: string;
  category_name: string;
  category_name_key: string;
  search_key: string;
  description: string;
  english: Nullable<string>;
  model_version: number;
  created_at: number;
  updated_at: number;
};

type FunctionColumns = {
  function_id: string;
  sign_code: string;
  function_name: string;
  function_type: OwnFunctionType;
  description: string;
  definition: string;
  sort_order: number;
};

export type OpenFunctionTable = FunctionColumns & {
  category_id: string;
  search_key: string;
  english: Nullable<string>;
  created_at: number;
  updated_at: number;
};

export type ProductFunctionTable = FunctionColumns & { product_id: string };

export type ProductTable = {
  product_id: string;
  tenancy_id: string;
  category_id: string;
  application_id: Nullable<string>;
  product_name: string;
  product_name_key: string;
  product_id_key: string;
  description: string;
  picture_id: Nullable<string>;
  node_type: NodeTypeId;
  protocol_id: ProtocolId;
  class_id: ProductClassId;
  secret_sealed: string;
  allow_register: Flag;
  allow_md5: Flag;
  /** Installation that manages it; '' is this one. */
  origin_id: Defaulted<string>;
  revision: Defaulted<number>;
  /** Installation that sent it; '' if unknown. */
  received_from: Defaulted<string>;
  /** API key it was sent with; '' if unknown. */
  received_key: Defaulted<string>;
  /** Installation that managed it before a takeover; '' if none. */
  former_origin: Defaulted<string>;
  model_version: number;
  function_count: number;
  creator: string;
  created_at: number;
  updated_at: number;
};

export type ProductModelVersionTable = {
  product_id: string;
  model_version: number;
  functions: string;
  function_count: number;
  added: number;
  removed: number;
  changed: number;
  restored_from: Nullable<number>;
  creator: string;
  created_at: number;
};

export type Tables = DeviceTables &
  OtaTables &
  SyncTables &
  ZoneTables & {
    tenancy: TenancyTable;
    tenant_quota: TenantQuotaTable;
    text_usage: TextUsageTable;
    menu: MenuTable;
    role: RoleTable;
    role_menu: RoleMenuTable;
    picture: PictureTable;
    user_account: UserAccountTable;
    session: SessionTable;
    verification_code: VerificationCodeTable;
    verification_code_try: VerificationCodeTryTable;
    login_network: LoginNetworkTable;
    login_attempt: LoginAttemptTable;
    application: ApplicationTable;
    category: CategoryTable;
    open_function: OpenFunctionTable;
    product: ProductTable;
    product_function: ProductFunctionTable;
    product_model_version: ProductModelVersionTable;
    seed: { seed_name: string; created_at: number };
    outbox: OutboxTable;
    outbox_reveal: OutboxRevealTable;
    audit_log: AuditLogTable;
  };
