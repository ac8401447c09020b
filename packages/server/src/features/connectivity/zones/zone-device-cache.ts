import { NodeType, type readUpTopic } from '@device-center/contract';
import type { Db } from '../../../db/connect.ts';
import { isPermanentError } from '../../../db/retry.ts';
import type { ClientHandle } from '../../../mqtt/server-types.ts';
import { digest } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import { type DeviceSessionRow, previousSessionIds, selectDeviceSessions, toDeviceSession } from '../device-session.ts';
import type { ModelCache } from '../model-cache.ts';

type ZoneDeviceCacheDeps = {
  db: Db;
  secrets: SecretBox;
  models: Pick<ModelCache, 'prepare'>;
  clientFor: (zoneId: number, connection: DeviceConnection) => ClientHandle;
  log: Log;
};

/** A device of a zone as last read from the database. `readAt` is monotonic time. */
export type ZoneDevice = { connection: DeviceConnection; row: DeviceSessionRow; online: boolean; readAt: number };

/** The device that a topic belongs to. */
export type Owner = NonNullable<ReturnType<typeof readUpTopic>>;

/** Cache lifetime: short, because another hub may receive messages of the same device. */
const CACHE_MS = 5_000;
const RETENTION_MS = 60_000;

export const createZoneDeviceCache = ({ db, secrets, models, clientFor, log }: ZoneDeviceCacheDeps) => {
  const cache = new Map<string, ZoneDevice>();
  const keyOf = (zoneId: number, deviceId: string): string => `${zoneId}\n${deviceId}`;

  /** The latest session, even if it has ended: error responses are signed with its secret. */
  const findRow = (deviceId: string): Promise<DeviceSessionRow | undefined> =>
    selectDeviceSessions(db)
      .where('device.device_id', '=', deviceId)
      .orderBy('device_session.created_at', 'desc')
      .orderBy('device_session.ended')
      .executeTakeFirst();

  /** Skips a child whose row is corrupted, so that its gateway and the other children keep working. */
  const childIn = async (row: DeviceSessionRow): Promise<DeviceSession | undefined> => {
    try {
      await models.prepare(row.product_id);
      return toDeviceSession(row, secrets, await previousSessionIds(db, row.device_id));
    } catch (error) {
      if (!isPermanentError(error)) throw error;
      log.error({ err: error, deviceId: row.device_id }, 'child session cannot be read');
      return undefined;
    }
  };

  const childrenOf = async ({
    device_id: deviceId,
    tenancy_id,
  }: DeviceSessionRow): Promise<Map<string, DeviceSession>> => {
    const rows = await selectDeviceSessions(db)
      .where('device_session.gateway_id', '=', deviceId)
      .where('device_session.ended', '=', 0)
      .where('device.parent_id', '=', deviceId)
      .where('device.tenancy_id', '=', tenancy_id)
      .where('device.online', '=', 1)
      .execute();
    const children = new Map<string, DeviceSession>();
    for (const row of rows) {
      const child = await childIn(row);
      if (child) children.set(row.device_id, child);
    }
    return children;
  };

  const presenceOf = (deviceId: string) =>
    db
      .selectFrom('device')
      .select(['online', 'conn_no', 'presence_at', 'link_zone_id', 'ip'])
      .where('device_id', '=', deviceId)
      .executeTakeFirst();

  const load = async (zoneId: number, deviceId: string): Promise<ZoneDevice | undefined> => {
    const row = await findRow(deviceId);
    const presence = row && (await presenceOf(deviceId));
    if (!row || !presence) {
      cache.delete(keyOf(zoneId, deviceId));
      return undefined;
    }
    await models.prepare(row.product_id);
    const session = toDeviceSession(row, secrets, await previousSessionIds(db, deviceId));
    const online = presence.online === 1 && presence.link_zone_id === zoneId;
    const cached = cache.get(keyOf(zoneId, deviceId));
    // The object is updated in place: request handlers in progress hold a reference to it.
    const connection = Object.assign(
      cached?.connection ??
        ({ lastRejectionAt: 0, pendingChildren: new Set(), children: new Map() } as unknown as DeviceConnection),
      session,
      { linkZoneId: zoneId, ip: presence.ip, transport: 'broker' },
      online ? { connNo: presence.conn_no, connectedAt: presence.presence_at } : {},
    );
    connection.client ??= clientFor(zoneId, connection);
    connection.children = row.node_type === NodeType.gateway ? await childrenOf(row) : new Map();
    const entry = { connection, row, online, readAt: performance.now() };
    cache.set(keyOf(zoneId, deviceId), entry);
    return entry;
  };

  const isOwner = ({ connection }: ZoneDevice, { tenancyId, productId }: Owner): boolean =>
    connection.tenancyId === tenancyId && connection.productId === productId;

  const isFresh = ({ readAt }: ZoneDevice): boolean => performance.now() - readAt < CACHE_MS;

  const matchesToken = (entry: ZoneDevice, tokenHash: string | null, senderId: string): boolean =>
    isFresh(entry) &&
    (tokenHash === null || tokenHash === entry.connection.tokenHash || tokenHash === entry.connection.oldTokenHash) &&
    (senderId === entry.connection.deviceId || entry.connection.children.has(senderId));

  return {
    /** The owner of a topic, reloaded if the cached session does not have this token; undefined if unknown. */
    async resolve(zoneId: number, owner: Owner, token: string, senderId: string): Promise<ZoneDevice | undefined> {
      const { deviceId } = owner;
      // The token of a child's message does not identify the gateway's session.
      const tokenHash = senderId === deviceId && token !== '' ? digest(token) : null;
      const cached = cache.get(keyOf(zoneId, deviceId));
      const entry = cached && matchesToken(cached, tokenHash, senderId) ? cached : await load(zoneId, deviceId);
      return entry && isOwner(entry, owner) ? entry : undefined;
    },
    /** The device with its latest session, for downlink messages. */
    find: async (zoneId: number, deviceId: string, senderId = deviceId): Promise<DeviceConnection | undefined> => {
      const entry = cache.get(keyOf(zoneId, deviceId));
      if (entry && matchesToken(entry, null, senderId)) return entry.connection;
      return (await load(zoneId, deviceId))?.connection;
    },
    reload: load,
    /** False if the entry was reloaded or removed since. */
    isCurrent: (entry: ZoneDevice): boolean =>
      cache.get(keyOf(entry.connection.linkZoneId, entry.connection.deviceId)) === entry,
    /** The cached entry, whatever its token; undefined if it is stale. */
    fresh: (zoneId: number, owner: Owner): ZoneDevice | undefined => {
      const entry = cache.get(keyOf(zoneId, owner.deviceId));
      return entry && isFresh(entry) && isOwner(entry, owner) ? entry : undefined;
    },
    /** Searches the cached devices of all zones. */
    findCached: (matches: (connection: DeviceConnection) => boolean): DeviceConnection | undefined => {
      for (const { connection } of cache.values()) if (matches(connection)) return connection;
      return undefined;
    },
    forget: (zoneId: number, deviceId: string): void => {
      cache.delete(keyOf(zoneId, deviceId));
    },
    forgetIf(matches: (connection: DeviceConnection) => boolean): void {
      for (const [key, { connection }] of cache) if (matches(connection)) cache.delete(key);
    },
    async sweep(): Promise<void> {
      const oldest = performance.now() - RETENTION_MS;
      for (const [key, { readAt }] of cache) if (readAt < oldest) cache.delete(key);
    },
  };
};

export type ZoneDeviceCache = ReturnType<typeof createZoneDeviceCache>;
