import type { Db } from '../../db/connect.ts';

type OnlineUpdate = {
  at: number;
  connNo: number;
  /** The hub that holds the connection; 0 for a connection to a zone broker. */
  hubNo: number;
  linkZoneId: number;
  ip: string;
  transport: string;
  /** The new gateway of a child; null leaves it unchanged. */
  parentId: string | null;
};

/** Marks the device online unless it has a newer connection. Callers add further conditions. */
export const markOnline = (db: Db, deviceId: string, update: OnlineUpdate) =>
  db
    .updateTable('device')
    .set((row) => ({
      online: 1 as const,
      presence_at: update.at,
      hub_no: update.hubNo,
      link_zone_id: update.linkZoneId,
      conn_no: update.connNo,
      ip: update.ip,
      transport: update.transport,
      first_connect_at: row
        .case()
        .when('first_connect_at', '=', 0)
        .then(update.at)
        .else(row.ref('first_connect_at'))
        .end(),
      ...(update.parentId === null ? {} : { parent_id: update.parentId }),
    }))
    .where('device_id', '=', deviceId)
    .where('conn_no', '<', update.connNo);
