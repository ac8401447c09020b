import type { Db } from '../../db/connect.ts';
import { type DeviceInstruction, type DisconnectInstruction, isDisconnect } from '../../domain/device/instructions.ts';
import type { DisconnectReason } from '../../mqtt/server-types.ts';
import type { ConnectionRegistry, DeviceConnection, DeviceSession } from './connection-registry.ts';
import { denialReason, selectDeviceSessions } from './device-session.ts';
import type { Downlink } from './downlink.ts';
import type { SendKickNotice } from './kick-notice.ts';
import type { Presence } from './presence.ts';

type InstructionDeps = {
  db: Db;
  connections: ConnectionRegistry;
  presence: Presence;
  sendKickNotice: SendKickNotice;
  downlink: Pick<Downlink, 'notifyChanged'>;
  /** Executes the instruction for devices on zone brokers. */
  executeInZones: (instruction: DeviceInstruction) => Promise<void>;
};

/** Instructions are re-read for this long: one may be committed after another with a higher number. */
const REREAD_MS = 60_000;
const RETENTION_MS = 10 * 60_000;
const BATCH_SIZE = 500;
/** Time for the kick notice to be delivered before the device is disconnected. */
const NOTICE_TIMEOUT_MS = 500;

/** Executes device instructions: disconnects, and notices of a changed configuration. */
export const createInstructionHandler = ({
  db,
  connections,
  presence,
  sendKickNotice,
  downlink,
  executeInZones,
}: InstructionDeps) => {
  const executed = new Map<number, number>();
  let executedCount = 0;

  /** A connection newer than the instruction may have been authorized from older rows, so the current rows decide. */
  const isForbidden = async ({ deviceId, sessionId }: DeviceSession): Promise<boolean> => {
    const row = await selectDeviceSessions(db)
      .where('device.device_id', '=', deviceId)
      .where('device_session.session_id', '=', sessionId)
      .executeTakeFirst();
    return !row || denialReason(row) !== undefined;
  };

  const appliesTo = async (session: DeviceSession, { conn_no }: DisconnectInstruction): Promise<boolean> =>
    session.connNo <= conn_no || (await isForbidden(session));

  const disconnectSession = async (
    connection: DeviceConnection,
    session: DeviceSession,
    reason: DisconnectReason,
    detail: string,
  ): Promise<void> => {
    if (reason === 'kicked') {
      session.kickedFor = detail;
      const sent = sendKickNotice(connection, session, detail || 'kicked');
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, NOTICE_TIMEOUT_MS))]);
    }
    if (session === connection) return connection.client.disconnect(reason, detail);
    const child = connections.detachChild(session.deviceId);
    if (child) presence.childDisconnected(child, connection, reason);
  };

  const sessionsOf = (deviceId: string): [DeviceConnection, DeviceSession][] => {
    const connection = connections.get(deviceId);
    const gateway = connections.gatewayOf(deviceId);
    const child = gateway?.children.get(deviceId);
    return [
      ...(connection ? [[connection, connection] as [DeviceConnection, DeviceSession]] : []),
      ...(gateway && child ? [[gateway, child] as [DeviceConnection, DeviceSession]] : []),
    ];
  };

  const disconnectDevice = async (instruction: DisconnectInstruction): Promise<void> => {
    for (const [connection, session] of sessionsOf(instruction.scope_id))
      if (await appliesTo(session, instruction))
        await disconnectSession(connection, session, instruction.reason, instruction.detail);
  };

  /** Disconnects all local devices that now belong to the application or tenant. */
  const disconnectOwned = async (instruction: DisconnectInstruction): Promise<void> => {
    const { scope, scope_id, reason, detail } = instruction;
    const local = [...connections.all()].flatMap((connection) =>
      [connection as DeviceSession, ...connection.children.values()].map((session) => [connection, session] as const),
    );
    const column = scope === 'application' ? 'application_id' : 'tenancy_id';
    for (let from = 0; from < local.length; from += BATCH_SIZE) {
      const batch = local.slice(from, from + BATCH_SIZE);
      const rows = await db
        .selectFrom('device')
        .select(['device_id', 'application_id', 'tenancy_id'])
        .where(
          'device_id',
          'in',
          batch.map(([, session]) => session.deviceId),
        )
        .execute();
      const current = new Map(rows.map((row) => [row.device_id, row]));
      for (const [connection, session] of batch) {
        const row = current.get(session.deviceId);
        if (row) session.applicationId = row.application_id;
        // The device was deleted, together with its application.
        const owner = row?.[column] ?? (scope === 'application' ? session.applicationId : session.tenancyId);
        if (owner === scope_id && (await appliesTo(session, instruction)))
          await disconnectSession(connection, session, reason, detail);
      }
    }
  };

  const notifyConfigChanged = async ({ scope_id }: DeviceInstruction): Promise<void> => {
    const row = await db.selectFrom('device').select('zone_id').where('device_id', '=', scope_id).executeTakeFirst();
    if (!row) return;
    for (const [connection, session] of sessionsOf(scope_id)) {
      session.zoneId = row.zone_id;
      downlink.notifyChanged(connection, session, 'config');
    }
  };

  const execute = async (instruction: DeviceInstruction): Promise<void> => {
    await executeInZones(instruction);
    if (!isDisconnect(instruction)) return notifyConfigChanged(instruction);
    return instruction.scope === 'device' ? disconnectDevice(instruction) : disconnectOwned(instruction);
  };

  /** Marked as executed first, since a notification and the timer may poll concurrently; a failed one is retried. */
  const executeOnce = async (instruction: DeviceInstruction): Promise<void> => {
    executed.set(instruction.cut_id, instruction.created_at);
    executedCount++;
    try {
      await execute(instruction);
    } catch (error) {
      executed.delete(instruction.cut_id);
      throw error;
    }
  };

  return {
    executedCount: (): number => executedCount,
    async poll(): Promise<void> {
      const since = Date.now() - REREAD_MS;
      const instructions = await db
        .selectFrom('device_cut')
        .selectAll()
        .where('created_at', '>', since)
        .orderBy('cut_id')
        .execute();
      for (const instruction of instructions) if (!executed.has(instruction.cut_id)) await executeOnce(instruction);
      for (const [cutId, createdAt] of executed) if (createdAt < since) executed.delete(cutId);
    },
    async sweep(): Promise<void> {
      await db
        .deleteFrom('device_cut')
        .where('created_at', '<', Date.now() - RETENTION_MS)
        .execute();
    },
  };
};
