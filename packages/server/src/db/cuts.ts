import type { CutReason } from '@device-center/contract';
import { newNumber } from '../platform/ids.ts';
import type { Db } from './connect.ts';
import type { CutScope } from './device-tables.ts';

/**
 * Orders to cut connections, written in the transaction that forbids them; the device side reads them on a hint and by
 * itself. A connection made later has passed the door anew and is left alone.
 */
export const orderCuts = async (
  db: Db,
  scope: CutScope,
  scopeIds: string[],
  reason: CutReason,
  detail = '',
): Promise<void> => {
  if (scopeIds.length === 0) return;
  const created_at = Date.now();
  const conn_no = newNumber(created_at);
  const rows = scopeIds.map((scope_id) => ({
    cut_id: newNumber(),
    scope,
    scope_id,
    reason,
    detail,
    conn_no,
    created_at,
  }));
  await db.insertInto('device_cut').values(rows).execute();
};

/** Ends the tokens of devices: what they logged in with no longer counts. Their history stays theirs. */
export const endTokens = async (db: Db, deviceIds: string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  await db.updateTable('device_session').set({ ended: 1 }).where('device_id', 'in', deviceIds).execute();
};
