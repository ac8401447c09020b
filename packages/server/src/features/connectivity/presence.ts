import type { DisconnectReason } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { Log } from '../../platform/log.ts';
import { connectedRow, disconnectedRow } from '../../records/connects.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Intake } from './ingest.ts';
import { comingOnline } from './mark-online.ts';

type Change = {
  speaker: DeviceSession;
  online: 1 | 2;
  at: number;
  ip: string;
  transport: string;
  parentId: string | null;
  /** Of one that goes offline. */
  reason?: DisconnectReason;
  /** Called when it is written. */
  written?: () => void;
};

type PresenceDeps = {
  db: Db;
  hubNo: number;
  intake: Intake;
  log: Log;
  /** Another hub has a connection to cut. */
  movedHint: () => void;
  /** A newer connection of this device is at another hub. */
  overtaken: (speaker: DeviceSession) => void;
};

/** What a change has to do with other hubs. */
type After = 'done' | 'moved' | 'overtaken';

const WRITE_EVERY_MS = 50;
const AT_ONCE = 200;

/**
 * What the gateway saw, written in batches outside the path of PUBACKs. A connection has a rising number: it comes
 * online only over an earlier one, and goes offline only as itself, so a late goodbye never unseats a newer one.
 */
export const createPresence = ({ db, hubNo, intake, log, movedHint, overtaken }: PresenceDeps) => {
  const waiting: Change[] = [];
  /** Connections whose coming online is not written yet, by their number. */
  const coming = new Map<number, Promise<void>>();
  let running: Promise<void> | undefined;
  let stopped = false;

  /** Comes online over an earlier connection; `elsewhere`: also over one that another hub has. */
  const comeOnline = async (db: Db, change: Change, elsewhere: boolean): Promise<boolean> => {
    const { deviceId, connNo } = change.speaker;
    const { numUpdatedRows } = await comingOnline(db, deviceId, { ...change, connNo, hubNo, linkZoneId: 0 })
      .$if(!elsewhere, (rows) => rows.where((row) => row.or([row('online', '=', 2), row('hub_no', '=', hubNo)])))
      .executeTakeFirst();
    return Number(numUpdatedRows) === 1;
  };

  /** The device has a connection at another hub: an earlier one is that hub's to cut, a later one means this one. */
  const takeOver = async (db: Db, change: Change): Promise<After> => {
    const { deviceId: device_id, connNo: conn_no } = change.speaker;
    const row = await db
      .selectFrom('device')
      .select(['hub_no', 'conn_no'])
      .where('device_id', '=', device_id)
      .executeTakeFirst();
    // Its row is gone, or this very change was committed and nobody heard of it.
    if (!row || row.conn_no === conn_no) return 'done';
    if (row.conn_no > conn_no || !(await comeOnline(db, change, true))) return 'overtaken';
    await db
      .insertInto('connection_moved')
      .values({ hub_no: row.hub_no, device_id, conn_no })
      .onConflict((conflict) => conflict.columns(['hub_no', 'device_id']).doUpdateSet({ conn_no }))
      .execute();
    return 'moved';
  };

  const write = async (db: Db, change: Change): Promise<After> => {
    if (change.online === 1) return (await comeOnline(db, change, false)) ? 'done' : takeOver(db, change);
    await db
      .updateTable('device')
      .set({ online: 2, presence_at: change.at, offline_reason: change.reason ?? '' })
      .where('device_id', '=', change.speaker.deviceId)
      .where('conn_no', '=', change.speaker.connNo)
      .execute();
    return 'done';
  };

  const writeAll = (changes: Change[]): Promise<Map<Change, After>> =>
    transact(db, async (db) => {
      const after = new Map<Change, After>();
      for (const change of changes) after.set(change, await write(db, change));
      return after;
    });

  const run = async (): Promise<void> => {
    while (waiting.length > 0 && !stopped) {
      const changes = waiting.slice(0, AT_ONCE);
      try {
        const after = await writeAll(changes);
        waiting.splice(0, changes.length);
        if ([...after.values()].includes('moved')) movedHint();
        for (const [{ speaker, written }, what] of after) {
          if (what === 'overtaken') overtaken(speaker);
          written?.();
        }
      } catch (error) {
        log.warn({ err: error }, 'presence could not be written, trying again');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  };

  const add = (change: Change): void => {
    waiting.push(change);
    running ??= new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS)).then(run).finally(() => {
      running = undefined;
    });
  };

  const came = (speaker: DeviceSession, peer: DeviceConnection, parentId: string | null): Promise<void> => {
    const { ip, transport } = peer;
    const { promise, resolve } = Promise.withResolvers<void>();
    const written = (): void => {
      coming.delete(speaker.connNo);
      resolve();
    };
    coming.set(speaker.connNo, promise);
    const change: Change = { speaker, online: 1, at: speaker.connectedAt, ip, transport, parentId, written };
    add(change);
    intake.addConnectionEvent(connectedRow(speaker, change, parentId));
    return promise;
  };

  const went = (speaker: DeviceSession, peer: DeviceConnection, seen: DisconnectReason, words: string): void => {
    const { ip, transport } = peer;
    const { kickedFor } = speaker;
    const [reason, detail] = kickedFor === undefined ? [seen, words] : ['kicked' as const, kickedFor];
    const change: Change = { speaker, online: 2, at: Date.now(), ip, transport, parentId: null, reason };
    add(change);
    intake.addConnectionEvent(disconnectedRow(speaker, change, speaker.connectedAt, reason, detail));
  };

  return {
    connected: (peer: DeviceConnection): void => void came(peer, peer, null),
    /** Once the rows say that it is online: from then on commands find it. */
    whenOnline: (speaker: DeviceSession): Promise<void> | undefined => coming.get(speaker.connNo),
    disconnected(peer: DeviceConnection, reason: DisconnectReason, detail: string): void {
      went(peer, peer, reason, detail);
      for (const child of peer.children.values()) went(child, peer, 'gatewayLost', reason);
    },
    /** Resolves when it is written. */
    childConnected: (child: DeviceSession, gateway: DeviceConnection): Promise<void> =>
      came(child, gateway, gateway.deviceId),
    childDisconnected: (child: DeviceSession, gateway: DeviceConnection, reason: DisconnectReason): void =>
      went(child, gateway, reason, ''),
    /** Writes what is still to be written, within a bound; a lease that ends says the rest. */
    async stop(withinMs: number): Promise<void> {
      const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      const all = (async () => {
        while (waiting.length > 0) await (running ?? run());
      })();
      await Promise.race([all, late]);
      stopped = true;
    },
  };
};

export type Presence = ReturnType<typeof createPresence>;
