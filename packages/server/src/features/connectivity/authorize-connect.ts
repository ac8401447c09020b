import { type DeviceCodeName, downTopic, upTopic } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { hasToken, tokenEndsAt } from '../../domain/device/tokens.ts';
import type { AuthorizeConnect, ClientHandle, ConnectRequest, DisconnectReason } from '../../mqtt/server-types.ts';
import { digest, nextSequenceId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Rejection } from '../../records/rejections.ts';
import type { ConnectionRegistry, DeviceConnection } from './connection-registry.ts';
import {
  type DeviceSessionRow,
  denialReason,
  nextConnNo,
  previousSessionIds,
  selectDeviceSessions,
  toDeviceSession,
} from './device-session.ts';
import type { ModelCache } from './model-cache.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Source } from './uplink.ts';

type ConnectAuthorizerDeps = {
  db: Db;
  secrets: SecretBox;
  connections: ConnectionRegistry;
  models: Pick<ModelCache, 'prepare'>;
  /** Number of instructions executed so far: a CONNECT authorized before a new one is authorized again. */
  instructionCount: () => number;
  log: Log;
  recordRejection: (rejection: Rejection) => void;
  rateLimits: Pick<RateLimits, 'of'>;
  handle: (topic: string, bytes: Buffer, source: Source, acknowledge: () => void) => void;
  connected: (connection: DeviceConnection) => void;
  disconnected: (connection: DeviceConnection, reason: DisconnectReason, detail: string) => void;
};

/** Why the device may not connect now; undefined when it may. */
const rejectionCause = (row: DeviceSessionRow, tokenHash: string): DeviceCodeName | undefined => {
  const forbidden = denialReason(row);
  if (forbidden) return forbidden;
  if (row.gateway_id !== '') return 'TOKEN_INVALID';
  return tokenEndsAt(row, tokenHash) <= Date.now() ? 'TOKEN_EXPIRED' : undefined;
};

/** Authorizes CONNECTs from the current database rows. */
export const createConnectAuthorizer = (deps: ConnectAuthorizerDeps): AuthorizeConnect => {
  const { db, secrets, connections, models, log } = deps;

  /** Includes ended sessions: a blacklisted device then gets BLACKLISTED instead of TOKEN_INVALID. */
  const findSession = (deviceId: string, tokenHash: string): Promise<DeviceSessionRow | undefined> =>
    selectDeviceSessions(db).where('device.device_id', '=', deviceId).where(hasToken(tokenHash)).executeTakeFirst();

  /** Records an invalid token of a known device. An unknown device has no page on which the record would appear. */
  const recordWrongToken = async (deviceId: string, ip: string, transport: string): Promise<void> => {
    const device = await db
      .selectFrom('device')
      .select(['tenancy_id', 'product_id'])
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    if (!device) return;
    const { tenancy_id: tenancyId, product_id: productId } = device;
    deps.recordRejection({ tenancyId, productId, deviceId, cause: 'TOKEN_INVALID', place: 'connect', ip, transport });
  };

  const authorize = async (
    request: ConnectRequest,
    client: ClientHandle,
    arrivalNo: number,
  ): ReturnType<AuthorizeConnect> => {
    const { clientId: deviceId, ip, transport } = request;
    const tokenHash = digest(request.password);
    const count = deps.instructionCount();
    const row = await findSession(deviceId, tokenHash);
    if (!row) {
      await recordWrongToken(deviceId, ip, transport);
      return { accepted: false, cause: 'TOKEN_INVALID' };
    }
    const cause = rejectionCause(row, tokenHash);
    if (cause) {
      const { tenancy_id: tenancyId, product_id: productId } = row;
      deps.recordRejection({ tenancyId, productId, deviceId, cause, place: 'connect', ip, transport });
      return { accepted: false, cause };
    }
    await models.prepare(row.product_id);
    const connNo = nextConnNo(row, arrivalNo);
    const session = toDeviceSession(row, secrets, await previousSessionIds(db, deviceId));
    const connection: DeviceConnection = {
      ...session,
      connNo,
      client,
      linkZoneId: 0,
      ip,
      transport,
      children: new Map(),
      pendingChildren: new Set(),
      lastRejectionAt: 0,
    };
    const topicOwner = { routeKey: row.route_key, tenancyId: row.tenancy_id, productId: row.product_id, deviceId };
    const topic = upTopic(topicOwner);
    const topics = { accepted: true, upTopic: topic, downTopic: downTopic(topicOwner) } as const;
    // The MQTT server rejects this will topic, so the device's existing connection must not be replaced.
    if (request.will && request.will.topic !== topic)
      return { ...topics, receive: () => undefined, closed: () => undefined };
    if (connections.isSuperseded(deviceId, arrivalNo, connNo)) return { accepted: false, cause: 'TOO_MANY' };
    if (count !== deps.instructionCount()) return authorize(request, client, arrivalNo);
    // The MQTT server accepts publishes on the connection's own topic only.
    const source: Source = { connectionFor: () => connection };
    connections.add(connection)?.client.disconnect('replaced', `by a connection from ${ip}`);
    deps.connected(connection);
    const rateLimit = deps.rateLimits.of(row.tenancy_id, deviceId);
    return {
      ...topics,
      rateLimit,
      onWill: (payload) => deps.handle(topic, payload, { ...source, isWill: true }, () => undefined),
      receive: (payload, _qos, acknowledge) => deps.handle(topic, payload, source, acknowledge),
      closed: (reason, detail) => {
        rateLimit.end();
        connections.remove(connection);
        deps.disconnected(connection, reason, detail);
      },
    };
  };

  return async (request, client) => {
    // Numbered on arrival, not when the rows are read: of two concurrent CONNECTs the later one wins.
    const connNo = nextSequenceId();
    connections.addPending(request.clientId, connNo);
    try {
      return await authorize(request, client, connNo);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'connect authorization failed');
      return { accepted: false, cause: isDatabaseUnavailable(error) ? 'AWAY' : 'FAULT' };
    } finally {
      connections.removePending(request.clientId, connNo);
    }
  };
};
