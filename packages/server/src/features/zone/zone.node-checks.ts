import { ZoneType } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { nodeAccess, type ZoneNodeRow } from '../../domain/zone/nodes.ts';
import type { Log } from '../../platform/log.ts';
import { type NodeFailure, toNodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { requestHttpNode } from './zone.node-request.ts';

type Deps = { db: Db; secrets: Pick<SecretBox, 'open'>; outbound: Pick<Outbound, 'requestHttp'>; log: Log };

const CHECK_EVERY_MS = 30_000;
const CHECK_BATCH = 20;

/** The hub has no permanent connection to other platforms: it checks them periodically, and the zone page shows it. */
export const createNodeChecks = ({ db, secrets, outbound, log }: Deps) => {
  const readDue = (now: number): Promise<ZoneNodeRow[]> =>
    db
      .selectFrom('zone_node')
      .innerJoin('zone', 'zone.zone_id', 'zone_node.zone_id')
      .leftJoin('zone_node_check', 'zone_node_check.node_id', 'zone_node.node_id')
      .selectAll('zone_node')
      .where('zone.zone_type', '=', ZoneType.outer)
      .where('zone.status', '=', 1)
      .where(({ or, eb }) =>
        or([
          eb('zone_node_check.checked_at', 'is', null),
          eb('zone_node_check.checked_at', '<=', now - CHECK_EVERY_MS),
        ]),
      )
      .orderBy(({ fn, val }) => fn.coalesce('zone_node_check.checked_at', val(0)))
      .orderBy('zone_node.node_id')
      .limit(CHECK_BATCH)
      .execute();

  const check = async (row: ZoneNodeRow): Promise<NodeFailure | undefined> => {
    const { address, ...secretsOfNode } = nodeAccess(secrets, row);
    const node = { ...secretsOfNode, username: row.username, zoneId: row.bucket_zone_id };
    let target = { host: row.bucket_url, port: 0 };
    try {
      const found = address();
      target = found;
      await requestHttpNode(outbound, { ...node, address: found });
      return undefined;
    } catch (error) {
      return toNodeFailure(error, target);
    }
  };

  const write = async ({ node_id }: ZoneNodeRow, failure: NodeFailure | undefined): Promise<void> => {
    const now = Date.now();
    const result = { problem: failure?.problem ?? '', detail: JSON.stringify(failure?.params ?? {}), checked_at: now };
    await db
      .insertInto('zone_node_check')
      .values({ node_id, ...result, since: now })
      .onConflict((conflict) =>
        conflict.column('node_id').doUpdateSet({
          ...result,
          // Changes only when the node goes up or down.
          since: sql<number>`case when (zone_node_check.problem = '') = (excluded.problem = '')
            then zone_node_check.since else excluded.since end`,
        }),
      )
      .execute();
  };

  return {
    /** Sequentially, because a host name that cannot be resolved occupies a thread for seconds. */
    async run(): Promise<void> {
      for (const row of await readDue(Date.now())) {
        const failure = await check(row);
        // The node may have been deleted meanwhile.
        await write(row, failure).catch((error: unknown) =>
          log.warn({ err: error, nodeId: row.node_id }, 'node check not stored'),
        );
      }
    },
  };
};
