import { NodeType } from '@device-center/contract';
import type { Db } from '../../../db/connect.ts';
import {
  type DeviceInstruction,
  type DisconnectInstruction,
  isDisconnect,
} from '../../../domain/device/instructions.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import { denialReason } from '../device-session.ts';
import type { Downlink } from '../downlink.ts';
import type { SendKickNotice } from '../kick-notice.ts';
import type { ZoneDeviceCache } from './zone-device-cache.ts';
import { onlineIn, ZONE_LOST, type ZonePresence } from './zone-presence.ts';

type ZoneInstructionsDeps = {
  db: Db;
  devices: ZoneDeviceCache;
  presence: ZonePresence;
  downlink: Pick<Downlink, 'notifyChanged'>;
  linked: () => number[];
  isZoneLeader: (zoneId: number) => Promise<boolean>;
  /** The zones that this hub leads. */
  ledZones: () => Promise<number[]>;
  sendKickNotice: SendKickNotice;
  probe: (connection: DeviceConnection) => void;
};

const BATCH_SIZE = 200;

/** Executes instructions for devices on zone brokers. The hub cannot end their connections, only mark them offline. */
export const createZoneInstructions = (deps: ZoneInstructionsDeps) => {
  const { db, devices, presence, downlink, linked, isZoneLeader, ledZones } = deps;

  const rowOf = (deviceId: string) =>
    db
      .selectFrom('device')
      .select(['link_zone_id', 'parent_id', 'online', 'hub_no'])
      .where('device_id', '=', deviceId)
      .executeTakeFirst();

  /** The device on its own connection, or behind its gateway. */
  const findDeviceSession = async (deviceId: string): Promise<[DeviceConnection, DeviceSession] | undefined> => {
    const row = await rowOf(deviceId);
    if (!row || !linked().includes(row.link_zone_id)) return undefined;
    const gateway = row.parent_id ? await devices.find(row.link_zone_id, row.parent_id, deviceId) : undefined;
    const child = gateway?.children.get(deviceId);
    if (gateway && child) return [gateway, child];
    const connection = await devices.find(row.link_zone_id, deviceId);
    return connection && [connection, connection];
  };

  const kick = async (deviceId: string, reason: string): Promise<void> => {
    const target = await findDeviceSession(deviceId);
    if (target) await deps.sendKickNotice(...target, reason);
  };

  const disconnectDevice = async ({ scope_id, reason, detail, conn_no }: DisconnectInstruction): Promise<void> => {
    const row = await rowOf(scope_id);
    if (!row || !linked().includes(row.link_zone_id)) return;
    // Another hub may have executed the instruction first; the cached session is no longer valid.
    if (row.online !== 1) return devices.forget(row.link_zone_id, scope_id);
    const entry = await devices.reload(row.link_zone_id, scope_id);
    // A connection newer than the instruction also ends if the current rows forbid it.
    const forbidden = entry !== undefined && denialReason(entry.row) !== undefined;
    const upTo = forbidden ? undefined : conn_no;
    const offlineIds = await presence.recordOffline(scope_id, reason, detail, upTo);
    if (offlineIds.length > 0) await kick(scope_id, detail || reason);
    devices.forget(row.link_zone_id, scope_id);
  };

  const disconnectOwned = async ({ scope, scope_id, reason, conn_no }: DisconnectInstruction): Promise<void> => {
    const column = scope === 'application' ? 'application_id' : 'tenancy_id';
    devices.forgetIf(
      (connection) => (scope === 'application' ? connection.applicationId : connection.tenancyId) === scope_id,
    );
    const offlineIds = await presence.recordManyOffline(column, scope_id, reason, conn_no, linked());
    for (const deviceId of offlineIds) await kick(deviceId, reason);
  };

  const notifyChanged = async (deviceId: string, changed: 'model' | 'config'): Promise<void> => {
    const target = await findDeviceSession(deviceId);
    if (target) downlink.notifyChanged(...target, changed);
  };

  const notifyConfigChanged = async ({ scope_id }: DeviceInstruction): Promise<void> => {
    const row = await rowOf(scope_id);
    if (row?.online !== 1 || !linked().includes(row.link_zone_id)) return;
    devices.forget(row.link_zone_id, scope_id);
    if (await isZoneLeader(row.link_zone_id)) await notifyChanged(scope_id, 'config');
  };

  return {
    async execute(instruction: DeviceInstruction): Promise<void> {
      if (linked().length === 0) return;
      if (!isDisconnect(instruction)) await notifyConfigChanged(instruction);
      else if (instruction.scope === 'device') await disconnectDevice(instruction);
      else await disconnectOwned(instruction);
    },

    async modelChanged(productId: string): Promise<void> {
      const zoneIds = await ledZones();
      if (zoneIds.length === 0) return;
      const rows = await onlineIn(db, zoneIds).where('product_id', '=', productId).execute();
      for (const { device_id } of rows) await notifyChanged(device_id, 'model');
    },

    /** Marks devices with expired tokens offline: the broker does not know token lifetimes. */
    async endExpired(): Promise<void> {
      for (const zoneId of await ledZones()) {
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
          .limit(BATCH_SIZE)
          .execute();
        for (const { device_id } of rows) await presence.recordOffline(device_id, 'tokenExpired');
      }
    },

    /** Probes devices that are offline only because no hub was connected to the zone. */
    async probeOffline(zoneId: number): Promise<void> {
      if (!(await isZoneLeader(zoneId))) return;
      for (;;) {
        const rows = await db
          .selectFrom('device')
          .select('device_id')
          .where('link_zone_id', '=', zoneId)
          .where('online', '=', 2)
          .where('hub_no', '=', ZONE_LOST)
          .limit(BATCH_SIZE)
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
          const connection = await devices.find(zoneId, deviceId);
          if (connection && connection.nodeType !== NodeType.child) deps.probe(connection);
        }
      }
    },
  };
};
