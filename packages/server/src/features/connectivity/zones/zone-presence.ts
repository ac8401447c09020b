import type { DisconnectReason } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { nextSequenceId } from '../../../platform/ids.ts';
import { connectedRow, disconnectedRow } from '../../../records/connection-events.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import type { Ingest } from '../ingest.ts';
import { markOnline } from '../mark-online.ts';

type ZonePresenceDeps = { db: Db; ingest: Pick<Ingest, 'addConnectionEvent'> };

/** `hub_no` of devices that are offline only because no hub was connected to their zone; they are probed later. */
export const ZONE_LOST = -1;

/** Devices that are online on the brokers of these zones. */
export const onlineIn = (db: Db, zoneIds: number[]) =>
  db.selectFrom('device').select('device_id').where('link_zone_id', 'in', zoneIds).where('online', '=', 1);

const BATCH_SIZE = 500;
const TRANSPORT = 'broker';

/**
 * Presence of devices on zone brokers. The hub does not see their connections, so presence follows from their messages
 * and last wills. Any hub may receive these, so the state is in the rows only: the hub that changes a row writes the
 * connection event.
 */
export const createZonePresence = ({ db, ingest }: ZonePresenceDeps) => {
  /**
   * `isOnlineReport`: the device reports itself online; otherwise any message of a device that is not known to be
   * online. A message accepted before its session ended, and stored after, does not bring the device online again.
   */
  const recordOnline = async (
    session: DeviceSession,
    sessionId: string,
    connection: DeviceConnection,
    parentId: string | null,
    isOnlineReport: boolean,
  ): Promise<void> => {
    const at = Date.now();
    const connNo = nextSequenceId(at);
    const { linkZoneId } = connection;
    const update = { at, connNo, hubNo: 0, linkZoneId, ip: '', transport: TRANSPORT, parentId };
    const { numUpdatedRows } = await markOnline(db, session.deviceId, update)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('device_session')
            .select('session_id')
            .where('session_id', '=', sessionId)
            .where('device_session.ended', '=', 0),
        ),
      )
      .$if(!isOnlineReport, (rows) =>
        rows.where((row) => row.or([row('online', '!=', 1), row('link_zone_id', '!=', linkZoneId)])),
      )
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0) return;
    Object.assign(session, { connNo, connectedAt: at });
    ingest.addConnectionEvent(connectedRow(session, update, parentId));
  };

  /** Marks those of the devices offline that are online on a zone broker, and returns their IDs. */
  const markOffline = async (
    deviceIds: string[],
    reason: DisconnectReason,
    detail: string,
    upToConnNo = Number.MAX_SAFE_INTEGER,
  ): Promise<string[]> => {
    if (deviceIds.length === 0) return [];
    const before = await db
      .selectFrom('device')
      .select([
        'device_id as deviceId',
        'tenancy_id as tenancyId',
        'product_id as productId',
        'ip',
        'presence_at as since',
      ])
      .where('device_id', 'in', deviceIds)
      .where('link_zone_id', '>', 0)
      .where('online', '=', 1)
      .execute();
    if (before.length === 0) return [];
    const at = Date.now();
    const { rows } = await sql<{ device_id: string }>`
      update device set online = 2, presence_at = ${at}, offline_reason = ${reason}, hub_no = ${reason === 'zoneLost' ? ZONE_LOST : 0}
      where online = 1 and link_zone_id > 0 and conn_no <= ${upToConnNo}
        and device_id in (${sql.join(before.map((row) => row.deviceId))})
      returning device_id`.execute(db);
    const ids = new Set(rows.map((row) => row.device_id));
    for (const row of before) {
      const observed = { at, ip: row.ip, transport: TRANSPORT };
      if (ids.has(row.deviceId)) ingest.addConnectionEvent(disconnectedRow(row, observed, row.since, reason, detail));
    }
    return [...ids];
  };

  const childrenOf = async (gatewayIds: string[]): Promise<string[]> => {
    if (gatewayIds.length === 0) return [];
    const rows = await db
      .selectFrom('device')
      .innerJoin('device as gateway', (join) =>
        join.onRef('gateway.device_id', '=', 'device.parent_id').onRef('gateway.tenancy_id', '=', 'device.tenancy_id'),
      )
      .select('device.device_id')
      .where('device.parent_id', 'in', gatewayIds)
      .where('device.link_zone_id', '>', 0)
      .where('device.online', '=', 1)
      .execute();
    return rows.map((row) => row.device_id);
  };

  /** The children of a gateway go offline with it. */
  const markOfflineWithChildren: typeof markOffline = async (deviceIds, reason, detail, upToConnNo) => {
    const offlineIds = await markOffline(deviceIds, reason, detail, upToConnNo);
    await markOffline(await childrenOf(offlineIds), 'gatewayLost', reason);
    return offlineIds;
  };

  return {
    recordOnline: (connection: DeviceConnection, sessionId: string, isOnlineReport: boolean): Promise<void> =>
      recordOnline(connection, sessionId, connection, null, isOnlineReport),
    recordChildOnline: (child: DeviceSession, gateway: DeviceConnection): Promise<void> =>
      recordOnline(child, child.sessionId, gateway, gateway.deviceId, true),
    recordOffline: (deviceId: string, reason: DisconnectReason, detail = '', upToConnNo?: number): Promise<string[]> =>
      markOfflineWithChildren([deviceId], reason, detail, upToConnNo),
    /** All devices of a zone, in batches. */
    async recordZoneOffline(zoneId: number, detail: string): Promise<number> {
      for (let count = 0; ; ) {
        const rows = await onlineIn(db, [zoneId]).limit(BATCH_SIZE).execute();
        if (rows.length === 0) return count;
        const ids = rows.map((row) => row.device_id);
        count += (await markOffline(ids, 'zoneLost', detail)).length;
      }
    },
    /** All devices of an application or tenant, in batches. */
    async recordManyOffline(
      column: 'application_id' | 'tenancy_id',
      ownerId: string,
      reason: DisconnectReason,
      upToConnNo: number,
      zoneIds: number[],
    ): Promise<string[]> {
      const offlineIds: string[] = [];
      let after = '';
      for (;;) {
        const rows = await onlineIn(db, zoneIds)
          .where(column, '=', ownerId)
          .where('device_id', '>', after)
          .orderBy('device_id')
          .limit(BATCH_SIZE)
          .execute();
        if (rows.length === 0) return offlineIds;
        after = rows.at(-1)?.device_id ?? '';
        offlineIds.push(
          ...(await markOffline(
            rows.map((row) => row.device_id),
            reason,
            '',
            upToConnNo,
          )),
        );
      }
    },
  };
};

export type ZonePresence = ReturnType<typeof createZonePresence>;
