import type { Db, RecordDb } from '../../../db/connect.ts';
import { boundedKeepAlive } from '../../../mqtt/handshake.ts';
import { defaultLimits } from '../../../mqtt/server-types.ts';
import { firstSequenceIdAt, timeOfSequenceId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { DeviceConnection } from '../connection-registry.ts';
import type { ZoneDeviceCache } from './zone-device-cache.ts';
import type { ZonePresence } from './zone-presence.ts';

type ZoneProbesDeps = {
  db: Db;
  records: RecordDb;
  devices: Pick<ZoneDeviceCache, 'find' | 'forget'>;
  presence: Pick<ZonePresence, 'recordOffline'>;
  /** Sends a request that every device answers. */
  probe: (connection: DeviceConnection) => void;
  ledZones: () => Promise<number[]>;
  /** Default for devices that have not reported their keep-alive. */
  keepAliveMs: number;
  log: Log;
};

/** Keep-alive grace factor of MQTT servers. */
const KEEP_ALIVE_GRACE = 1.5;
const ANSWER_WITHIN = 0.5;
const CHECK_BATCH_SIZE = 500;
/** Per run, once a second: a large silent fleet is probed in parts. */
const PROBE_BATCH_SIZE = 100;

/**
 * A broker reports a lost connection only by the will. A device without a will, or whose will was lost, is probed once
 * it has been silent for longer than its keep-alive, and goes offline if it does not respond.
 *
 * One row per device holds when it is due. Its last message is looked up in the message records only then, so that
 * messages cause no extra writes and hubs share nothing but the rows.
 */
export const createZoneProbes = (deps: ZoneProbesDeps) => {
  const { db, records, devices, presence, log } = deps;

  const readDue = (zoneId: number, now: number) =>
    db
      .selectFrom('zone_probe')
      .innerJoin('device', 'device.device_id', 'zone_probe.device_id')
      .select(['zone_probe.device_id', 'zone_probe.zone_id', 'zone_probe.keep_alive', 'zone_probe.asked_at'])
      .select(['device.online', 'device.link_zone_id', 'device.conn_no', 'device.presence_at'])
      .where('zone_probe.zone_id', '=', zoneId)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(CHECK_BATCH_SIZE)
      .execute();

  type Due = Awaited<ReturnType<typeof readDue>>[number];

  const keepAliveOf = ({ keep_alive }: Pick<Due, 'keep_alive'>): number =>
    keep_alive === 0 ? deps.keepAliveMs : keep_alive * 1_000;

  /**
   * Messages after this time count. The device was silent when probed, so any later message is a response, even if
   * another hub with a different clock recorded it.
   */
  const countsFrom = (row: Due, now: number): number =>
    row.asked_at === 0 ? now - keepAliveOf(row) * KEEP_ALIVE_GRACE : row.asked_at - keepAliveOf(row);

  /** Time of each device's last message, as far back as it counts. */
  const lastMessageTimes = async (due: Due[], now: number): Promise<Map<string, number>> => {
    const from = Math.min(...due.map((row) => countsFrom(row, now)));
    const rows = await records
      .selectFrom('message_record')
      .select(['device_id', ({ fn }) => fn.max('record_id').as('last')])
      .where(
        'device_id',
        'in',
        due.map((row) => row.device_id),
      )
      .where('record_id', '>', firstSequenceIdAt(Math.floor(from)))
      .where('data_flow', '=', 1)
      .groupBy('device_id')
      .execute();
    return new Map(rows.map((row) => [row.device_id, timeOfSequenceId(Number(row.last))]));
  };

  /** Keeps devices that have come online meanwhile: they are due later. */
  const remove = async (zoneId: number, rows: Due[], now: number): Promise<void> => {
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.device_id);
    await db
      .deleteFrom('zone_probe')
      .where('zone_id', '=', zoneId)
      .where('due_at', '<=', now)
      .where('device_id', 'in', ids)
      .execute();
  };

  const schedule = async (rows: { row: Due; dueAt: number; askedAt: number }[]): Promise<void> => {
    if (rows.length === 0) return;
    const values = rows.map(({ row: { device_id, zone_id, keep_alive }, dueAt, askedAt }) => ({
      ...{ device_id, zone_id, keep_alive },
      due_at: Math.ceil(dueAt),
      asked_at: askedAt,
    }));
    await db
      .insertInto('zone_probe')
      .values(values)
      .onConflict((conflict) =>
        conflict.column('device_id').doUpdateSet((row) => ({
          due_at: row.ref('excluded.due_at'),
          asked_at: row.ref('excluded.asked_at'),
        })),
      )
      .execute();
  };

  const sendProbes = async (zoneId: number, rows: Due[], now: number): Promise<void> => {
    // Committed before sending: if the hub stops in between, no device is probed twice.
    await schedule(rows.map((row) => ({ row, dueAt: now + keepAliveOf(row) * ANSWER_WITHIN, askedAt: now })));
    for (const { device_id: deviceId } of rows) {
      try {
        const connection = await devices.find(zoneId, deviceId);
        if (connection) deps.probe(connection);
      } catch (error) {
        log.warn({ err: error, deviceId }, 'device probe failed');
      }
    }
  };

  const markOffline = async (zoneId: number, rows: Due[], now: number): Promise<void> => {
    for (const { device_id, conn_no } of rows) {
      await presence.recordOffline(device_id, 'lost', 'no response to a probe', conn_no);
      devices.forget(zoneId, device_id);
    }
    await remove(zoneId, rows, now);
  };

  const runZone = async (zoneId: number): Promise<void> => {
    const now = Date.now();
    const due = await readDue(zoneId, now);
    if (due.length === 0) return;
    const isOnlineHere = (row: Due): boolean => row.online === 1 && row.link_zone_id === zoneId;
    const onlineDue = due.filter(isOnlineHere);
    await remove(
      zoneId,
      due.filter((row) => !isOnlineHere(row)),
      now,
    );
    if (onlineDue.length === 0) return;
    const lastMessageAt = await lastMessageTimes(onlineDue, now);
    const lastSeenAt = (row: Due): number => Math.max(row.presence_at, lastMessageAt.get(row.device_id) ?? 0);
    const isSilent = (row: Due): boolean => lastSeenAt(row) <= countsFrom(row, now);
    const silent = onlineDue.filter(isSilent);
    await schedule(
      onlineDue
        .filter((row) => !isSilent(row))
        .map((row) => ({ row, dueAt: lastSeenAt(row) + keepAliveOf(row) * KEEP_ALIVE_GRACE, askedAt: 0 })),
    );
    await markOffline(
      zoneId,
      silent.filter((row) => row.asked_at > 0),
      now,
    );
    await sendProbes(zoneId, silent.filter((row) => row.asked_at === 0).slice(0, PROBE_BATCH_SIZE), now);
  };

  return {
    /** Schedules the device for probing. `online`: its report; without it the keep-alive stays unchanged. */
    async watch(
      { deviceId, linkZoneId }: DeviceConnection,
      online: { keepAlive?: number | undefined } | undefined,
    ): Promise<void> {
      const keep_alive = online?.keepAlive === undefined ? 0 : boundedKeepAlive(online.keepAlive, defaultLimits);
      const due_at = Math.ceil(Date.now() + keepAliveOf({ keep_alive }) * KEEP_ALIVE_GRACE);
      const values = { zone_id: linkZoneId, due_at, asked_at: 0 };
      await db
        .insertInto('zone_probe')
        .values({ device_id: deviceId, keep_alive, ...values })
        .onConflict((conflict) =>
          conflict.column('device_id').doUpdateSet({ ...values, ...(online ? { keep_alive } : {}) }),
        )
        .execute();
    },
    async run(): Promise<void> {
      for (const zoneId of await deps.ledZones()) await runZone(zoneId);
    },
  };
};

export type ZoneProbes = ReturnType<typeof createZoneProbes>;
