import { downTopic } from '@device-center/contract';
import { databaseTime } from '../../../db/clock.ts';
import type { Db, RecordDb } from '../../../db/connect.ts';
import { installationIdOf } from '../../../domain/sync/installation.ts';
import type { ClientHandle } from '../../../mqtt/server-types.ts';
import type { Log } from '../../../platform/log.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { Commands } from '../commands.ts';
import type { DeviceConnection } from '../connection-registry.ts';
import type { Downlink } from '../downlink.ts';
import type { Ingest } from '../ingest.ts';
import type { SendKickNotice } from '../kick-notice.ts';
import type { ModelCache } from '../model-cache.ts';
import { createRequestHandler, type RequestHandlerDeps } from '../request-handler.ts';
import { createUplink, type UplinkDeps } from '../uplink.ts';
import { createDelayedMessages } from './delayed-messages.ts';
import { readLinkedZones } from './linked-zone.ts';
import { createZoneConnections } from './zone-connections.ts';
import { createZoneDeviceCache } from './zone-device-cache.ts';
import { createZoneInstructions } from './zone-instructions.ts';
import { createZonePresence } from './zone-presence.ts';
import { createZonePresenceTracker } from './zone-presence-tracker.ts';
import { createZoneProbes } from './zone-probes.ts';
import { createZoneSlots } from './zone-slots.ts';
import { createZoneUplink } from './zone-uplink.ts';

type ZonesDeps = Omit<RequestHandlerDeps, 'connections' | 'presence'> &
  Omit<UplinkDeps, 'handleRequest'> & {
    db: Db;
    records: RecordDb;
    secrets: SecretBox;
    hubNo: number;
    outbound: Pick<Outbound, 'openSocket'>;
    models: ModelCache;
    ingest: Ingest;
    downlink: Downlink;
    commands: Pick<Commands, 'poll'>;
    sendKickNotice: SendKickNotice;
    keepAliveMs: number;
    log: Log;
  };

/** Devices count as offline after no hub was connected to their zone for this long. */
const OFFLINE_AFTER_MS = 10_000;

/**
 * Devices on zone brokers. They belong to no hub: any hub connected to the broker handles their messages and sends them
 * commands, so all of their state is in the database.
 */
export const createZones = async (deps: ZonesDeps) => {
  const { db, secrets, log, downlink, commands } = deps;
  const slots = createZoneSlots(db, deps.hubNo);
  const installationId = await installationIdOf(db);
  const disconnectedSince = new Map<number, number>();

  const clientFor = (zoneId: number, connection: DeviceConnection): ClientHandle => ({
    send: async (payload) => {
      const broker = zoneConnections.brokerOf(zoneId);
      const owner = { ...connection, routeKey: zoneConnections.routeKeyOf(zoneId) };
      const taken = broker !== undefined && (await broker.publish(downTopic(owner), payload));
      return taken ? 'delivered' : 'lost';
    },
    disconnect: (reason, detail) => {
      devices.forget(zoneId, connection.deviceId);
      void presence.recordOffline(connection.deviceId, reason, detail, connection.connNo).catch(logError);
    },
  });
  const logError = (error: unknown): void => log.error({ err: error }, 'zone presence not stored');

  const devices = createZoneDeviceCache({ db, secrets, models: deps.models, clientFor, log });
  const presence = createZonePresence({ db, ingest: deps.ingest });
  const handleRequest = createRequestHandler({
    ...deps,
    connections: {
      get: (deviceId) => devices.findCached((connection) => connection.deviceId === deviceId),
      attachChild: (connection, child) => void connection.children.set(child.deviceId, child),
      detachChild: (childId) => {
        const gateway = devices.findCached((connection) => connection.children.has(childId));
        const child = gateway?.children.get(childId);
        gateway?.children.delete(childId);
        return child;
      },
    },
    presence: {
      childConnected: (child, gateway) => presence.recordChildOnline(child, gateway).catch(logError),
      // Devices on a zone broker are marked online when their message is stored.
      whenOnline: () => undefined,
      childDisconnected: (child, _gateway, reason) =>
        void presence.recordOffline(child.deviceId, reason).catch(logError),
    },
  });
  const { handle } = createUplink({ ...deps, handleRequest });
  const ledZones = async (): Promise<number[]> => {
    const led: number[] = [];
    for (const zoneId of zoneConnections.linked()) if (await slots.isZoneLeader(zoneId)) led.push(zoneId);
    return led;
  };
  const probes = createZoneProbes({
    ...deps,
    devices,
    presence,
    probe: (connection) => tracker.probe(connection),
    ledZones,
  });
  const tracker = createZonePresenceTracker({ ...deps, devices, presence, probes });
  const uplink = createZoneUplink({
    ...deps,
    devices,
    findDelayedSender: createDelayedMessages(deps),
    handle,
    onStored: tracker.onStored,
  });
  const zoneConnections = createZoneConnections({
    db,
    hubNo: deps.hubNo,
    installationId,
    slots,
    outbound: deps.outbound,
    readZones: () => readLinkedZones(db, secrets),
    handle: uplink.handle,
    onConnected: (zoneId) => {
      disconnectedSince.delete(zoneId);
      instructions
        .probeOffline(zoneId)
        .catch((error: unknown) => log.warn({ err: error }, 'probing devices of a zone failed'));
      void commands.poll();
    },
    onRemoved: (zoneId) => presence.recordZoneOffline(zoneId, 'the zone was disabled or deleted'),
    log,
  });
  const instructions = createZoneInstructions({
    db,
    devices,
    presence,
    downlink,
    linked: zoneConnections.linked,
    isZoneLeader: slots.isZoneLeader,
    ledZones,
    sendKickNotice: deps.sendKickNotice,
    probe: tracker.probe,
  });

  const findConnectedZones = async (): Promise<Set<number>> => {
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
    linked: zoneConnections.linked,
    expected: zoneConnections.expected,
    find: async (deviceId: string, senderId: string): Promise<DeviceConnection | undefined> => {
      const row = await db
        .selectFrom('device')
        .select('link_zone_id')
        .where('device_id', '=', deviceId)
        .executeTakeFirst();
      return row && row.link_zone_id > 0 ? devices.find(row.link_zone_id, deviceId, senderId) : undefined;
    },
    execute: instructions.execute,
    modelChanged: instructions.modelChanged,
    endExpired: instructions.endExpired,
    probeSilent: probes.run,
    poll: zoneConnections.poll,

    /** Marks the devices of zones offline that no hub is connected to. */
    async watch(): Promise<void> {
      const now = Date.now();
      const connectedZones = await findConnectedZones();
      const zones = await db.selectFrom('zone').select('zone_id').where('zone_type', '=', 1).execute();
      for (const { zone_id } of zones) {
        if (connectedZones.has(zone_id)) {
          disconnectedSince.delete(zone_id);
          continue;
        }
        const since = disconnectedSince.get(zone_id) ?? now;
        disconnectedSince.set(zone_id, since);
        if (now - since >= OFFLINE_AFTER_MS)
          await presence.recordZoneOffline(zone_id, 'no hub is connected to the zone');
      }
    },
    async sweep(): Promise<void> {
      await devices.sweep();
      uplink.sweep();
      tracker.sweep();
    },
    stop: zoneConnections.stop,
  };
};

export type Zones = Awaited<ReturnType<typeof createZones>>;
