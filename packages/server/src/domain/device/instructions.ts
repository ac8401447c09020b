import type { ConnectionDisconnectReason } from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { DisconnectScope, InstructionScope } from '../../db/column-types.ts';
import type { Db } from '../../db/connect.ts';
import type { DeviceCutTable } from '../../db/hub-tables.ts';
import { nextSequenceId } from '../../platform/ids.ts';

/** An instruction to the device process: disconnect, or notify a device of its configuration. Rows of `device_cut`. */
export type DeviceInstruction = Selectable<DeviceCutTable>;
export type DisconnectInstruction = DeviceInstruction & { scope: DisconnectScope; reason: ConnectionDisconnectReason };
export const isDisconnect = (instruction: DeviceInstruction): instruction is DisconnectInstruction =>
  instruction.scope !== 'configuration';

const insertInstructions = async (
  db: Db,
  scope: InstructionScope,
  scopeIds: string[],
  reason: DeviceInstruction['reason'],
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
 * Requests disconnects, in the transaction that forbids the connections. The device process reads them after a
 * notification or by polling. A connection opened later stays if the present rows allow it.
 */
export const requestDisconnect = (
  db: Db,
  scope: DisconnectScope,
  scopeIds: string[],
  reason: ConnectionDisconnectReason,
  detail = '',
): Promise<void> => insertInstructions(db, scope, scopeIds, reason, detail);

/** Requests that the device, if connected, is notified of a configuration change. */
export const requestConfigNotice = (db: Db, deviceId: string): Promise<void> =>
  insertInstructions(db, 'configuration', [deviceId], '', '');

/** Revokes the tokens of devices, so that they must log in again. Their history remains. */
export const revokeTokens = async (db: Db, deviceIds: string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  await db.updateTable('device_session').set({ ended: 1 }).where('device_id', 'in', deviceIds).execute();
};
