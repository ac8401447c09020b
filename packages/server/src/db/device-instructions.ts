import type { ConnectionDisconnectReason } from '@device-center/contract';
import type { Selectable } from 'kysely';
import { nextSequenceId } from '../platform/ids.ts';
import type { Db } from './connect.ts';
import type { CutScope, DeviceCutTable, OrderScope } from './device-tables.ts';

/** To cut connections, or to tell a device something: the rows of `device_cut` are both. */
export type Order = Selectable<DeviceCutTable>;
export type Cut = Order & { scope: CutScope; reason: ConnectionDisconnectReason };
export const isCut = (order: Order): order is Cut => order.scope !== 'configuration';

const order = async (
  db: Db,
  scope: OrderScope,
  scopeIds: string[],
  reason: Order['reason'],
  detail: string,
): Promise<void> => {
  if (scopeIds.length === 0) return;
  const created_at = Date.now();
  const conn_no = nextSequenceId(created_at);
  const rows = scopeIds.map((scope_id) => ({
    cut_id: nextSequenceId(),
    scope,
    scope_id,
    reason,
    detail,
    conn_no,
    created_at,
  }));
  await db.insertInto('device_cut').values(rows).execute();
};

/**
 * Orders to cut connections, written in the transaction that forbids them; the device side reads them on a hint and by
 * itself. A connection made later stays if the rows of now allow it.
 */
export const requestDisconnect = (
  db: Db,
  scope: CutScope,
  scopeIds: string[],
  reason: ConnectionDisconnectReason,
  detail = '',
): Promise<void> => order(db, scope, scopeIds, reason, detail);

/** The device, if it is connected, is told that its configuration has changed. */
export const requestConfigNotice = (db: Db, deviceId: string): Promise<void> =>
  order(db, 'configuration', [deviceId], '', '');

/** Ends the tokens of devices: what they logged in with no longer counts. Their history stays theirs. */
export const revokeTokens = async (db: Db, deviceIds: string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  await db.updateTable('device_session').set({ ended: 1 }).where('device_id', 'in', deviceIds).execute();
};
