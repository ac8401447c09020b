import { type Envelope, Flow, MessageType, readUpTopic, type UpRequest } from '@device-center/contract';
import type { RecordDb } from '../../../db/connect.ts';
import { patiently } from '../../../db/patience.ts';
import { digest, firstNumberAt, newNumber } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { Downward } from '../downward.ts';
import type { TellKick } from '../kick.ts';
import type { Peer, Speaker } from '../peers.ts';
import { whyForbidden } from '../speaker.ts';
import type { Source } from '../uplink.ts';
import type { LateWords } from './late-words.ts';
import type { ZonePeer, ZonePeers } from './zone-peers.ts';
import type { ZonePresence } from './zone-presence.ts';

type ZoneUplinkDeps = {
  records: RecordDb;
  peers: ZonePeers;
  presence: ZonePresence;
  lateWords: LateWords;
  downward: Downward;
  take: (topic: string, bytes: Buffer, source: Source, acknowledge: () => void) => void;
  tellKick: TellKick;
  log: Log;
};

type Said = { token: string; deviceId: string; type: number; dataId: string; goodbye: boolean; timestamp: number };

/** Whoever is there answers within this time. */
const ANSWER_WITHIN_MS = 5_000;
/** What was written when the connection was made is a will; what was written just now, long after, a goodbye. */
const JUST_NOW_MS = 5_000;
const TELL_EVERY_MS = 10_000;
const HELLO_KEPT_MS = 3_600_000;

