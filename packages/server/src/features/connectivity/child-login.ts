import { type DeviceRequest, MOCK_CHILDREN_MAX, NodeType } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { DeviceLogin } from '../bucket/device-login.ts';
import type { ConnectionRegistry, DeviceConnection, DeviceSession } from './connection-registry.ts';
import { previousSessionIds, selectDeviceSessions, toDeviceSession } from './device-session.ts';
import type { ModelCache } from './model-cache.ts';
import type { Presence } from './presence.ts';
import type { UpgradeReports } from './upgrade-reports.ts';

export type ChildLoginDeps = {
  db: Db;
  secrets: SecretBox;
  models: ModelCache;
  connections: Pick<ConnectionRegistry, 'get' | 'attachChild' | 'detachChild'>;
  presence: Pick<Presence, 'childConnected' | 'childDisconnected' | 'whenOnline'>;
  deviceLogin: Pick<DeviceLogin, 'login'>;
  upgrades: Pick<UpgradeReports, 'versionReported' | 'deviceReconnected'>;
};

type ChildRequest = Extract<DeviceRequest, { type: 8 }>['body'];
type ChildLogin = Extract<ChildRequest, { op: 'login' }>['child'];

/** Replaces secrets in message records. */
export const REDACTED_SECRET = '***';
const CHILDREN_MAX = 1_000;

/** Handles a gateway's request to log a child in or out. Returns the response and its redacted form for the record. */
export const createChildLogin = (deps: ChildLoginDeps) => {
  const { db, secrets, models, connections, presence, deviceLogin, upgrades } = deps;

  const findChildSession = async ({
    deviceId,
    sessionId,
  }: {
    deviceId: string;
    sessionId: string;
  }): Promise<DeviceSession> => {
    const row = await selectDeviceSessions(db)
      .where('device.device_id', '=', deviceId)
      .where('device_session.session_id', '=', sessionId)
      .where('device_session.ended', '=', 0)
      .executeTakeFirst();
    if (!row) throw new AppError('TOKEN_INVALID');
    await models.prepare(row.product_id);
    return toDeviceSession(row, secrets, await previousSessionIds(db, deviceId));
  };

  const logInChild = async (connection: DeviceConnection, fields: ChildLogin) => {
    const gateway = { deviceId: connection.deviceId, tenancyId: connection.tenancyId };
    const answer = await deviceLogin.login(fields, { ip: connection.ip, gateway });
    const child = await findChildSession(answer);
    // The gateway may have disconnected meanwhile.
    if (connections.get(connection.deviceId) !== connection) throw new AppError('NOT_YOUR_CHILD');
    // A connection of the child's own is replaced: from now on it communicates through its gateway.
    connections.get(child.deviceId)?.client.disconnect('replaced', `behind the gateway ${connection.deviceId}`);
    connections.attachChild(connection, child);
    const online = presence.childConnected(child, connection);
    if (fields.versionNumber) await upgrades.versionReported(child, fields.versionNumber);
    await upgrades.deviceReconnected(child);
    // Presence must be committed first: a client that sees the response may send the child a command immediately.
    await online;
    const { deviceId, token, expireIn, sessionId, deviceSecret } = answer;
    return { deviceId, token, expireIn, sessionId, ...(deviceSecret ? { deviceSecret } : {}) };
  };

  const handleLogin = async (connection: DeviceConnection, fields: ChildLogin) => {
    if (connection.nodeType !== NodeType.gateway) throw new AppError('NOT_A_GATEWAY');
    const max = connection.mock === 1 ? MOCK_CHILDREN_MAX : CHILDREN_MAX;
    const childIds = new Set([...connection.children.keys(), ...connection.pendingChildren, fields.deviceId]);
    if (childIds.size > max) throw new AppError('NOT_A_GATEWAY');
    connection.pendingChildren.add(fields.deviceId);
    try {
      return await logInChild(connection, fields);
    } finally {
      connection.pendingChildren.delete(fields.deviceId);
    }
  };

  return async (connection: DeviceConnection, request: ChildRequest): Promise<[answer: object, redacted: object]> => {
    if (request.op === 'login') {
      const answer = await handleLogin(connection, request.child);
      return [
        answer,
        { ...answer, token: REDACTED_SECRET, ...(answer.deviceSecret ? { deviceSecret: REDACTED_SECRET } : {}) },
      ];
    }
    if (!connection.children.has(request.deviceId)) throw new AppError('NOT_YOUR_CHILD');
    const child = connections.detachChild(request.deviceId);
    if (child) presence.childDisconnected(child, connection, 'byDevice');
    return [{ deviceId: request.deviceId }, { deviceId: request.deviceId }];
  };
};
