import { timingSafeEqual } from 'node:crypto';
import { downTopic, ServerType, upTopic, ZoneType } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { hasToken, tokenEndsAt } from '../../domain/device/tokens.ts';
import { tryNodeSecrets } from '../../domain/zone/nodes.ts';
import { digest } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { denialReason, selectDeviceSessions } from '../connectivity/device-session.ts';

/** The rules of the hub's own MQTT server for device sessions. */
export type SessionRules = { select: typeof selectDeviceSessions; denialReason: typeof denialReason };
export type ClientAuthorizerDeps = { db: Db; secrets: Pick<SecretBox, 'open'>; sessionRules: SessionRules };

/** Converts a topic to the notation of the broker's request. */
type Notation = (topic: string) => string;

const SHARED = /^\$(?:share|queue)\/(?:[^/]+\/)?/;

const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));

/** Decides which clients may connect to a zone broker and which topics they may use. */
export const createClientAuthorizer = ({ db, secrets, sessionRules }: ClientAuthorizerDeps) => {
  const isDeviceWithToken = async (deviceId: string, token: string): Promise<boolean> => {
    const hash = digest(token);
    const row = await sessionRules
      .select(db)
      .where('device.device_id', '=', deviceId)
      .where(hasToken(hash))
      .executeTakeFirst();
    // A child connects through its gateway only.
    if (row?.gateway_id !== '' || sessionRules.denialReason(row)) return false;
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

  /** Whether these are the credentials that the hub itself uses for a node. */
  const isNodeAccount = async (username: string, password: string): Promise<boolean> => {
    if (password === '') return false;
    const nodes = await nodesOf(username);
    return nodes.some((node) => isEqual(tryNodeSecrets(secrets, node).opened.password, password));
  };

  const topicsOf = async (deviceId: string) => {
    const device = await deviceOf(deviceId);
    if (!device) return undefined;
    const { route_key: routeKey, tenancy_id: tenancyId, product_id: productId } = device;
    const owner = { routeKey, tenancyId, productId, deviceId };
    return { up: upTopic(owner), down: downTopic(owner) };
  };

  return {
    /** `clientId` is undefined if the broker does not send it. A device's equals its user name; the hub's never does. */
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

    /** A device may use its own two topics; the hub's account may use all topics of its zone. */
    async mayUse(
      clientId: string | undefined,
      username: string,
      action: 'publish' | 'subscribe',
      requestedTopic: string,
      notation: Notation = (topic) => topic,
    ): Promise<boolean> {
      const own = clientId === undefined || clientId === username ? await topicsOf(username) : undefined;
      if (own) return requestedTopic === notation(action === 'publish' ? own.up : own.down);
      if (clientId === username) return false;
      const topic = requestedTopic.replace(SHARED, '');
      const nodes = await nodesOf(username);
      return nodes.some((node) => topic.startsWith(notation(`${node.route_key}/`)));
    },
  };
};
