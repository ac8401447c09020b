import type { Db } from '../../db/connect.ts';
import type { ConnectionRegistry, DeviceSession } from './connection-registry.ts';
import type { Presence } from './presence.ts';

type TakeoverDeps = {
  db: Db;
  hubNo: number;
  connections: ConnectionRegistry;
  presence: () => Pick<Presence, 'childDisconnected'>;
};

const BATCH_SIZE = 500;
const DETAIL = 'by a connection at another hub';

/** Disconnects devices that have a newer connection at another hub: a device has one connection across all hubs. */
export const createTakeovers = ({ db, hubNo, connections, presence }: TakeoverDeps) => {
  const disconnectHere = (deviceId: string, appliesTo: (connNo: number) => boolean): void => {
    const connection = connections.get(deviceId);
    if (connection && appliesTo(connection.connNo)) connection.client.disconnect('replaced', DETAIL);
    const gateway = connections.gatewayOf(deviceId);
    const child = gateway?.children.get(deviceId);
    if (!gateway || !child || !appliesTo(child.connNo)) return;
    connections.detachChild(deviceId);
    presence().childDisconnected(child, gateway, 'replaced');
  };

  return {
    /** Disconnects a connection for which a newer one is already recorded. */
    onSuperseded: ({ deviceId, connNo }: DeviceSession): void =>
      disconnectHere(deviceId, (localConnNo) => localConnNo === connNo),

    async poll(): Promise<void> {
      for (;;) {
        const rows = await db
          .selectFrom('connection_moved')
          .select(['device_id', 'conn_no'])
          .where('hub_no', '=', hubNo)
          .orderBy('device_id')
          .limit(BATCH_SIZE)
          .execute();
        for (const { device_id, conn_no } of rows) {
          disconnectHere(device_id, (localConnNo) => localConnNo < conn_no);
          await db
            .deleteFrom('connection_moved')
            .where('hub_no', '=', hubNo)
            .where('device_id', '=', device_id)
            .where('conn_no', '=', conn_no)
            .execute();
        }
        if (rows.length < BATCH_SIZE) return;
      }
    },

    /** Deletes the rows of hubs that no longer exist. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('connection_moved')
        .where('hub_no', 'not in', db.selectFrom('hub_instance').select('hub_no'))
        .execute();
    },
  };
};
