import { ServerType, ZoneType } from '@device-center/contract';
import type { Db } from '../../../db/connect.ts';
import { type NodeSecrets, nodeAccess } from '../../../domain/zone/nodes.ts';
import type { NodeAddress } from '../../../platform/outbound/node-address.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';

export type BrokerNode = {
  nodeId: string;
  /** As configured, for error messages. */
  hostName: string;
  port: number;
  address: () => NodeAddress;
  username: string;
} & Pick<NodeSecrets, 'password' | 'certificate'>;

/** A zone whose broker this hub subscribes to. */
export type LinkedZone = { zoneId: number; routeKey: string; revision: number; nodes: BrokerNode[] };

/** All enabled zones with MQTT nodes of their own. Devices of other zones connect to the hub's MQTT server. */
export const readLinkedZones = async (db: Db, secrets: SecretBox): Promise<LinkedZone[]> => {
  const zones = await db
    .selectFrom('zone')
    .select(['zone_id', 'route_key', 'revision'])
    .where('zone_type', '=', ZoneType.inner)
    .where('status', '=', 1)
    .execute();
  if (zones.length === 0) return [];
  const nodes = await db
    .selectFrom('zone_node')
    .selectAll()
    .where(
      'zone_id',
      'in',
      zones.map((zone) => zone.zone_id),
    )
    .where('server_type', '=', ServerType.mqtt)
    .orderBy('node_index')
    .execute();
  return zones.flatMap(({ zone_id, route_key, revision }) => {
    const own = nodes.filter((node) => node.zone_id === zone_id);
    if (own.length === 0) return [];
    return {
      zoneId: zone_id,
      routeKey: route_key,
      revision,
      nodes: own.map((node) => ({
        nodeId: node.node_id,
        hostName: node.host_name,
        port: node.port,
        username: node.username,
        ...nodeAccess(secrets, node),
      })),
    };
  });
};
