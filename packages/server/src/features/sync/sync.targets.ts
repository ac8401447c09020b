import { ZoneType } from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { ZoneTable } from '../../db/hub-tables.ts';
import { type NodeSecrets, nodeAccess, nodeKindOf, type ZoneNodeRow } from '../../domain/zone/nodes.ts';
import { readZoneScopes, type ZoneScope } from '../../domain/zone/scope.ts';
import { digest } from '../../platform/ids.ts';
import type { NodeAddress } from '../../platform/outbound/node-address.ts';
import type { SecretBox } from '../../platform/secret-box.ts';

export type SyncNode = NodeSecrets & {
  nodeId: string;
  kind: 'http' | 'mqtt';
  /** The displayed name. */
  name: string;
  address: () => NodeAddress;
  /** The zone's number at the receiver; undefined for an inner node. */
  zoneId: number | undefined;
  username: string;
};

export type SyncTarget = {
  zone: Selectable<ZoneTable>;
  nodes: SyncNode[];
  /** Changes with the nodes, because new nodes have none of the delivered items. */
  nodesHash: string;
  /** The tenants that are synchronised, and their stored form. */
  scope: ZoneScope;
  scopeKey: string;
};

const nodeOf = (secrets: Pick<SecretBox, 'open'>, row: ZoneNodeRow): SyncNode => ({
  ...nodeAccess(secrets, row),
  nodeId: row.node_id,
  kind: nodeKindOf(row),
  name: row.bucket_url === '' ? `${row.host_name}:${row.port}` : row.bucket_url,
  zoneId: row.bucket_url === '' ? undefined : row.bucket_zone_id,
  username: row.username,
});

const nodesHashOf = (zone: Selectable<ZoneTable>, rows: ZoneNodeRow[]): string =>
  digest(
    JSON.stringify([
      zone.zone_type === ZoneType.inner ? zone.route_key : '',
      rows.map((row) => [row.node_id, row.host_name, row.port, row.server_type, row.bucket_url, row.bucket_zone_id]),
    ]),
  );

/** The zones that have nodes, each with all its nodes. */
export const readTargets = async (db: Db, secrets: Pick<SecretBox, 'open'>, zoneId?: number): Promise<SyncTarget[]> => {
  let zones = db.selectFrom('zone').selectAll().orderBy('zone_id');
  let nodes = db.selectFrom('zone_node').selectAll().orderBy('zone_id').orderBy('node_index');
  if (zoneId !== undefined) {
    zones = zones.where('zone_id', '=', zoneId);
    nodes = nodes.where('zone_id', '=', zoneId);
  }
  const rows = await nodes.execute();
  if (rows.length === 0) return [];
  const scopes = await readZoneScopes(db, [...new Set(rows.map((row) => row.zone_id))]);
  return (await zones.execute()).flatMap((zone) => {
    const own = rows.filter((row) => row.zone_id === zone.zone_id);
    if (own.length === 0) return [];
    const scope = scopes.get(zone.zone_id);
    const nodes = own.map((row) => nodeOf(secrets, row));
    return [{ zone, nodes, nodesHash: nodesHashOf(zone, own), scope, scopeKey: scope?.join(' ') ?? 'all' }];
  });
};