const readJson = (text: string): Record<string, unknown> => {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const isGoodbye = (type: unknown, dataFlow: unknown, payload: unknown): boolean =>
  type === MessageType.login && dataFlow === Flow.request && readJson(String(payload)).op === 'offline';

/** As much as is needed to know whose message it is; it is judged afterwards. */
const skim = (bytes: Buffer): Said => {
  const { token, deviceId, type, dataId, dataFlow, payload, timestamp } = readJson(bytes.toString('utf8'));
  return {
    token: String(token ?? ''),
    deviceId: String(deviceId ?? ''),
    type: Number(type) || 0,
    dataId: /^\d{1,15}$/.test(String(dataId)) ? String(dataId) : '0',
    goodbye: isGoodbye(type, dataFlow, payload),
    timestamp: Number(timestamp) || 0,
  };
};

/** What comes up through a zone's broker: whose it is by the rows, then as on the hub's own listener. */
export const createZoneUplink = (deps: ZoneUplinkDeps) => {
  const { records, peers, presence, downward, log } = deps;
  const turns = new Map<string, Promise<void>>();
  const toldAt = new Map<string, number>();
  /** The last hello of a device that this hub has heard: a goodbye with a higher number is of the same connection. */
  const hellos = new Map<string, { sessionId: string; dataId: number; at: number }>();

  const patience = {
    firstMs: 200,
    lastMs: 5_000,
    waits: (error: unknown): void => log.warn({ err: error }, 'a message of a zone waits for the database'),
  };

  /** It is asked for its identity: whoever is there answers. */
  const poke = (peer: Peer): void => {
    const dataId = String(newNumber());
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

  /**
   * A will may be of the connection before: it waits with a broker, or with a hub that is gone, while the device is
   * long back. Only a goodbye that follows the hello which this hub has heard is believed as it stands.
   */
  const saidGoodbye = async ({ peer }: ZonePeer, { sessionId, dataId, timestamp }: Envelope): Promise<void> => {
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
    if (!follows && (await hasSpokenSince(deviceId, now))) await presence.came(fresh.peer, false);
  };

  /** A message that is stored is a sign of life. */
  const heard = (entry: ZonePeer, speaker: Speaker, envelope: Envelope, request: UpRequest | undefined): void => {
    const { peer } = entry;
    if (speaker !== peer) return;
    const op = request?.type === MessageType.login ? request.said.op : '';
    const work = async (): Promise<void> => {
      if (op === 'offline' && envelope.sessionId !== peer.sessionId) return;
      if (op === 'offline') return saidGoodbye(entry, envelope);
      if (op !== 'online' && entry.online && peers.isCurrent(entry)) return;
      entry.online = true;
      if (op === 'online')
        hellos.set(peer.deviceId, { sessionId: peer.sessionId, dataId: Number(envelope.dataId), at: Date.now() });
      await presence.came(peer, op === 'online');
    };
    work().catch((error: unknown) => log.error({ err: error }, 'presence in a zone was not written'));
  };

  /** Whoever is refused again and again is told now and then. */
  const refuseForbidden = (entry: ZonePeer, said: Said): boolean => {
    const { peer, row } = entry;
    const word = whyForbidden(row) ?? (row.gateway_id === '' ? undefined : 'TOKEN_INVALID');
    if (!word) return false;
    // Its goodbye needs no answer, and the device may be back with a new log-in.
    if (said.goodbye) return true;
    downward.refuse(peer, peer, said, word);
    const now = Date.now();
    if (word !== 'TOKEN_INVALID' && now - (toldAt.get(peer.deviceId) ?? 0) > TELL_EVERY_MS) {
      toldAt.set(peer.deviceId, now);
      void deps.tellKick(peer, peer, word);
    }
    return true;
  };

  /** What waited somewhere while its device logged in again; there may be thousands of it. */
  const takeLate = async (
    entry: ZonePeer,
    topic: string,
    bytes: Buffer,
    said: Said,
    acknowledge: () => void,
  ): Promise<boolean> => {
    const then = await patiently(() => deps.lateWords(entry.peer, said), patience);
    if (!then) return false;
    if (whyForbidden(entry.row)) acknowledge();
    else deps.take(topic, bytes, { peerAt: () => then, late: true }, acknowledge);
    return true;
  };

  const handle = async (
    zoneId: number,
    owner: NonNullable<ReturnType<typeof readUpTopic>>,
    topic: string,
    bytes: Buffer,
    acknowledge: () => void,
  ): Promise<void> => {
    const said = skim(bytes);
    const held = said.goodbye ? undefined : peers.fresh(zoneId, owner);
    if (held && (await takeLate(held, topic, bytes, said, acknowledge))) return;
    const token = said.goodbye ? '' : said.token;
    const entry = await patiently(() => peers.at(zoneId, topic, token, said.deviceId), patience);
    if (!entry || refuseForbidden(entry, said)) return acknowledge();
    // A will has the token of its connection's beginning, which may have been refreshed since: its signature tells.
    if (said.goodbye) entry.peer.firstTokenHash = digest(said.token);
    else if (!held && (await takeLate(entry, topic, bytes, said, acknowledge))) return;
    deps.take(
      topic,
      bytes,
      {
        peerAt: () => entry.peer,
        lastWords: said.goodbye,
        heard: (speaker, envelope, request) => heard(entry, speaker, envelope, request),
      },
      acknowledge,
    );
  };

  return {
    poke,
    /** In a device's own order. */
    take(zoneId: number, topic: string, bytes: Buffer, acknowledge: () => void): void {
      const owner = readUpTopic(topic);
      if (!owner) {
        acknowledge();
        return;
      }
      const turn = (turns.get(owner.deviceId) ?? Promise.resolve())
        .then(() => handle(zoneId, owner, topic, bytes, acknowledge))
        .catch((error: unknown) => {
          log.error({ err: error, deviceId: owner.deviceId }, 'a message of a zone was not taken');
          // It would fail the same way again; unacknowledged it would hold up every message behind it.
          acknowledge();
        })
        .finally(() => {
          if (turns.get(owner.deviceId) === turn) turns.delete(owner.deviceId);
        });
      turns.set(owner.deviceId, turn);
    },
    async sweep(): Promise<void> {
      const before = Date.now() - TELL_EVERY_MS;
      for (const [deviceId, at] of toldAt) if (at < before) toldAt.delete(deviceId);
      for (const [deviceId, { at }] of hellos) if (at < before - HELLO_KEPT_MS) hellos.delete(deviceId);
    },
  };
};

export type ZoneUplink = ReturnType<typeof createZoneUplink>;
