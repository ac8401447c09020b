import { Flow, isDataId, MessageType, readUpTopic } from '@device-center/contract';
import { retryWithBackoff } from '../../../db/retry.ts';
import { digest } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import { denialReason } from '../device-session.ts';
import type { Downlink } from '../downlink.ts';
import type { SendKickNotice } from '../kick-notice.ts';
import type { Source } from '../uplink.ts';
import type { FindDelayedSender } from './delayed-messages.ts';
import type { Owner, ZoneDevice, ZoneDeviceCache } from './zone-device-cache.ts';
import type { ZonePresenceTracker } from './zone-presence-tracker.ts';

type ZoneUplinkDeps = {
  devices: Pick<ZoneDeviceCache, 'resolve' | 'fresh'>;
  findDelayedSender: FindDelayedSender;
  downlink: Downlink;
  handle: (topic: string, bytes: Buffer, source: Source, acknowledge: () => void) => void;
  onStored: ZonePresenceTracker['onStored'];
  sendKickNotice: SendKickNotice;
  log: Log;
};

type MessageHeader = {
  token: string;
  deviceId: string;
  type: number;
  dataId: string;
  isOffline: boolean;
  timestamp: number;
};

const NOTICE_INTERVAL_MS = 10_000;

const readJson = (text: string): Record<string, unknown> => {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const isOfflineReport = (type: unknown, dataFlow: unknown, payload: unknown): boolean =>
  type === MessageType.login && dataFlow === Flow.request && readJson(String(payload)).op === 'offline';

/** Reads as much as is needed to find the sender; the message is authenticated afterwards. */
const peekHeader = (bytes: Buffer): MessageHeader => {
  const { token, deviceId, type, dataId, dataFlow, payload, timestamp } = readJson(bytes.toString('utf8'));
  return {
    token: String(token ?? ''),
    deviceId: String(deviceId ?? ''),
    type: Number(type) || 0,
    dataId: isDataId(String(dataId)) ? String(dataId) : '0',
    isOffline: isOfflineReport(type, dataFlow, payload),
    timestamp: Number(timestamp) || 0,
  };
};

/** Handles uplink messages of a zone broker: finds the sender, then continues as on the hub's own MQTT server. */
export const createZoneUplink = (deps: ZoneUplinkDeps) => {
  const { devices, downlink, log } = deps;
  const queues = new Map<string, Promise<void>>();
  const notifiedAt = new Map<string, number>();

  const retryOptions = {
    initialDelayMs: 200,
    maxDelayMs: 5_000,
    onRetry: (error: unknown): void => log.warn({ err: error }, 'zone message not handled, retrying'),
  };

  /** Rejects a forbidden device. The kick notice is sent at an interval if it keeps sending. */
  const rejectForbidden = (entry: ZoneDevice, header: MessageHeader): boolean => {
    const { connection, row } = entry;
    const codeName = denialReason(row) ?? (row.gateway_id === '' ? undefined : 'TOKEN_INVALID');
    if (!codeName) return false;
    // An `offline` gets no response: the device may already have a new login.
    if (header.isOffline) return true;
    downlink.sendError(connection, connection, header, codeName);
    const now = Date.now();
    if (codeName !== 'TOKEN_INVALID' && now - (notifiedAt.get(connection.deviceId) ?? 0) > NOTICE_INTERVAL_MS) {
      notifiedAt.set(connection.deviceId, now);
      deps
        .sendKickNotice(connection, connection, codeName)
        .catch((error: unknown) => log.warn({ err: error }, 'kick notice not sent'));
    }
    return true;
  };

  /** Stores a delayed message of an earlier session; there may be thousands of them. */
  const handleDelayed = async (
    entry: ZoneDevice,
    topic: string,
    bytes: Buffer,
    header: MessageHeader,
    acknowledge: () => void,
  ): Promise<boolean> => {
    const sender = await retryWithBackoff(() => deps.findDelayedSender(entry.connection, header), retryOptions);
    if (!sender) return false;
    if (denialReason(entry.row)) acknowledge();
    else deps.handle(topic, bytes, { connectionFor: () => sender, isDelayed: true }, acknowledge);
    return true;
  };

  const handleMessage = async (
    zoneId: number,
    owner: Owner,
    topic: string,
    bytes: Buffer,
    acknowledge: () => void,
  ): Promise<void> => {
    const header = peekHeader(bytes);
    const cached = header.isOffline ? undefined : devices.fresh(zoneId, owner);
    if (cached && (await handleDelayed(cached, topic, bytes, header, acknowledge))) return;
    const token = header.isOffline ? '' : header.token;
    const entry = await retryWithBackoff(() => devices.resolve(zoneId, owner, token, header.deviceId), retryOptions);
    if (!entry || rejectForbidden(entry, header)) return acknowledge();
    // A will carries the token of the CONNECT, which may have been refreshed since; its signature is checked.
    if (header.isOffline) entry.connection.firstTokenHash = digest(header.token);
    else if (!cached && (await handleDelayed(entry, topic, bytes, header, acknowledge))) return;
    deps.handle(
      topic,
      bytes,
      {
        connectionFor: () => entry.connection,
        isWill: header.isOffline,
        onStored: (session, envelope, request) => deps.onStored(entry, session, envelope, request),
      },
      acknowledge,
    );
  };

  return {
    /** Messages of one device are handled in order. */
    handle(zoneId: number, topic: string, bytes: Buffer, acknowledge: () => void): void {
      const owner = readUpTopic(topic);
      if (!owner) {
        acknowledge();
        return;
      }
      const queued = (queues.get(owner.deviceId) ?? Promise.resolve())
        .then(() => handleMessage(zoneId, owner, topic, bytes, acknowledge))
        .catch((error: unknown) => {
          log.error({ err: error, deviceId: owner.deviceId }, 'zone message handler failed');
          // A resent message would fail again; unacknowledged it would block all messages behind it.
          acknowledge();
        })
        .finally(() => {
          if (queues.get(owner.deviceId) === queued) queues.delete(owner.deviceId);
        });
      queues.set(owner.deviceId, queued);
    },
    sweep(): void {
      const before = Date.now() - NOTICE_INTERVAL_MS;
      for (const [deviceId, at] of notifiedAt) if (at < before) notifiedAt.delete(deviceId);
    },
  };
};
