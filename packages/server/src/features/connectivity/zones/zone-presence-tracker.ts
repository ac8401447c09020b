import { type DeviceRequest, type Envelope, Flow, MessageType } from '@device-center/contract';
import type { RecordDb } from '../../../db/connect.ts';
import { firstSequenceIdAt, nextSequenceId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import type { Downlink } from '../downlink.ts';
import type { ZoneDevice, ZoneDeviceCache } from './zone-device-cache.ts';
import type { ZonePresence } from './zone-presence.ts';
import type { ZoneProbes } from './zone-probes.ts';

type ZonePresenceTrackerDeps = {
  records: RecordDb;
  devices: Pick<ZoneDeviceCache, 'reload' | 'forget' | 'isCurrent'>;
  presence: Pick<ZonePresence, 'recordOnline' | 'recordOffline'>;
  probes: Pick<ZoneProbes, 'watch'>;
  downlink: Pick<Downlink, 'send'>;
  log: Log;
};

/** Response timeout of a probe. */
const ANSWER_WITHIN_MS = 5_000;
/** An `offline` message signed at CONNECT is a will; one signed just now, long after, was sent by the device itself. */
const RECENT_MS = 5_000;
const ONLINE_REPORT_TTL_MS = 3_600_000;

/** Derives the presence of a zone's devices from their messages, and decides which `offline` messages apply. */
export const createZonePresenceTracker = ({
  records,
  devices,
  presence,
  probes,
  downlink,
  log,
}: ZonePresenceTrackerDeps) => {
  /** Last `online` message received per device: an `offline` with a higher dataId belongs to the same connection. */
  const onlineReports = new Map<string, { sessionId: string; dataId: number; at: number }>();

  /** Requests the device's identity: a connected device responds. */
  const probe = (connection: DeviceConnection): void => {
    const dataId = String(nextSequenceId());
    void downlink.send(connection, connection, {
      dataFlow: Flow.request,
      type: MessageType.identity,
      dataId,
      payload: '{}',
    });
  };

  const hasMessageSince = async (deviceId: string, since: number): Promise<boolean> => {
    const row = await records
      .selectFrom('message_record')
      .select('record_id')
      .where('device_id', '=', deviceId)
      .where('record_id', '>', firstSequenceIdAt(since))
      .where('data_flow', '=', 1)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  };

  /** Scheduled for probing before it is online: a device that is not online when due is dropped from the schedule. */
  const recordOnline = async (
    connection: DeviceConnection,
    { session_id }: ZoneDevice['row'],
    online?: { keepAlive?: number | undefined },
  ): Promise<void> => {
    await probes.watch(connection, online);
    await presence.recordOnline(connection, session_id, online !== undefined);
  };

  /**
   * A will may belong to an earlier connection: it may be delivered after the device has reconnected. Only an `offline`
   * that follows the `online` received by this hub applies at once; otherwise the device is probed first.
   */
  const handleOffline = async (
    { connection, row }: ZoneDevice,
    { sessionId, dataId, timestamp }: Envelope,
  ): Promise<void> => {
    const { deviceId, linkZoneId } = connection;
    const current = await devices.reload(linkZoneId, deviceId);
    if (!current?.online) return;
    const { connNo, connectedAt } = current.connection;
    const now = Date.now();
    const onlineReport = onlineReports.get(deviceId);
    const isSameConnection = onlineReport?.sessionId === sessionId && Number(dataId) > onlineReport.dataId;
    if (!isSameConnection) {
      probe(current.connection);
      await new Promise((resolve) => setTimeout(resolve, ANSWER_WITHIN_MS));
      if (await hasMessageSince(deviceId, now)) return;
    }
    const isLongConnected = now - connectedAt > RECENT_MS;
    const byDevice = isSameConnection || (isLongConnected && Math.abs(now - timestamp) < RECENT_MS);
    await presence.recordOffline(deviceId, byDevice ? 'byDevice' : 'lost', '', connNo);
    devices.forget(linkZoneId, deviceId);
    // A response stored while the device was still marked online did not bring it online again.
    if (!isSameConnection && (await hasMessageSince(deviceId, now))) await recordOnline(current.connection, row);
  };

  /** Every stored message shows that the device is connected. */
  const onStored = (
    entry: ZoneDevice,
    session: DeviceSession,
    envelope: Envelope,
    request: DeviceRequest | undefined,
  ): void => {
    const { connection } = entry;
    if (session !== connection) return;
    const login = request?.type === MessageType.login ? request.body : undefined;
    const op = login?.op;
    const work = async (): Promise<void> => {
      if (op === 'offline' && envelope.sessionId !== connection.sessionId) return;
      if (op === 'offline') return handleOffline(entry, envelope);
      if (op !== 'online' && entry.online && devices.isCurrent(entry)) return;
      entry.online = true;
      if (op === 'online')
        onlineReports.set(connection.deviceId, {
          sessionId: connection.sessionId,
          dataId: Number(envelope.dataId),
          at: Date.now(),
        });
      await recordOnline(connection, entry.row, login?.op === 'online' ? login : undefined);
    };
    work().catch((error: unknown) => log.error({ err: error }, 'zone presence not stored'));
  };

  return {
    onStored,
    probe,
    sweep(): void {
      const before = Date.now() - ONLINE_REPORT_TTL_MS;
      for (const [deviceId, { at }] of onlineReports) if (at < before) onlineReports.delete(deviceId);
    },
  };
};

export type ZonePresenceTracker = ReturnType<typeof createZonePresenceTracker>;
