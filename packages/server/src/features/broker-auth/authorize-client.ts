import { timingSafeEqual } from 'node:crypto';
import { downTopic, ServerType, upTopic, ZoneType } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { hasToken, tokenEndsAt } from '../../db/device-tokens.ts';
import { tryNodeSecrets } from '../../db/zone-nodes.ts';
import { digest } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { denialReason, selectDeviceSessions } from '../connectivity/device-session.ts';

/** The hub's own rule of who may speak, as the door of its gateway has it. */
export type Speakers = { select: typeof selectDeviceSessions; denialReason: typeof denialReason };
export type JudgeDeps = { db: Db; secrets: Pick<SecretBox, 'open'>; speakers: Speakers };

/** Topics as a broker asks about them: as they are, or in the words of another protocol. */
type Notation = (topic: string) => string;

const SHARED = /^\$(?:share|queue)\/(?:[^/]+\/)?/;

const alike = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));

/** Who may connect to a zone's broker, and what each may do there. */
export const createClientJudge = ({ db, secrets, speakers }: JudgeDeps) => {
  const isDeviceWithToken = async (deviceId: string, token: string): Promise<boolean> => {
    const hash = digest(token);
    const row = await speakers
      .select(db)
      .where('device.device_id', '=', deviceId)
      .where(hasToken(hash))
      .executeTakeFirst();
    // A child speaks through its gateway.
    if (row?.gateway_id !== '' || speakers.denialReason(row)) return false;
    return tokenEndsAt(row, hash) > Date.now();
  };

  const nodesOf = (username: string) =>
    db
      .selectFrom('zone_node')
      .innerJoin('zone', 'zone.zone_id', 'zone_node.zone_id')
      .select(['zone_node.password_sealed', 'zone_node.api_key_sealed', 'zone_node.certificate_sealed'])
      .select(['zone_node.node_id', 'zone.route_key'])
      .where('zone_node.username', '=', username)
      .where('zone_node.username', '!=', '')
      .where('zone_node.server_type', '=', ServerType.mqtt)
      .where('zone.zone_type', '=', ZoneType.inner)
      .where('zone.status', '=', 1)
      .execute();

  const deviceOf = (deviceId: string) =>
    db
      .selectFrom('device')
      .innerJoin('zone', 'zone.zone_id', 'device.zone_id')
      .select(['device.device_id', 'device.product_id', 'device.tenancy_id', 'zone.route_key'])
      .where('device.device_id', '=', deviceId)
      .executeTakeFirst();

  /** The account that the hub itself comes with. */
  const isNodeAccount = async (username: string, password: string): Promise<boolean> => {
    if (password === '') return false;
    const nodes = await nodesOf(username);
    return nodes.some((node) => alike(tryNodeSecrets(secrets, node).opened.password, password));
  };

  const topicsOf = async (deviceId: string) => {
    const device = await deviceOf(deviceId);
    if (!device) return undefined;
    const { route_key: routeKey, tenancy_id: tenancyId, product_id: productId } = device;
    const owner = { routeKey, tenancyId, productId, deviceId };
    return { up: upTopic(owner), down: downTopic(owner) };
  };

  return {
    /** `clientId`: where the broker tells it. A device's is its own name, and the hub's never is its account. */
    async mayConnect(clientId: string | undefined, username: string, password: string): Promise<boolean> {
      if (username === '' || password === '') return false;
      const asDevice = clientId === undefined || clientId === username;
      if (asDevice && (await isDeviceWithToken(username, password))) return true;
      return clientId !== username && (await isNodeAccount(username, password));
    },

    async isKnown(username: string): Promise<boolean> {
      return (await deviceOf(username)) !== undefined || (await nodesOf(username)).length > 0;
    },

    isDevice: async (username: string): Promise<boolean> => (await deviceOf(username)) !== undefined,

    /** A device speaks on its own topic and hears its own; the hub's account has all of its zone's. */
    async mayUse(
      clientId: string | undefined,
      username: string,
      action: 'publish' | 'subscribe',
      asked: string,
      notation: Notation = (topic) => topic,
    ): Promise<boolean> {
      const own = clientId === undefined || clientId === username ? await topicsOf(username) : undefined;
      if (own) return asked === notation(action === 'publish' ? own.up : own.down);
      if (clientId === username) return false;
      const topic = asked.replace(SHARED, '');
      const nodes = await nodesOf(username);
      return nodes.some((node) => topic.startsWith(notation(`${node.route_key}/`)));
    },
  };
};
