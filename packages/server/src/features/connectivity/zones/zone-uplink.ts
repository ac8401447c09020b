import { Flow, isDataId, MessageType, readUpTopic } from '@device-center/contract';
import { retryWithBackoff } from '../../../db/retry.ts';
import { digest } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import { denialReason } from '../device-session.ts';
import type { Downlink } from '../downlink.ts';
import type { SendKickNotice } from '../kick-notice.ts';
import type { Source } from '../uplink.ts';
import type { LateWords } from './delayed-messages.ts';
import type { Owner, ZonePeer, ZonePeers } from './zone-device-cache.ts';
import type { ZoneHearing } from './zone-presence-tracker.ts';

type ZoneUplinkDeps = {
  peers: Pick<ZonePeers, 'at' | 'fresh'>;
  lateWords: LateWords;
  downward: Downlink;
  take: (topic: string, bytes: Buffer, source: Source, acknowledge: () => void) => void;
  heard: ZoneHearing['heard'];
  tellKick: SendKickNotice;
  log: Log;
};

type Said = { token: string; deviceId: string; type: number; dataId: string; goodbye: boolean; timestamp: number };

const TELL_EVERY_MS = 10_000;

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
const peekHeader = (bytes: Buffer): Said => {
  const { token, deviceId, type, dataId, dataFlow, payload, timestamp } = readJson(bytes.toString('utf8'));
  return {
    token: String(token ?? ''),
    deviceId: String(deviceId ?? ''),
    type: Number(type) || 0,
    dataId: isDataId(String(dataId)) ? String(dataId) : '0',
    goodbye: isGoodbye(type, dataFlow, payload),
    timestamp: Number(timestamp) || 0,
  };
};

/** What comes up through a zone's broker: whose it is by the rows, then as on the hub's own listener. */
export const createZoneUplink = (deps: ZoneUplinkDeps) => {
  const { peers, downward, log } = deps;
  const turns = new Map<string, Promise<void>>();
  const toldAt = new Map<string, number>();

  const patience = {
    firstMs: 200,
    lastMs: 5_000,
    waits: (error: unknown): void => log.warn({ err: error }, 'a message of a zone waits for the database'),
  };

  /** Whoever is refused again and again is told now and then. */
  const refuseForbidden = (entry: ZonePeer, said: Said): boolean => {
    const { peer, row } = entry;
    const word = denialReason(row) ?? (row.gateway_id === '' ? undefined : 'TOKEN_INVALID');
    if (!word) return false;
    // Its goodbye needs no answer, and the device may be back with a new log-in.
    if (said.goodbye) return true;
    downward.refuse(peer, peer, said, word);
    const now = Date.now();
    if (word !== 'TOKEN_INVALID' && now - (toldAt.get(peer.deviceId) ?? 0) > TELL_EVERY_MS) {
      toldAt.set(peer.deviceId, now);
      deps.tellKick(peer, peer, word).catch((error: unknown) => log.warn({ err: error }, 'a device was not told'));
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
    const then = await retryWithBackoff(() => deps.lateWords(entry.peer, said), patience);
    if (!then) return false;
    if (denialReason(entry.row)) acknowledge();
    else deps.take(topic, bytes, { connectionFor: () => then, late: true }, acknowledge);
    return true;
  };

  const handle = async (
    zoneId: number,
    owner: Owner,
    topic: string,
    bytes: Buffer,
    acknowledge: () => void,
  ): Promise<void> => {
    const said = peekHeader(bytes);
    const held = said.goodbye ? undefined : peers.fresh(zoneId, owner);
    if (held && (await takeLate(held, topic, bytes, said, acknowledge))) return;
    const token = said.goodbye ? '' : said.token;
    const entry = await retryWithBackoff(() => peers.at(zoneId, owner, token, said.deviceId), patience);
    if (!entry || refuseForbidden(entry, said)) return acknowledge();
    // A will has the token of its connection's beginning, which may have been refreshed since: its signature tells.
    if (said.goodbye) entry.peer.firstTokenHash = digest(said.token);
    else if (!held && (await takeLate(entry, topic, bytes, said, acknowledge))) return;
    deps.take(
      topic,
      bytes,
      {
        connectionFor: () => entry.peer,
        isWill: said.goodbye,
        heard: (speaker, envelope, request) => deps.heard(entry, speaker, envelope, request),
      },
      acknowledge,
    );
  };

  return {
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
    sweep(): void {
      const before = Date.now() - TELL_EVERY_MS;
      for (const [deviceId, at] of toldAt) if (at < before) toldAt.delete(deviceId);
    },
  };
};
