import { type Envelope, Flow, MessageType, type UpRequest } from '@device-center/contract';
import type { RecordDb } from '../../../db/connect.ts';
import { firstNumberAt, nextSequenceId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import type { Downlink } from '../downlink.ts';
import type { ZonePeer, ZonePeers } from './zone-device-cache.ts';
import type { ZonePresence } from './zone-presence.ts';
import type { ZoneProbes } from './zone-probes.ts';

type ZoneHearingDeps = {
  records: RecordDb;
  peers: Pick<ZonePeers, 'reload' | 'forget' | 'isCurrent'>;
  presence: Pick<ZonePresence, 'came' | 'went'>;
  probes: Pick<ZoneProbes, 'watch'>;
  downward: Pick<Downlink, 'send'>;
  log: Log;
};

/** Whoever is there answers within this time. */
const ANSWER_WITHIN_MS = 5_000;
/** What was written when the connection was made is a will; what was written just now, long after, a goodbye. */
const JUST_NOW_MS = 5_000;
const HELLO_KEPT_MS = 3_600_000;

/** What the messages of a zone's devices tell of their presence: who is there, and which goodbyes are believed. */
export const createZoneHearing = ({ records, peers, presence, probes, downward, log }: ZoneHearingDeps) => {
  /** The last hello of a device that this hub has heard: a goodbye with a higher number is of the same connection. */
  const hellos = new Map<string, { sessionId: string; dataId: number; at: number }>();

  /** It is asked for its identity: whoever is there answers. */
  const poke = (peer: DeviceConnection): void => {
    const dataId = String(nextSequenceId());
    void downward.send(peer, peer, { dataFlow: Flow.request, type: MessageType.identity, dataId, payload: '{}' });
  };

  const hasSpokenSince = async (deviceId: string, since: number): Promise<boolean> => {
    const row = await records
      .selectFrom('message_record')
      .select('record_id')
      .where('device_id', '=', deviceId)
      .where('record_id', '>', firstNumberAt(since))
      .where('data_flow', '=', 1)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  };

  /** Watched before it is online: one that is not online is dropped from the watch when it is due. */
  const came = async (
    peer: DeviceConnection,
    { session_id }: ZonePeer['row'],
    online?: { keepAlive?: number | undefined },
  ): Promise<void> => {
    await probes.watch(peer, online);
    await presence.came(peer, session_id, online !== undefined);
  };

  /**
   * A will may be of the connection before: it waits with a broker, or with a hub that is gone, while the device is
   * long back. Only a goodbye that follows the hello which this hub has heard is believed as it stands.
   */
  const handleOffline = async ({ peer, row }: ZonePeer, { sessionId, dataId, timestamp }: Envelope): Promise<void> => {
    const { deviceId, linkZoneId } = peer;
    const fresh = await peers.reload(linkZoneId, deviceId);
    if (!fresh?.online) return;
    const { connNo, connectedAt } = fresh.peer;
    const now = Date.now();
    const hello = hellos.get(deviceId);
    const follows = hello?.sessionId === sessionId && Number(dataId) > hello.dataId;
    if (!follows) {
      poke(fresh.peer);
      await new Promise((resolve) => setTimeout(resolve, ANSWER_WITHIN_MS));
      if (await hasSpokenSince(deviceId, now)) return;
    }
    const isOld = now - connectedAt > JUST_NOW_MS;
    const byDevice = follows || (isOld && Math.abs(now - timestamp) < JUST_NOW_MS);
    await presence.went(deviceId, byDevice ? 'byDevice' : 'lost', '', connNo);
    peers.forget(linkZoneId, deviceId);
    // Its answer came too late for the question, and was taken for a word of one who is known to be there.
    if (!follows && (await hasSpokenSince(deviceId, now))) await came(fresh.peer, row);
  };

  /** A message that is stored is a sign of life. */
  const heard = (entry: ZonePeer, speaker: DeviceSession, envelope: Envelope, request: UpRequest | undefined): void => {
    const { peer } = entry;
    if (speaker !== peer) return;
    const said = request?.type === MessageType.login ? request.said : undefined;
    const op = said?.op;
    const work = async (): Promise<void> => {
      if (op === 'offline' && envelope.sessionId !== peer.sessionId) return;
      if (op === 'offline') return handleOffline(entry, envelope);
      if (op !== 'online' && entry.online && peers.isCurrent(entry)) return;
      entry.online = true;
      if (op === 'online')
        hellos.set(peer.deviceId, { sessionId: peer.sessionId, dataId: Number(envelope.dataId), at: Date.now() });
      await came(peer, entry.row, said?.op === 'online' ? said : undefined);
    };
    work().catch((error: unknown) => log.error({ err: error }, 'presence in a zone was not written'));
  };

  return {
    heard,
    poke,
    sweep(): void {
      const before = Date.now() - HELLO_KEPT_MS;
      for (const [deviceId, { at }] of hellos) if (at < before) hellos.delete(deviceId);
    },
  };
};

export type ZoneHearing = ReturnType<typeof createZoneHearing>;
