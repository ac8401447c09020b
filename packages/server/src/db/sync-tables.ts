import type { Defaulted, Nullable } from './column-types.ts';

/** Row types of the hub database: synchronisation. */

export type SyncRecordTable = {
  sync_id: string;
  zone_id: number;
  data_type: 1 | 2;
  item_id: string;
  product_id: string;
  device_id: Nullable<string>;
  status: 0 | 1 | 2 | 3;
  revision: number;
  sent_revision: number;
  /** Consecutive failed attempts. */
  attempts: number;
  next_at: number;
  /** JSON; '' if it has not failed. */
  reason: string;
  /** JSON, newest first. */
  tries: string;
  synced_at: number;
  created_at: number;
  updated_at: number;
};

export type SyncTables = {
  sync_zone: {
    zone_id: number;
    target: string;
    peer_id: string;
    /** JSON; '' if unknown. */
    peers: Defaulted<string>;
    /** The tenants that its records cover: 'all', or ids. */
    scope: Defaulted<string>;
    leader: string;
    leader_until: number;
  };
  sync_record: SyncRecordTable;
  sync_job: { job_name: string; leader: string; leader_until: number; done_at: number };
};
