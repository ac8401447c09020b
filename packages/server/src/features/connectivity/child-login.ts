import { MOCK_CHILDREN_MAX, NodeType, type UpRequest } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { DeviceLogin } from '../bucket/device-login.ts';
import type { ConnectionRegistry, DeviceConnection, DeviceSession } from './connection-registry.ts';
import { previousSessionIds, selectSpeakers, toSpeaker } from './device-session.ts';
import type { Models } from './model-cache.ts';
import type { Presence } from './presence.ts';
import type { Upgrades } from './upgrade-reports.ts';

export type ServeChildDeps = {
  db: Db;
  secrets: SecretBox;
  models: Models;
  peers: Pick<ConnectionRegistry, 'get' | 'mount' | 'unmount'>;
  presence: Pick<Presence, 'childConnected' | 'childDisconnected' | 'whenOnline'>;
  deviceLogin: Pick<DeviceLogin, 'login'>;
  upgrades: Pick<Upgrades, 'runs' | 'deviceReconnected'>;
};

type ChildRequest = Extract<UpRequest, { type: 8 }>['said'];
type ChildLogin = Extract<ChildRequest, { op: 'login' }>['child'];

/** What a record shows in place of a secret. */
export const SHOWN_SECRET = '***';
const CHILDREN_MAX = 1_000;

/** A gateway logs a child in or out: the answer, and what its record shows. */
export const createServeChild = (deps: ServeChildDeps) => {
  const { db, secrets, models, peers, presence, deviceLogin, upgrades } = deps;

  const speakerOf = async ({
    deviceId,
    sessionId,
  }: {
    deviceId: string;
    sessionId: string;
  }): Promise<DeviceSession> => {
    const row = await selectSpeakers(db)
      .where('device.device_id', '=', deviceId)
      .where('device_session.session_id', '=', sessionId)
      .where('device_session.ended', '=', 0)
      .executeTakeFirst();
    if (!row) throw new AppError('TOKEN_INVALID');
    await models.prepare(row.product_id);
    return toSpeaker(row, secrets, await previousSessionIds(db, deviceId));
  };

  const logIn = async (peer: DeviceConnection, fields: ChildLogin) => {
    const gateway = { deviceId: peer.deviceId, tenancyId: peer.tenancyId };
    const answer = await deviceLogin.login(fields, { ip: peer.ip, gateway });
    const child = await speakerOf(answer);
    // The gateway may have left meanwhile; then there is nobody to speak for the child.
    if (peers.get(peer.deviceId) !== peer) throw new AppError('NOT_YOUR_CHILD');
    // One that had a connection of its own speaks through its gateway from now on.
    peers.get(child.deviceId)?.connection.cut('replaced', `behind the gateway ${peer.deviceId}`);
    peers.mount(peer, child);
    const online = presence.childConnected(child, peer);
    if (fields.versionNumber) await upgrades.runs(child, fields.versionNumber);
    await upgrades.deviceReconnected(child);
    // A client that sees the answer may send the child a command at once.
    await online;
    const { deviceId, token, expireIn, sessionId, deviceSecret } = answer;
    return { deviceId, token, expireIn, sessionId, ...(deviceSecret ? { deviceSecret } : {}) };
  };

  const mount = async (peer: DeviceConnection, fields: ChildLogin) => {
    if (peer.nodeType !== NodeType.gateway) throw new AppError('NOT_A_GATEWAY');
    const most = peer.mock === 1 ? MOCK_CHILDREN_MAX : CHILDREN_MAX;
    const places = new Set([...peer.children.keys(), ...peer.mounting, fields.deviceId]);
    if (places.size > most) throw new AppError('NOT_A_GATEWAY');
    peer.mounting.add(fields.deviceId);
    try {
      return await logIn(peer, fields);
    } finally {
      peer.mounting.delete(fields.deviceId);
    }
  };

  return async (peer: DeviceConnection, told: ChildRequest): Promise<[answer: object, shown: object]> => {
    if (told.op === 'login') {
      const answer = await mount(peer, told.child);
      return [
        answer,
        { ...answer, token: SHOWN_SECRET, ...(answer.deviceSecret ? { deviceSecret: SHOWN_SECRET } : {}) },
      ];
    }
    if (!peer.children.has(told.deviceId)) throw new AppError('NOT_YOUR_CHILD');
    const gone = peers.unmount(told.deviceId);
    if (gone) presence.childDisconnected(gone, peer, 'byDevice');
    return [{ deviceId: told.deviceId }, { deviceId: told.deviceId }];
  };
};
