import type { DisconnectReason } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { nextSequenceId } from '../../../platform/ids.ts';
import { connectedRow, disconnectedRow } from '../../../records/connects.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import type { Intake } from '../ingest.ts';
import { comingOnline } from '../mark-online.ts';

type ZonePresenceDeps = { db: Db; intake: Pick<Intake, 'addConnectionEvent'> };

/** `hub_no` of a device that is offline only because no hub heard its zone: it is asked once the zone is heard again. */
export const ZONE_LOST = -1;

/** Devices that are online on the brokers of these zones. */
export const onlineIn = (db: Db, zoneIds: number[]) =>
  db.selectFrom('device').select('device_id').where('link_zone_id', 'in', zoneIds).where('online', '=', 1);

const AT_ONCE = 500;
const TRANSPORT = 'broker';

/**
 * On a zone's broker nobody sees a connection: what devices say, and their wills, are the presence. Any hub may hear
 * it, so it is in the rows alone: whoever changes the row writes the record.
 */
export const createZonePresence = ({ db, intake }: ZonePresenceDeps) => {
  /**
   * `anew`: the device reports itself online; otherwise any message of a device that is not known to be online. A message
   * that was accepted before its session ended, and is stored after, does not bring the device online again.
   */
  const came = async (
    speaker: DeviceSession,
    sessionId: string,
    peer: DeviceConnection,
    parentId: string | null,
    anew: boolean,
  ): Promise<void> => {
    const at = Date.now();
    const connNo = nextSequenceId(at);
    const { linkZoneId } = peer;
    const coming = { at, connNo, hubNo: 0, linkZoneId, ip: '', transport: TRANSPORT, parentId };
    const { numUpdatedRows } = await comingOnline(db, speaker.deviceId, coming)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('device_session')
            .select('session_id')
            .where('session_id', '=', sessionId)
            .where('device_session.ended', '=', 0),
        ),
      )
      .$if(!anew, (rows) =>
        rows.where((row) => row.or([row('online', '!=', 1), row('link_zone_id', '!=', linkZoneId)])),
      )
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0) return;
    Object.assign(speaker, { connNo, connectedAt: at });
    intake.addConnectionEvent(connectedRow(speaker, coming, parentId));
  };

  /** Of these devices those go offline that are online on a broker; answers which. */
  const end = async (
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
      const seen = { at, ip: row.ip, transport: TRANSPORT };
      if (ids.has(row.deviceId)) intake.addConnectionEvent(disconnectedRow(row, seen, row.since, reason, detail));
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

  /** A child goes with its gateway. */
  const endWithChildren: typeof end = async (deviceIds, reason, detail, upToConnNo) => {
    const gone = await end(deviceIds, reason, detail, upToConnNo);
    await end(await childrenOf(gone), 'gatewayLost', reason);
    return gone;
  };

  return {
    came: (peer: DeviceConnection, sessionId: string, anew: boolean): Promise<void> =>
      came(peer, sessionId, peer, null, anew),
    childCame: (child: DeviceSession, gateway: DeviceConnection): Promise<void> =>
      came(child, child.sessionId, gateway, gateway.deviceId, true),
    went: (deviceId: string, reason: DisconnectReason, detail = '', upToConnNo?: number): Promise<string[]> =>
      endWithChildren([deviceId], reason, detail, upToConnNo),
    /** All of a zone, in pieces. */
    async zoneWent(zoneId: number, detail: string): Promise<number> {
      for (let all = 0; ; ) {
        const rows = await onlineIn(db, [zoneId]).limit(AT_ONCE).execute();
        if (rows.length === 0) return all;
        const ids = rows.map((row) => row.device_id);
        all += (await end(ids, 'zoneLost', detail)).length;
      }
    },
    /** Those of an application or tenant, in pieces. */
    async manyWent(
      column: 'application_id' | 'tenancy_id',
      ownerId: string,
      reason: DisconnectReason,
      upToConnNo: number,
      zoneIds: number[],
    ): Promise<string[]> {
      const gone: string[] = [];
      let after = '';
      for (;;) {
        const rows = await onlineIn(db, zoneIds)
          .where(column, '=', ownerId)
          .where('device_id', '>', after)
          .orderBy('device_id')
          .limit(AT_ONCE)
          .execute();
        if (rows.length === 0) return gone;
        after = rows.at(-1)?.device_id ?? '';
        gone.push(
          ...(await end(
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
