import type { Db } from '../../db/connect.ts';

type Coming = {
  at: number;
  connNo: number;
  /** The hub that has the connection; 0 where a zone's broker has it. */
  hubNo: number;
  linkZoneId: number;
  ip: string;
  transport: string;
  /** The gateway that it is behind from now on; null leaves that as it is. */
  parentId: string | null;
};

/** Over an earlier connection only; whoever asks adds what else must hold. */
export const comingOnline = (db: Db, deviceId: string, coming: Coming) =>
  db
    .updateTable('device')
    .set((row) => ({
      online: 1 as const,
      presence_at: coming.at,
      hub_no: coming.hubNo,
      link_zone_id: coming.linkZoneId,
      conn_no: coming.connNo,
      ip: coming.ip,
      transport: coming.transport,
      first_connect_at: row
        .case()
        .when('first_connect_at', '=', 0)
        .then(coming.at)
        .else(row.ref('first_connect_at'))
        .end(),
      ...(coming.parentId === null ? {} : { parent_id: coming.parentId }),
    }))
    .where('device_id', '=', deviceId)
    .where('conn_no', '<', coming.connNo);
