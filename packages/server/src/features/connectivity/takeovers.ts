import type { Db } from '../../db/connect.ts';
import type { ConnectionRegistry, DeviceSession } from './connection-registry.ts';
import type { Presence } from './presence.ts';

type MovedDeps = {
  db: Db;
  hubNo: number;
  peers: ConnectionRegistry;
  presence: () => Pick<Presence, 'childDisconnected'>;
};

const AT_ONCE = 500;
const DETAIL = 'by a connection at another hub';

/** A device has one connection, whichever hub it is at: when it has come to another one, it is cut here. */
export const createMoved = ({ db, hubNo, peers, presence }: MovedDeps) => {
  const cutHere = (deviceId: string, appliesTo: (connNo: number) => boolean): void => {
    const peer = peers.get(deviceId);
    if (peer && appliesTo(peer.connNo)) peer.connection.cut('replaced', DETAIL);
    const gateway = peers.gatewayOf(deviceId);
    const child = gateway?.children.get(deviceId);
    if (!gateway || !child || !appliesTo(child.connNo)) return;
    peers.unmount(deviceId);
    presence().childDisconnected(child, gateway, 'replaced');
  };

  return {
    /** This connection was late: a newer one is known already. */
    overtaken: ({ deviceId, connNo }: DeviceSession): void => cutHere(deviceId, (here) => here === connNo),

    async look(): Promise<void> {
      for (;;) {
        const rows = await db
          .selectFrom('connection_moved')
          .select(['device_id', 'conn_no'])
          .where('hub_no', '=', hubNo)
          .orderBy('device_id')
          .limit(AT_ONCE)
          .execute();
        for (const { device_id, conn_no } of rows) {
          cutHere(device_id, (here) => here < conn_no);
          await db
            .deleteFrom('connection_moved')
            .where('hub_no', '=', hubNo)
            .where('device_id', '=', device_id)
            .where('conn_no', '=', conn_no)
            .execute();
        }
        if (rows.length < AT_ONCE) return;
      }
    },

    /** Of hubs that are no more. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('connection_moved')
        .where('hub_no', 'not in', db.selectFrom('hub_instance').select('hub_no'))
        .execute();
    },
  };
};
