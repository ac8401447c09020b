import type { Db } from '../../db/connect.ts';
import { type Cut, isCut, type Order } from '../../db/device-instructions.ts';
import type { DisconnectReason } from '../../mqtt/server-types.ts';
import type { ConnectionRegistry, DeviceConnection, DeviceSession } from './connection-registry.ts';
import { denialReason, selectSpeakers } from './device-session.ts';
import type { Downlink } from './downlink.ts';
import type { SendKickNotice } from './kick-notice.ts';
import type { Presence } from './presence.ts';

type CutDeps = {
  db: Db;
  peers: ConnectionRegistry;
  presence: Presence;
  tellKick: SendKickNotice;
  downward: Pick<Downlink, 'notifyChanged'>;
  /** The same order, for devices on the brokers of zones. */
  inZones: (order: Order) => Promise<void>;
};

/** Orders are looked at again for this long: one may be committed after another with a higher number. */
const LOOK_BACK_MS = 60_000;
const KEPT_MS = 10 * 60_000;
const AT_ONCE = 500;
/** How long a kicked device has to take the news before it is cut. */
const NEWS_WITHIN_MS = 500;

/** Carries out what is ordered of devices: most orders cut a connection, and one tells of a new configuration. */
export const createInstructionHandler = ({ db, peers, presence, tellKick, downward, inZones }: CutDeps) => {
  const done = new Map<number, number>();
  let taken = 0;

  /** It was let in after the order was written, but perhaps by rows from before: only those of now tell. */
  const isForbidden = async ({ deviceId, sessionId }: DeviceSession): Promise<boolean> => {
    const row = await selectSpeakers(db)
      .where('device.device_id', '=', deviceId)
      .where('device_session.session_id', '=', sessionId)
      .executeTakeFirst();
    return !row || denialReason(row) !== undefined;
  };

  const appliesTo = async (speaker: DeviceSession, { conn_no }: Cut): Promise<boolean> =>
    speaker.connNo <= conn_no || (await isForbidden(speaker));

  const cutSpeaker = async (
    peer: DeviceConnection,
    speaker: DeviceSession,
    reason: DisconnectReason,
    detail: string,
  ): Promise<void> => {
    if (reason === 'kicked') {
      speaker.kickedFor = detail;
      const told = tellKick(peer, speaker, detail || 'kicked');
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, NEWS_WITHIN_MS))]);
    }
    if (speaker === peer) return peer.connection.cut(reason, detail);
    const child = peers.unmount(speaker.deviceId);
    if (child) presence.childDisconnected(child, peer, reason);
  };

  const speakersOf = (deviceId: string): [DeviceConnection, DeviceSession][] => {
    const peer = peers.get(deviceId);
    const gateway = peers.gatewayOf(deviceId);
    const child = gateway?.children.get(deviceId);
    return [
      ...(peer ? [[peer, peer] as [DeviceConnection, DeviceSession]] : []),
      ...(gateway && child ? [[gateway, child] as [DeviceConnection, DeviceSession]] : []),
    ];
  };

  const cutDevice = async (order: Cut): Promise<void> => {
    for (const [peer, speaker] of speakersOf(order.scope_id))
      if (await appliesTo(speaker, order)) await cutSpeaker(peer, speaker, order.reason, order.detail);
  };

  /** Of all that are here, those of this application or tenant, as the rows have it now. */
  const cutMany = async (order: Cut): Promise<void> => {
    const { scope, scope_id, reason, detail } = order;
    const here = [...peers.all()].flatMap((peer) =>
      [peer as DeviceSession, ...peer.children.values()].map((speaker) => [peer, speaker] as const),
    );
    const column = scope === 'application' ? 'application_id' : 'tenancy_id';
    for (let from = 0; from < here.length; from += AT_ONCE) {
      const piece = here.slice(from, from + AT_ONCE);
      const rows = await db
        .selectFrom('device')
        .select(['device_id', 'application_id', 'tenancy_id'])
        .where(
          'device_id',
          'in',
          piece.map(([, speaker]) => speaker.deviceId),
        )
        .execute();
      const now = new Map(rows.map((row) => [row.device_id, row]));
      for (const [peer, speaker] of piece) {
        const row = now.get(speaker.deviceId);
        if (row) speaker.applicationId = row.application_id;
        // One that has no row any more went with its application.
        const owner = row?.[column] ?? (scope === 'application' ? speaker.applicationId : speaker.tenancyId);
        if (owner === scope_id && (await appliesTo(speaker, order))) await cutSpeaker(peer, speaker, reason, detail);
      }
    }
  };

  const tellConfiguration = async ({ scope_id }: Order): Promise<void> => {
    const row = await db.selectFrom('device').select('zone_id').where('device_id', '=', scope_id).executeTakeFirst();
    if (!row) return;
    for (const [peer, speaker] of speakersOf(scope_id)) {
      speaker.zoneId = row.zone_id;
      downward.notifyChanged(peer, speaker, 'config');
    }
  };

  const carryOut = async (order: Order): Promise<void> => {
    await inZones(order);
    if (!isCut(order)) return tellConfiguration(order);
    return order.scope === 'device' ? cutDevice(order) : cutMany(order);
  };

  /** Marked first, since a hint and the clock may look at once; one that failed is taken again. */
  const take = async (order: Order): Promise<void> => {
    done.set(order.cut_id, order.created_at);
    taken++;
    try {
      await carryOut(order);
    } catch (error) {
      done.delete(order.cut_id);
      throw error;
    }
  };

  return {
    taken: (): number => taken,
    async look(): Promise<void> {
      const since = Date.now() - LOOK_BACK_MS;
      const orders = await db
        .selectFrom('device_cut')
        .selectAll()
        .where('created_at', '>', since)
        .orderBy('cut_id')
        .execute();
      for (const order of orders) if (!done.has(order.cut_id)) await take(order);
      for (const [cutId, createdAt] of done) if (createdAt < since) done.delete(cutId);
    },
    async sweep(): Promise<void> {
      await db
        .deleteFrom('device_cut')
        .where('created_at', '<', Date.now() - KEPT_MS)
        .execute();
    },
  };
};
