import { NodeType } from '@device-center/contract';
import type { Db } from '../../../db/connect.ts';
import { type Cut, isCut, type Order } from '../../../db/device-instructions.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import { denialReason } from '../device-session.ts';
import type { Downlink } from '../downlink.ts';
import type { SendKickNotice } from '../kick-notice.ts';
import type { ZonePeers } from './zone-device-cache.ts';
import { onlineIn, ZONE_LOST, type ZonePresence } from './zone-presence.ts';

type ZoneOrdersDeps = {
  db: Db;
  peers: ZonePeers;
  presence: ZonePresence;
  downward: Pick<Downlink, 'notifyChanged'>;
  linked: () => number[];
  isZoneLeader: (zoneId: number) => Promise<boolean>;
  /** The zones that this hub alone of all speaks for. */
  spokenFor: () => Promise<number[]>;
  tellKick: SendKickNotice;
  poke: (peer: DeviceConnection) => void;
};

const AT_ONCE = 200;

/** What the hub has to say to devices on the brokers of zones. A connection there is not the hub's to cut. */
export const createZoneOrders = (deps: ZoneOrdersDeps) => {
  const { db, peers, presence, downward, linked, isZoneLeader, spokenFor } = deps;

  const rowOf = (deviceId: string) =>
    db
      .selectFrom('device')
      .select(['link_zone_id', 'parent_id', 'online', 'hub_no'])
      .where('device_id', '=', deviceId)
      .executeTakeFirst();

  /** The device itself, or its gateway with it behind. */
  const findDeviceSession = async (deviceId: string): Promise<[DeviceConnection, DeviceSession] | undefined> => {
    const row = await rowOf(deviceId);
    if (!row || !linked().includes(row.link_zone_id)) return undefined;
    const gateway = row.parent_id ? await peers.find(row.link_zone_id, row.parent_id, deviceId) : undefined;
    const child = gateway?.children.get(deviceId);
    if (gateway && child) return [gateway, child];
    const peer = await peers.find(row.link_zone_id, deviceId);
    return peer && [peer, peer];
  };

  const kick = async (deviceId: string, reason: string): Promise<void> => {
    const voice = await findDeviceSession(deviceId);
    if (voice) await deps.tellKick(...voice, reason);
  };

  const cutDevice = async ({ scope_id, reason, detail, conn_no }: Cut): Promise<void> => {
    const row = await rowOf(scope_id);
    if (!row || !linked().includes(row.link_zone_id)) return;
    // Another hub may have carried out the order first; its session, as this hub has read it, is no longer valid.
    if (row.online !== 1) return peers.forget(row.link_zone_id, scope_id);
    const entry = await peers.reload(row.link_zone_id, scope_id);
    // It came after the order, and by the rows of now it may not.
    const forbidden = entry !== undefined && denialReason(entry.row) !== undefined;
    const upTo = forbidden ? undefined : conn_no;
    const gone = await presence.went(scope_id, reason, detail, upTo);
    if (gone.length > 0) await kick(scope_id, detail || reason);
    peers.forget(row.link_zone_id, scope_id);
  };

  const cutMany = async ({ scope, scope_id, reason, conn_no }: Cut): Promise<void> => {
    const column = scope === 'application' ? 'application_id' : 'tenancy_id';
    peers.forgetIf((peer) => (scope === 'application' ? peer.applicationId : peer.tenancyId) === scope_id);
    const gone = await presence.manyWent(column, scope_id, reason, conn_no, linked());
    for (const deviceId of gone) await kick(deviceId, reason);
  };

  const notifyChanged = async (deviceId: string, changed: 'model' | 'config'): Promise<void> => {
    const voice = await findDeviceSession(deviceId);
    if (voice) downward.notifyChanged(...voice, changed);
  };

  const tellConfiguration = async ({ scope_id }: Order): Promise<void> => {
    const row = await rowOf(scope_id);
    if (row?.online !== 1 || !linked().includes(row.link_zone_id)) return;
    peers.forget(row.link_zone_id, scope_id);
    if (await isZoneLeader(row.link_zone_id)) await notifyChanged(scope_id, 'config');
  };

  return {
    async carryOut(order: Order): Promise<void> {
      if (linked().length === 0) return;
      if (!isCut(order)) await tellConfiguration(order);
      else if (order.scope === 'device') await cutDevice(order);
      else await cutMany(order);
    },

    async modelChanged(productId: string): Promise<void> {
      const zoneIds = await spokenFor();
      if (zoneIds.length === 0) return;
      const rows = await onlineIn(db, zoneIds).where('product_id', '=', productId).execute();
      for (const { device_id } of rows) await notifyChanged(device_id, 'model');
    },

    /** A token's end is the end of its connection, which only the hub can know. */
    async endExpired(): Promise<void> {
      for (const zoneId of await spokenFor()) {
        const rows = await onlineIn(db, [zoneId])
          .where((row) =>
            row.not(
              row.exists(
                row
                  .selectFrom('device_session')
                  .select('session_id')
                  .whereRef('device_session.device_id', '=', 'device.device_id')
                  .where('ended', '=', 0)
                  .where('expires_at', '>', Date.now()),
              ),
            ),
          )
          .limit(AT_ONCE)
          .execute();
        for (const { device_id } of rows) await presence.went(device_id, 'tokenExpired');
      }
    },

    /** Whoever was offline only because nobody heard the zone is asked whether it is there. */
    async probeOffline(zoneId: number): Promise<void> {
      if (!(await isZoneLeader(zoneId))) return;
      for (;;) {
        const rows = await db
          .selectFrom('device')
          .select('device_id')
          .where('link_zone_id', '=', zoneId)
          .where('online', '=', 2)
          .where('hub_no', '=', ZONE_LOST)
          .limit(AT_ONCE)
          .execute();
        if (rows.length === 0) return;
        const ids = rows.map((row) => row.device_id);
        await db
          .updateTable('device')
          .set({ hub_no: 0 })
          .where('device_id', 'in', ids)
          .where('online', '=', 2)
          .execute();
        for (const deviceId of ids) {
          const peer = await peers.find(zoneId, deviceId);
          if (peer && peer.nodeType !== NodeType.child) deps.poke(peer);
        }
      }
    },
  };
};
