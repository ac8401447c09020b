import { type bucketCalls, downTopic, type Input, type Output, upTopic } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { findByToken } from '../../domain/device/tokens.ts';
import { findZoneListener } from '../../domain/zone/zones.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { DeviceLogin } from './device-login.ts';

type Calls = typeof bucketCalls;

type BucketDeps = {
  db: Db;
  deviceLogin: DeviceLogin;
  /** URLs of the hub's own listeners, as devices reach them. */
  listeners: (hostname: string) => { mqtt: URL; ws: URL };
};

const DEFAULT_PORTS = new Map([
  ['mqtt:', 1883],
  ['mqtts:', 8883],
  ['ws:', 80],
  ['wss:', 443],
]);

type BrokerAddress = Pick<Output<Calls['getConnectBucket']>, 'protocol' | 'host' | 'port' | 'path' | 'tls'>;

const ownAddress = (url: URL): BrokerAddress => ({
  protocol: url.protocol.slice(0, -1) as BrokerAddress['protocol'],
  host: url.hostname.replace(/^\[|\]$/g, ''),
  port: Number(url.port) || (DEFAULT_PORTS.get(url.protocol) ?? 0),
  path: url.protocol.startsWith('ws') ? url.pathname : '',
  tls: url.protocol === 'mqtts:' || url.protocol === 'wss:',
});

/** HTTP calls of devices before they connect. */
export const createBucketService = ({ db, deviceLogin, listeners }: BucketDeps) => {
  /** The broker of the device's zone if it has one; otherwise, and for browsers, the hub's own listener. */
  const addressFor = async (zoneId: number, hostname: string, transport: 'tcp' | 'ws'): Promise<BrokerAddress> => {
    const own = listeners(hostname);
    if (transport === 'ws') return ownAddress(own.ws);
    const zone = await findZoneListener(db, zoneId);
    if (!zone) return ownAddress(own.mqtt);
    return { protocol: zone.tls ? 'mqtts' : 'mqtt', ...zone, path: '' };
  };

  return {
    async loginDevice(
      { ip }: Context<Actor | null>,
      input: Input<Calls['loginDevice']>,
    ): Promise<Output<Calls['loginDevice']>> {
      const { token, expireIn, tenantId, sessionId, deviceSecret } = await deviceLogin.login(input, { ip });
      return { token, expireIn, tenantId, sessionId, ...(deviceSecret ? { deviceSecret } : {}) };
    },

    async getConnectBucket(
      { token, hostname }: Context<Actor | null>,
      { transport }: Input<Calls['getConnectBucket']>,
    ): Promise<Output<Calls['getConnectBucket']>> {
      const session = await findByToken(db, token);
      // A child connects through its gateway only.
      if (session.gateway_id !== '') throw new AppError('NOT_A_GATEWAY');
      const topicOwner = {
        routeKey: session.route_key,
        tenancyId: session.tenancy_id,
        productId: session.product_id,
        deviceId: session.device_id,
      };
      return {
        zoneId: session.zone_id,
        ...(await addressFor(session.zone_id, hostname, transport)),
        clientId: session.device_id,
        username: session.device_id,
        password: token,
        topics: { up: upTopic(topicOwner), down: downTopic(topicOwner) },
      };
    },
  };
};
