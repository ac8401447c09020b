import type { DisconnectReason } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { Log } from '../../platform/log.ts';
import { connectedRow, disconnectedRow } from '../../records/connection-events.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Ingest } from './ingest.ts';
import { markOnline } from './mark-online.ts';

type Change = {
  session: DeviceSession;
  online: 1 | 2;
  at: number;
  ip: string;
  transport: string;
  parentId: string | null;
  /** Set when the device goes offline. */
  reason?: DisconnectReason;
  /** Called after the commit. */
  written?: () => void;
};

type PresenceDeps = {
  db: Db;
  hubNo: number;
  ingest: Ingest;
  log: Log;
  /** Notifies other hubs that they have a replaced connection to disconnect. */
  notifyTakeover: () => void;
  /** Called when the device has a newer connection at another hub. */
  onSuperseded: (session: DeviceSession) => void;
};

/** Outcome of a change with regard to other hubs. */
type Outcome = 'written' | 'takenOver' | 'superseded';

const WRITE_INTERVAL_MS = 50;
const BATCH_SIZE = 200;

/**
 * Writes presence in batches, independently of PUBACKs. Connections have rising numbers: one marks the device online
 * only over an earlier one, and offline only for itself, so a late disconnect never affects a newer connection.
 */
export const createPresence = ({ db, hubNo, ingest, log, notifyTakeover, onSuperseded }: PresenceDeps) => {
  const waiting: Change[] = [];
  /** Connections whose online state is not committed yet, by number. */
  const pendingOnline = new Map<number, Promise<void>>();
  let running: Promise<void> | undefined;
  let stopped = false;

  /** Marks the device online over an earlier connection; `elsewhere`: also over one at another hub. */
  const tryMarkOnline = async (db: Db, change: Change, elsewhere: boolean): Promise<boolean> => {
    const { deviceId, connNo } = change.session;
    const { numUpdatedRows } = await markOnline(db, deviceId, { ...change, connNo, hubNo, linkZoneId: 0 })
      .$if(!elsewhere, (rows) => rows.where((row) => row.or([row('online', '=', 2), row('hub_no', '=', hubNo)])))
      .executeTakeFirst();
    return Number(numUpdatedRows) === 1;
  };

  /** The device is connected at another hub: if that connection is older it is replaced, otherwise this one is. */
  const takeOver = async (db: Db, change: Change): Promise<Outcome> => {
    const { deviceId: device_id, connNo: conn_no } = change.session;
    const row = await db
      .selectFrom('device')
      .select(['hub_no', 'conn_no'])
      .where('device_id', '=', device_id)
      .executeTakeFirst();
    // The device was deleted, or this change was committed before but the confirmation was lost.
    if (!row || row.conn_no === conn_no) return 'written';
    if (row.conn_no > conn_no || !(await tryMarkOnline(db, change, true))) return 'superseded';
    await db
      .insertInto('connection_moved')
      .values({ hub_no: row.hub_no, device_id, conn_no })
      .onConflict((conflict) => conflict.columns(['hub_no', 'device_id']).doUpdateSet({ conn_no }))
      .execute();
    return 'takenOver';
  };

  const write = async (db: Db, change: Change): Promise<Outcome> => {
    if (change.online === 1) return (await tryMarkOnline(db, change, false)) ? 'written' : takeOver(db, change);
    await db
      .updateTable('device')
      .set({ online: 2, presence_at: change.at, offline_reason: change.reason ?? '' })
      .where('device_id', '=', change.session.deviceId)
      .where('conn_no', '=', change.session.connNo)
      .execute();
    return 'written';
  };

  const writeAll = (changes: Change[]): Promise<Map<Change, Outcome>> =>
    transact(db, async (db) => {
      const outcomes = new Map<Change, Outcome>();
      for (const change of changes) outcomes.set(change, await write(db, change));
      return outcomes;
    });

  const run = async (): Promise<void> => {
    while (waiting.length > 0 && !stopped) {
      const changes = waiting.slice(0, BATCH_SIZE);
      try {
        const outcomes = await writeAll(changes);
        waiting.splice(0, changes.length);
        if ([...outcomes.values()].includes('takenOver')) notifyTakeover();
        for (const [{ session, written }, outcome] of outcomes) {
          if (outcome === 'superseded') onSuperseded(session);
          written?.();
        }
      } catch (error) {
        log.warn({ err: error }, 'presence not stored, retrying');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  };

  const enqueue = (change: Change): void => {
    waiting.push(change);
    running ??= new Promise((resolve) => setTimeout(resolve, WRITE_INTERVAL_MS)).then(run).finally(() => {
      running = undefined;
    });
  };

  const recordOnline = (
    session: DeviceSession,
    connection: DeviceConnection,
    parentId: string | null,
  ): Promise<void> => {
    const { ip, transport } = connection;
    const { promise, resolve } = Promise.withResolvers<void>();
    const written = (): void => {
      pendingOnline.delete(session.connNo);
      resolve();
    };
    pendingOnline.set(session.connNo, promise);
    const change: Change = { session, online: 1, at: session.connectedAt, ip, transport, parentId, written };
    enqueue(change);
    ingest.addConnectionEvent(connectedRow(session, change, parentId));
    return promise;
  };

  const recordOffline = (
    session: DeviceSession,
    connection: DeviceConnection,
    observed: DisconnectReason,
    observedDetail: string,
  ): void => {
    const { ip, transport } = connection;
    const { kickedFor } = session;
    const [reason, detail] = kickedFor === undefined ? [observed, observedDetail] : ['kicked' as const, kickedFor];
    const change: Change = { session, online: 2, at: Date.now(), ip, transport, parentId: null, reason };
    enqueue(change);
    ingest.addConnectionEvent(disconnectedRow(session, change, session.connectedAt, reason, detail));
  };

  return {
    connected: (connection: DeviceConnection): void => void recordOnline(connection, connection, null),
    /** Resolves once the online state is committed: from then on commands are sent to the device. */
    whenOnline: (session: DeviceSession): Promise<void> | undefined => pendingOnline.get(session.connNo),
    disconnected(connection: DeviceConnection, reason: DisconnectReason, detail: string): void {
      recordOffline(connection, connection, reason, detail);
      for (const child of connection.children.values()) recordOffline(child, connection, 'gatewayLost', reason);
    },
    /** Resolves after the commit. */
    childConnected: (child: DeviceSession, gateway: DeviceConnection): Promise<void> =>
      recordOnline(child, gateway, gateway.deviceId),
    childDisconnected: (child: DeviceSession, gateway: DeviceConnection, reason: DisconnectReason): void =>
      recordOffline(child, gateway, reason, ''),
    /** Flushes within the time limit; devices not written by then go offline when the lease ends. */
    async stop(withinMs: number): Promise<void> {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      const all = (async () => {
        while (waiting.length > 0) await (running ?? run());
      })();
      await Promise.race([all, timeout]);
      stopped = true;
    },
  };
};

export type Presence = ReturnType<typeof createPresence>;
