import type { ApiKeyScope } from '@device-center/contract';
import type { Defaulted, Flag, Nullable } from './column-types.ts';

export type ZoneTable = {
  zone_id: number;
  zone_name: string;
  zone_name_key: string;
  english: Nullable<string>;
  zone_type: 1 | 2;
  status: Flag;
  route_key: string;
  builtin: Defaulted<Flag>;
  address: Defaulted<string>;
  is_sync_model: Defaulted<Flag>;
  /** 1: all tenants; 0: those of `zone_tenancy`. */
  sync_all: Defaulted<Flag>;
  revision: Defaulted<number>;
  created_at: number;
  updated_at: number;
};

export type ZoneNodeTable = {
  node_id: string;
  zone_id: number;
  node_index: number;
  host_name: string;
  port: number;
  server_type: 1 | 2;
  username: string;
  password_sealed: string;
  tls: Flag;
  bucket_url: string;
  bucket_zone_id: number;
  api_key_sealed: string;
  certificate_sealed: string;
  certificate_facts: string;
  created_at: number;
  updated_at: number;
};

export type ZoneNodeStatusTable = {
  node_id: string;
  hub_no: number;
  state: 'connecting' | 'connected' | 'failed';
  problem: string;
  detail: string;
  since: number;
};

export type ZoneNodeCheckTable = {
  node_id: string;
  problem: string;
  detail: string;
  since: number;
  checked_at: number;
};

export type ZoneProbeTable = {
  device_id: string;
  zone_id: number;
  /** Seconds; 0 if the device did not report it. */
  keep_alive: number;
  due_at: number;
  /** 0: not probed. */
  asked_at: number;
};

export type ApiKeyTable = {
  key_id: string;
  tenancy_id: string;
  key_name: string;
  key_name_key: string;
  key_hash: string;
  key_hint: string;
  scope: ApiKeyScope;
  role_id: Nullable<string>;
  application_id: Nullable<string>;
  creator: string;
  /** null: its creator was deleted before that also deleted the key. */
  creator_id: Nullable<string>;
  expires_at: Nullable<number>;
  last_used_at: Nullable<number>;
  last_used_ip: string;
  created_at: number;
  updated_at: number;
};

export type ZoneTables = {
  zone: ZoneTable;
  zone_sequence: { sequence_no: number; next_id: number };
  zone_node: ZoneNodeTable;
  zone_tenancy: { zone_id: number; tenancy_id: string };
  zone_link: ZoneNodeStatusTable;
  zone_slot: { zone_id: number; slot_no: number; hub_no: number; shared: -1 | 0 | 1 };
  zone_probe: ZoneProbeTable;
  zone_node_check: ZoneNodeCheckTable;
  installation: { installation_no: number; installation_id: string; created_at: number };
  api_key: ApiKeyTable;
};
