import type { Db, RecordDb } from '../../../db/connect.ts';
import { boundedKeepAlive } from '../../../mqtt/handshake.ts';
import { defaultLimits } from '../../../mqtt/server-types.ts';
import { firstNumberAt, timeOfNumber } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { DeviceConnection } from '../connection-registry.ts';
import type { ZonePeers } from './zone-device-cache.ts';
import type { ZonePresence } from './zone-presence.ts';

type ZoneProbesDeps = {
  db: Db;
  records: RecordDb;
  peers: Pick<ZonePeers, 'find' | 'forget'>;
  presence: Pick<ZonePresence, 'went'>;
  /** Sends a request that every device answers. */
  probe: (peer: DeviceConnection) => void;
  spokenFor: () => Promise<number[]>;
  /** Of a device that has not reported its own. */
  keepAliveMs: number;
  log: Log;
};

/** As long as an MQTT server waits for a silent client. */
const SILENT_AFTER = 1.5;
const ANSWER_WITHIN = 0.5;
const CHECKED_AT_ONCE = 500;
/** A turn is a second: a large silent fleet is asked one part after the other. */
const PROBED_AT_ONCE = 100;

/**
 * A broker reports a lost connection by the will alone. A device that sets none, or whose will was lost, is asked once
 * it has been silent for longer than its keep-alive allows, and goes offline if it does not answer.
 *
 * A row per device says when it is due; when it was last heard is looked up in its history only then, so that messages
 * cost nothing and hubs need not share more than the rows.
 */
export const createZoneProbes = (deps: ZoneProbesDeps) => {
  const { db, records, peers, presence, log } = deps;

  const readDue = (zoneId: number, now: number) =>
    db
      .selectFrom('zone_probe')
      .innerJoin('device', 'device.device_id', 'zone_probe.device_id')
      .select(['zone_probe.device_id', 'zone_probe.zone_id', 'zone_probe.keep_alive', 'zone_probe.asked_at'])
      .select(['device.online', 'device.link_zone_id', 'device.conn_no', 'device.presence_at'])
      .where('zone_probe.zone_id', '=', zoneId)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(CHECKED_AT_ONCE)
      .execute();

  type Due = Awaited<ReturnType<typeof readDue>>[number];

  const keepAliveOf = ({ keep_alive }: Pick<Due, 'keep_alive'>): number =>
    keep_alive === 0 ? deps.keepAliveMs : keep_alive * 1_000;

  /**
   * What is heard after this time counts. A device was silent when it was asked, so anything since then is an answer,
   * also by the clock of another hub.
   */
  const countsFrom = (row: Due, now: number): number =>
    row.asked_at === 0 ? now - keepAliveOf(row) * SILENT_AFTER : row.asked_at - keepAliveOf(row);

  /** When each of them was last heard, as far back as it counts. */
  const lastHeard = async (due: Due[], now: number): Promise<Map<string, number>> => {
    const from = Math.min(...due.map((row) => countsFrom(row, now)));
    const rows = await records
      .selectFrom('message_record')
      .select(['device_id', ({ fn }) => fn.max('record_id').as('last')])
      .where(
        'device_id',
        'in',
        due.map((row) => row.device_id),
      )
      .where('record_id', '>', firstNumberAt(Math.floor(from)))
      .where('data_flow', '=', 1)
      .groupBy('device_id')
      .execute();
    return new Map(rows.map((row) => [row.device_id, timeOfNumber(Number(row.last))]));
  };

  /** Not those that have come online meanwhile: they are due later. */
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

  const ask = async (zoneId: number, rows: Due[], now: number): Promise<void> => {
    // Written down first: a hub that ends in between asks no device twice.
    await schedule(rows.map((row) => ({ row, dueAt: now + keepAliveOf(row) * ANSWER_WITHIN, askedAt: now })));
    for (const { device_id: deviceId } of rows) {
      try {
        const peer = await peers.find(zoneId, deviceId);
        if (peer) deps.probe(peer);
      } catch (error) {
        log.warn({ err: error, deviceId }, 'a silent device could not be asked');
      }
    }
  };

  const end = async (zoneId: number, rows: Due[], now: number): Promise<void> => {
    for (const { device_id, conn_no } of rows) {
      await presence.went(device_id, 'lost', 'silent, and gave no answer when asked', conn_no);
      peers.forget(zoneId, device_id);
    }
    await remove(zoneId, rows, now);
  };

  const runZone = async (zoneId: number): Promise<void> => {
    const now = Date.now();
    const due = await readDue(zoneId, now);
    if (due.length === 0) return;
    const isHere = (row: Due): boolean => row.online === 1 && row.link_zone_id === zoneId;
    const here = due.filter(isHere);
    await remove(
      zoneId,
      due.filter((row) => !isHere(row)),
      now,
    );
    if (here.length === 0) return;
    const heard = await lastHeard(here, now);
    const heardAt = (row: Due): number => Math.max(row.presence_at, heard.get(row.device_id) ?? 0);
    const isSilent = (row: Due): boolean => heardAt(row) <= countsFrom(row, now);
    const silent = here.filter(isSilent);
    await schedule(
      here
        .filter((row) => !isSilent(row))
        .map((row) => ({ row, dueAt: heardAt(row) + keepAliveOf(row) * SILENT_AFTER, askedAt: 0 })),
    );
    await end(
      zoneId,
      silent.filter((row) => row.asked_at > 0),
      now,
    );
    await ask(zoneId, silent.filter((row) => row.asked_at === 0).slice(0, PROBED_AT_ONCE), now);
  };

  return {
    /** From now on it is watched. `online`: what it has reported of itself; else its keep-alive is as it was. */
    async watch(
      { deviceId, linkZoneId }: DeviceConnection,
      online: { keepAlive?: number | undefined } | undefined,
    ): Promise<void> {
      const keep_alive = online?.keepAlive === undefined ? 0 : boundedKeepAlive(online.keepAlive, defaultLimits);
      const due_at = Math.ceil(Date.now() + keepAliveOf({ keep_alive }) * SILENT_AFTER);
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
      for (const zoneId of await deps.spokenFor()) await runZone(zoneId);
    },
  };
};

export type ZoneProbes = ReturnType<typeof createZoneProbes>;
