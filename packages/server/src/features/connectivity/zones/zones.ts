import { downTopic } from '@device-center/contract';
import { databaseTime } from '../../../db/clock.ts';
import type { Db, RecordDb } from '../../../db/connect.ts';
import { installationIdOf } from '../../../db/installation.ts';
import type { Connection } from '../../../mqtt/server-types.ts';
import type { Log } from '../../../platform/log.ts';
import type { Outward } from '../../../platform/outbound/outward.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { Commands } from '../commands.ts';
import type { DeviceConnection } from '../connection-registry.ts';
import type { Downlink } from '../downlink.ts';
import type { Intake } from '../ingest.ts';
import type { SendKickNotice } from '../kick-notice.ts';
import type { Models } from '../model-cache.ts';
import { createServe, type ServeDeps } from '../request-handler.ts';
import { createUplink, type UplinkDeps } from '../uplink.ts';
import { createLateWords } from './delayed-messages.ts';
import { readLinkedZones } from './linked-zone.ts';
import { createZoneLinks } from './zone-connections.ts';
import { createZonePeers } from './zone-device-cache.ts';
import { createZoneOrders } from './zone-instructions.ts';
import { createZonePresence } from './zone-presence.ts';
import { createZoneHearing } from './zone-presence-tracker.ts';
import { createZoneProbes } from './zone-probes.ts';
import { createZoneSlots } from './zone-slots.ts';
import { createZoneUplink } from './zone-uplink.ts';

type ZonesDeps = Omit<ServeDeps, 'peers' | 'presence'> &
  Omit<UplinkDeps, 'serve'> & {
    db: Db;
    records: RecordDb;
    secrets: SecretBox;
    hubNo: number;
    outward: Pick<Outward, 'openSocket'>;
    models: Models;
    intake: Intake;
    downward: Downlink;
    commands: Pick<Commands, 'look'>;
    tellKick: SendKickNotice;
    keepAliveMs: number;
    log: Log;
  };

/** Nobody hears a zone for so long: its devices count as offline. */
const LOST_AFTER_MS = 10_000;

/**
 * Devices on the brokers of zones. They are nobody's: any hub that hears the broker takes their messages and sends
 * them commands, so all that is known of them is in the rows.
 */
export const createZones = async (deps: ZonesDeps) => {
  const { db, secrets, log, downward, commands } = deps;
  const slots = createZoneSlots(db, deps.hubNo);
  const installationId = await installationIdOf(db);
  const silentSince = new Map<number, number>();

  const connectionTo = (zoneId: number, peer: DeviceConnection): Connection => ({
    send: async (payload) => {
      const broker = links.brokerOf(zoneId);
      const owner = { ...peer, routeKey: links.routeKeyOf(zoneId) };
      const taken = broker !== undefined && (await broker.publish(downTopic(owner), payload));
      return taken ? 'taken' : 'lost';
    },
    cut: (reason, detail) => {
      peers.forget(zoneId, peer.deviceId);
      void presence.went(peer.deviceId, reason, detail, peer.connNo).catch(complain);
    },
  });
  const complain = (error: unknown): void => log.error({ err: error }, 'presence in a zone was not written');

  const peers = createZonePeers({ db, secrets, models: deps.models, connectionTo, log });
  const presence = createZonePresence({ db, intake: deps.intake });
  const serve = createServe({
    ...deps,
    peers: {
      get: (deviceId) => peers.anyKnown((peer) => peer.deviceId === deviceId),
      mount: (peer, child) => void peer.children.set(child.deviceId, child),
      unmount: (childId) => {
        const gateway = peers.anyKnown((peer) => peer.children.has(childId));
        const child = gateway?.children.get(childId);
        gateway?.children.delete(childId);
        return child;
      },
    },
    presence: {
      childConnected: (child, gateway) => presence.childCame(child, gateway).catch(complain),
      // A zone's device that speaks is written down as it is heard.
      whenOnline: () => undefined,
      childDisconnected: (child, _gateway, reason) => void presence.went(child.deviceId, reason).catch(complain),
    },
  });
  const { take } = createUplink({ ...deps, serve });
  const spokenFor = async (): Promise<number[]> => {
    const mine: number[] = [];
    for (const zoneId of links.linked()) if (await slots.isZoneLeader(zoneId)) mine.push(zoneId);
    return mine;
  };
  const probes = createZoneProbes({ ...deps, peers, presence, probe: (peer) => hearing.poke(peer), spokenFor });
  const hearing = createZoneHearing({ ...deps, peers, presence, probes });
  const uplink = createZoneUplink({ ...deps, peers, lateWords: createLateWords(deps), take, heard: hearing.heard });
  const links = createZoneLinks({
    db,
    hubNo: deps.hubNo,
    installationId,
    slots,
    outward: deps.outward,
    readZones: () => readLinkedZones(db, secrets),
    take: uplink.take,
    heard: (zoneId) => {
      silentSince.delete(zoneId);
      orders
        .probeOffline(zoneId)
        .catch((error: unknown) => log.warn({ err: error }, 'devices of a zone were not asked'));
      void commands.look();
    },
    gone: (zoneId) => presence.zoneWent(zoneId, 'the zone is switched off'),
    log,
  });
  const orders = createZoneOrders({
    db,
    peers,
    presence,
    downward,
    linked: links.linked,
    isZoneLeader: slots.isZoneLeader,
    spokenFor,
    tellKick: deps.tellKick,
    poke: hearing.poke,
  });

  const heardZones = async (): Promise<Set<number>> => {
    const rows = await db
      .selectFrom('zone_link')
      .innerJoin('hub_instance', 'hub_instance.hub_no', 'zone_link.hub_no')
      .innerJoin('zone_node', 'zone_node.node_id', 'zone_link.node_id')
      .select('zone_node.zone_id')
      .where('zone_link.state', '=', 'connected')
      .where('hub_instance.lease_until', '>', databaseTime(db))
      .execute();
    return new Set(rows.map((row) => row.zone_id));
  };

  return {
    linked: links.linked,
    wanted: links.wanted,
    find: async (deviceId: string, speakerId: string): Promise<DeviceConnection | undefined> => {
      const row = await db
        .selectFrom('device')
        .select('link_zone_id')
        .where('device_id', '=', deviceId)
        .executeTakeFirst();
      return row && row.link_zone_id > 0 ? peers.find(row.link_zone_id, deviceId, speakerId) : undefined;
    },
    carryOut: orders.carryOut,
    modelChanged: orders.modelChanged,
    endExpired: orders.endExpired,
    probeSilent: probes.run,
    look: links.look,

    /** Zones that no hub hears any more, or that are gone or switched off. */
    async watch(): Promise<void> {
      const now = Date.now();
      const heard = await heardZones();
      const zones = await db.selectFrom('zone').select('zone_id').where('zone_type', '=', 1).execute();
      for (const { zone_id } of zones) {
        if (heard.has(zone_id)) {
          silentSince.delete(zone_id);
          continue;
        }
        const since = silentSince.get(zone_id) ?? now;
        silentSince.set(zone_id, since);
        if (now - since >= LOST_AFTER_MS) await presence.zoneWent(zone_id, 'no hub hears its broker');
      }
    },
    async sweep(): Promise<void> {
      await peers.sweep();
      uplink.sweep();
      hearing.sweep();
    },
    stop: links.stop,
  };
};

export type Zones = Awaited<ReturnType<typeof createZones>>;
