import { NodeType, type readUpTopic } from '@device-center/contract';
import type { Db } from '../../../db/connect.ts';
import { isPermanentError } from '../../../db/retry.ts';
import type { Connection } from '../../../mqtt/server-types.ts';
import { digest } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import { previousSessionIds, type SpeakerRow, selectSpeakers, toSpeaker } from '../device-session.ts';
import type { Models } from '../model-cache.ts';

type ZonePeersDeps = {
  db: Db;
  secrets: SecretBox;
  models: Pick<Models, 'prepare'>;
  connectionTo: (zoneId: number, peer: DeviceConnection) => Connection;
  log: Log;
};

/** A device of a zone, as the rows had it a moment ago. */
/** `readAt`: by a clock that nobody sets. */
export type ZonePeer = { peer: DeviceConnection; row: SpeakerRow; online: boolean; readAt: number };

/** Whose a topic is. */
export type Owner = NonNullable<ReturnType<typeof readUpTopic>>;

/** Another hub may have heard the same device meanwhile, so what is known of it is soon read again. */
const FRESH_MS = 5_000;
const KEPT_MS = 60_000;

export const createZonePeers = ({ db, secrets, models, connectionTo, log }: ZonePeersDeps) => {
  const known = new Map<string, ZonePeer>();
  const keyOf = (zoneId: number, deviceId: string): string => `${zoneId}\n${deviceId}`;

  /** Its latest session, also one that has ended: a refusal is signed with it. */
  const findRow = (deviceId: string): Promise<SpeakerRow | undefined> =>
    selectSpeakers(db)
      .where('device.device_id', '=', deviceId)
      .orderBy('device_session.created_at', 'desc')
      .orderBy('device_session.ended')
      .executeTakeFirst();

  /** One that cannot be read is left out: its gateway and the others speak on. */
  const childIn = async (row: SpeakerRow): Promise<DeviceSession | undefined> => {
    try {
      await models.prepare(row.product_id);
      return toSpeaker(row, secrets, await previousSessionIds(db, row.device_id));
    } catch (error) {
      if (!isPermanentError(error)) throw error;
      log.error({ err: error, deviceId: row.device_id }, 'a child cannot be read');
      return undefined;
    }
  };

  const childrenOf = async ({ device_id: deviceId, tenancy_id }: SpeakerRow): Promise<Map<string, DeviceSession>> => {
    const rows = await selectSpeakers(db)
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

  const load = async (zoneId: number, deviceId: string): Promise<ZonePeer | undefined> => {
    const row = await findRow(deviceId);
    const presence = row && (await presenceOf(deviceId));
    if (!row || !presence) {
      known.delete(keyOf(zoneId, deviceId));
      return undefined;
    }
    await models.prepare(row.product_id);
    const speaker = toSpeaker(row, secrets, await previousSessionIds(db, deviceId));
    const online = presence.online === 1 && presence.link_zone_id === zoneId;
    const before = known.get(keyOf(zoneId, deviceId));
    // The same object all its life: whoever is answering a request of it holds on to it.
    const peer = Object.assign(
      before?.peer ?? ({ refusalAt: 0, mounting: new Set(), children: new Map() } as unknown as DeviceConnection),
      speaker,
      { linkZoneId: zoneId, ip: presence.ip, transport: 'broker' },
      online ? { connNo: presence.conn_no, connectedAt: presence.presence_at } : {},
    );
    peer.connection ??= connectionTo(zoneId, peer);
    peer.children = row.node_type === NodeType.gateway ? await childrenOf(row) : new Map();
    const entry = { peer, row, online, readAt: performance.now() };
    known.set(keyOf(zoneId, deviceId), entry);
    return entry;
  };

  const isOwner = ({ peer }: ZonePeer, { tenancyId, productId }: Owner): boolean =>
    peer.tenancyId === tenancyId && peer.productId === productId;

  const isFresh = ({ readAt }: ZonePeer): boolean => performance.now() - readAt < FRESH_MS;

  const fits = (entry: ZonePeer, tokenHash: string | null, speakerId: string): boolean =>
    isFresh(entry) &&
    (tokenHash === null || tokenHash === entry.peer.tokenHash || tokenHash === entry.peer.oldTokenHash) &&
    (speakerId === entry.peer.deviceId || entry.peer.children.has(speakerId));

  return {
    /** Whoever speaks on this topic with this token, its own or a child's; nobody where there is no such device. */
    async at(zoneId: number, owner: Owner, token: string, speakerId: string): Promise<ZonePeer | undefined> {
      const { deviceId } = owner;
      // A child's token says nothing about its gateway.
      const tokenHash = speakerId === deviceId && token !== '' ? digest(token) : null;
      const before = known.get(keyOf(zoneId, deviceId));
      const entry = before && fits(before, tokenHash, speakerId) ? before : await load(zoneId, deviceId);
      return entry && isOwner(entry, owner) ? entry : undefined;
    },
    /** To tell it something: as its latest log-in has it. */
    find: async (zoneId: number, deviceId: string, speakerId = deviceId): Promise<DeviceConnection | undefined> => {
      const entry = known.get(keyOf(zoneId, deviceId));
      if (entry && fits(entry, null, speakerId)) return entry.peer;
      return (await load(zoneId, deviceId))?.peer;
    },
    reload: load,
    /** Nothing newer is known, nor was it forgotten since. */
    isCurrent: (entry: ZonePeer): boolean => known.get(keyOf(entry.peer.linkZoneId, entry.peer.deviceId)) === entry,
    /** As it was read a moment ago, whatever its token. */
    fresh: (zoneId: number, owner: Owner): ZonePeer | undefined => {
      const entry = known.get(keyOf(zoneId, owner.deviceId));
      return entry && isFresh(entry) && isOwner(entry, owner) ? entry : undefined;
    },
    /** Through whichever zone. */
    anyKnown: (meant: (peer: DeviceConnection) => boolean): DeviceConnection | undefined => {
      for (const { peer } of known.values()) if (meant(peer)) return peer;
      return undefined;
    },
    forget: (zoneId: number, deviceId: string): void => {
      known.delete(keyOf(zoneId, deviceId));
    },
    forgetIf(meant: (peer: DeviceConnection) => boolean): void {
      for (const [key, { peer }] of known) if (meant(peer)) known.delete(key);
    },
    async sweep(): Promise<void> {
      const before = performance.now() - KEPT_MS;
      for (const [key, { readAt }] of known) if (readAt < before) known.delete(key);
    },
  };
};

export type ZonePeers = ReturnType<typeof createZonePeers>;
