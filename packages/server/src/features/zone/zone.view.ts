import {
  type CertificateInfo,
  downTopic,
  type Input,
  type Language,
  mayUse,
  type NodeProblem,
  nodeProblemTexts,
  type Output,
  upTopic,
  ZoneType,
  type zoneCalls,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import type { ZoneTable } from '../../db/hub-tables.ts';
import { readPage } from '../../db/paging.ts';
import { storedJson } from '../../db/stored.ts';
import type { ZoneNodeRow } from '../../domain/zone/nodes.ts';
import { findZoneListener, zoneNameIn } from '../../domain/zone/zones.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { inUrl } from '../../platform/in-url.ts';
import { type NodeParams, nodeProblemText } from '../../platform/outbound/node-failure.ts';
import { iso } from '../../platform/time.ts';
import { describeScope } from './zone.tenancies.ts';

type Calls = typeof zoneCalls;
type Zone = Selectable<ZoneTable>;
type Details = Output<Calls['getZoneDetail']>;
type NodeState = Pick<Details['nodes'][number], 'state' | 'problem' | 'message' | 'since'>;

const UNUSED: NodeState = { state: 'unused', problem: null, message: '', since: null };
/** With several hubs the worst state is shown. */
const WORST = ['failed', 'connecting', 'connected'] as const;

const isProblem = (code: string): code is NodeProblem => Object.hasOwn(nodeProblemTexts, code);

/** The parameters of a problem: JSON, or plain text that becomes the parameter `reason`. */
const paramsOf = (detail: string): NodeParams => {
  try {
    const read: unknown = JSON.parse(detail);
    return typeof read === 'object' && read !== null ? (read as NodeParams) : { reason: detail };
  } catch {
    return { reason: detail };
  }
};

/** The connection states of the live hubs, by node. */
const connectionsOf = (db: Db, zoneIds: number[]) =>
  db
    .selectFrom('zone_link')
    .innerJoin('zone_node', 'zone_node.node_id', 'zone_link.node_id')
    .innerJoin('hub_instance', 'hub_instance.hub_no', 'zone_link.hub_no')
    .select(['zone_link.node_id', 'zone_node.zone_id', 'zone_link.state', 'zone_link.problem'])
    .select(['zone_link.detail', 'zone_link.since'])
    .where('zone_node.zone_id', 'in', [0, ...zoneIds])
    .where('hub_instance.lease_until', '>', databaseTime(db))
    .orderBy('zone_link.since')
    .execute();

/** The last check results of other platforms, which are the same for every hub. */
const checksOf = async (db: Db, zoneIds: number[]) => {
  const rows = await db
    .selectFrom('zone_node_check')
    .innerJoin('zone_node', 'zone_node.node_id', 'zone_node_check.node_id')
    .innerJoin('zone', 'zone.zone_id', 'zone_node.zone_id')
    .select(['zone_node.node_id', 'zone_node.zone_id'])
    .select(['zone_node_check.problem', 'zone_node_check.detail', 'zone_node_check.since'])
    .where('zone_node.zone_id', 'in', [0, ...zoneIds])
    .where('zone.zone_type', '=', ZoneType.outer)
    .where('zone.status', '=', 1)
    .execute();
  return rows.map((row) => ({ ...row, state: row.problem === '' ? ('connected' as const) : ('failed' as const) }));
};

const statesOf = async (db: Db, zoneIds: number[]) => [
  ...(await connectionsOf(db, zoneIds)),
  ...(await checksOf(db, zoneIds)),
];

type NodeStateRow = Awaited<ReturnType<typeof statesOf>>[number];

const stateOf = (language: Language, rows: NodeStateRow[]): NodeState => {
  const worst = WORST.map((state) => rows.find((row) => row.state === state)).find((row) => row !== undefined);
  if (!worst) return UNUSED;
  const problem = isProblem(worst.problem) ? worst.problem : null;
  const message = problem ? nodeProblemText(problem, paramsOf(worst.detail), language) : '';
  return { state: worst.state, problem, message, since: iso(worst.since) };
};

const countsOf = async (db: Db, zoneIds: number[]) => {
  const ids = [0, ...zoneIds];
  const count = (table: 'zone_node' | 'device') =>
    db
      .selectFrom(table)
      .select(['zone_id', ({ fn }) => fn.countAll<number>().as('n')])
      .where('zone_id', 'in', ids)
      .groupBy('zone_id')
      .execute();
  const [nodes, devices] = [await count('zone_node'), await count('device')];
  const failed = (await statesOf(db, zoneIds)).filter(({ state }) => state === 'failed');
  return (zoneId: number) => ({
    nums: Number(nodes.find((row) => row.zone_id === zoneId)?.n ?? 0),
    deviceCount: Number(devices.find((row) => row.zone_id === zoneId)?.n ?? 0),
    nodesDown: new Set(failed.filter((row) => row.zone_id === zoneId).map((row) => row.node_id)).size,
  });
};

const toRow = (language: Language, zone: Zone) => ({
  id: zone.zone_id,
  zoneName: zoneNameIn(language, zone),
  status: zone.status,
  zoneType: zone.zone_type,
  routeKey: zone.route_key,
  address: zone.address,
  isSyncModel: zone.is_sync_model,
  builtin: zone.builtin,
  createTime: iso(zone.created_at),
  updateTime: iso(zone.updated_at),
});

export const attributesOf = (row: Pick<ZoneNodeRow, 'node_id' | 'certificate_facts'>) =>
  storedJson<CertificateInfo>(row.certificate_facts, 'zone_node', row.node_id);

const toNode = (row: ZoneNodeRow, state: NodeState): Details['nodes'][number] => ({
  nodeId: row.node_id,
  index: row.node_index,
  hostName: row.host_name,
  port: row.port,
  serverType: row.server_type,
  username: row.username,
  tls: row.tls,
  bucketUrl: row.bucket_url,
  bucketZoneId: row.bucket_zone_id,
  hasPassword: row.password_sealed === '' ? 0 : 1,
  hasApiKey: row.api_key_sealed === '' ? 0 : 1,
  certificate: row.certificate_facts === '' ? null : attributesOf(row),
  ...state,
});

export const findZone = async (db: Db, zoneId: number): Promise<Zone> => {
  const zone = await db.selectFrom('zone').selectAll().where('zone_id', '=', zoneId).executeTakeFirst();
  if (!zone) throw new AppError('ZONE_NOT_FOUND', {}, 'id');
  return zone;
};

export const findNodes = (db: Db, zoneId: number): Promise<ZoneNodeRow[]> =>
  db.selectFrom('zone_node').selectAll().where('zone_id', '=', zoneId).orderBy('node_index').execute();

/** The address that devices of the zone get; '' where they use the hub's own listener. */
const deviceAddressOf = async (db: Db, zoneId: number): Promise<string> => {
  const listener = await findZoneListener(db, zoneId);
  return listener ? `${listener.tls ? 'mqtts' : 'mqtt'}://${inUrl(listener.host)}:${listener.port}` : '';
};

/** The calls that read zones: completely for platform operators, only names for tenants that place devices. */
export const createZoneView = ({ db }: { db: Db }) => ({
  async queryZoneList(
    { language, actor }: Context,
    input: Input<Calls['queryZoneList']>,
  ): Promise<Output<Calls['queryZoneList']>> {
    let rows = db.selectFrom('zone').selectAll();
    // Zones belong to the platform; a tenant sees those where it may place a device.
    if (!actor.platform) rows = rows.where('status', '=', 1).where('zone_type', '=', ZoneType.inner);
    if (input.zoneName) {
      // Matches the displayed name, which depends on the language. Zones are few.
      const text = foldCase(input.zoneName);
      const named = (await rows.execute()).filter((row) => foldCase(zoneNameIn(language, row)).includes(text));
      rows = rows.where('zone_id', 'in', [0, ...named.map((row) => row.zone_id)]);
    }
    if (input.status !== undefined) rows = rows.where('status', '=', input.status);
    if (input.zoneType !== undefined) rows = rows.where('zone_type', '=', input.zoneType);
    const order = { createdAt: 'created_at', updatedAt: 'updated_at', unique: 'zone_id' };
    const page = await readPage(db, { rows, ...order }, input);
    if (!actor.platform || !mayUse('zone:read', actor.menus)) {
      const list = page.list.map((zone) => ({
        id: zone.zone_id,
        zoneName: zoneNameIn(language, zone),
        status: zone.status,
      }));
      return { ...page, list };
    }
    const counts = await countsOf(
      db,
      page.list.map((zone) => zone.zone_id),
    );
    return { ...page, list: page.list.map((zone) => ({ ...toRow(language, zone), ...counts(zone.zone_id) })) };
  },

  async getZoneDetail({ language }: Context, { id }: Input<Calls['getZoneDetail']>): Promise<Details> {
    const zone = await findZone(db, id);
    const nodes = await findNodes(db, id);
    const states = await statesOf(db, [id]);
    const counts = await countsOf(db, [id]);
    const placeholders = { tenancyId: '{tenancyId}', productId: '{productId}', deviceId: '{deviceId}' };
    const owner = { routeKey: zone.route_key, ...placeholders };
    return {
      ...toRow(language, zone),
      ...counts(id),
      deviceAddress: await deviceAddressOf(db, id),
      ...(await describeScope(db, id, language)),
      topics: { up: upTopic(owner), down: downTopic(owner) },
      nodes: nodes.map((node) =>
        toNode(
          node,
          stateOf(
            language,
            states.filter((row) => row.node_id === node.node_id),
          ),
        ),
      ),
    };
  },
});
