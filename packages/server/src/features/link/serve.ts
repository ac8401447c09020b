import {
  childRequest,
  type DeviceCodeWord,
  type DeviceConfig,
  deviceCodes,
  type Envelope,
  identity,
  MessageType,
  MOCK_CHILDREN_MAX,
  onlineRequest,
  refreshRequest,
  syncRequest,
} from '@device-center/contract';
import type { Updateable } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import { changedFactColumns } from '../../db/device-facts.ts';
import type { DeviceTable } from '../../db/device-tables.ts';
import { isDatabaseAway } from '../../db/faults.ts';
import { AppError } from '../../platform/app-error.ts';
import { digest, newToken } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { DeviceLogin } from '../bucket/device-login.ts';
import type { Downward } from './downward.ts';
import type { Models } from './models.ts';
import type { Peer, Peers, Speaker } from './peers.ts';
import type { Presence } from './presence.ts';
import { earlierSessionsOf, selectSpeakers, toSpeaker } from './speaker.ts';
import type { Upgrades } from './upgrades.ts';

export type ServeDeps = {
  db: Db;
  secrets: SecretBox;
  models: Models;
  peers: Pick<Peers, 'get' | 'mount' | 'unmount'>;
  presence: Pick<Presence, 'childConnected' | 'childDisconnected'>;
  downward: Downward;
  deviceLogin: Pick<DeviceLogin, 'login'>;
  upgrades: Pick<Upgrades, 'runs' | 'cameBack'>;
  tokenLifeMs: number;
  log: Log;
};

type Payload<Schema extends z.ZodType> = z.output<Schema>;

const OLD_TOKEN_MS = 60_000;
const GATEWAY = 2;
const CHILDREN_MAX = 1_000;
const SHOWN_SECRET = '***';

const configOf = (speaker: Speaker): DeviceConfig => ({
  loggerLevel: speaker.loggerLevel,
  realTimePushSwitch: speaker.realTimePush,
  haZoneId: speaker.zoneId,
});

/** The requests of devices that the hub answers itself. */
export const createServe = (deps: ServeDeps) => {
  const { db, secrets, models, peers, presence, downward, deviceLogin, upgrades, tokenLifeMs, log } = deps;

  const parse = <Schema extends z.ZodType>(schema: Schema, payload: string): Payload<Schema> => {
    try {
      return schema.parse(JSON.parse(payload));
    } catch {
      throw new AppError('MALFORMED');
    }
  };

  /** What it is now: written only where it differs, since every reconnect says it again. */
  const learn = async (speaker: Speaker, told: Payload<typeof identity>): Promise<void> => {
    const changed: Updateable<DeviceTable> = {
      ...(told.versionNumber && told.versionNumber !== speaker.versionNumber
        ? { version_number: told.versionNumber }
        : {}),
      ...(told.mac && told.mac !== speaker.mac ? changedFactColumns({ mac: told.mac }) : {}),
      ...(told.hardware ? { hardware: told.hardware } : {}),
      ...(told.sdk ? { sdk: told.sdk } : {}),
    };
    if (Object.keys(changed).length > 0) await write(speaker, changed);
    if (told.versionNumber) await upgrades.runs(speaker.deviceId, told.versionNumber);
  };

  const write = async (speaker: Speaker, changed: Updateable<DeviceTable>): Promise<void> => {
    await db
      .updateTable('device')
      .set({ ...changed, updated_at: Date.now() })
      .where('device_id', '=', speaker.deviceId)
      .execute();
    speaker.versionNumber = changed.version_number ?? speaker.versionNumber;
    speaker.mac = changed.mac ?? speaker.mac;
  };

  const online = async (speaker: Speaker, { payload }: Envelope): Promise<object> => {
    const told = parse(onlineRequest, payload);
    if (told.op === 'online') {
      await learn(speaker, told);
      await upgrades.cameBack(speaker.deviceId);
    }
    return {
      time: Date.now(),
      tokenExpireIn: Math.max(0, Math.floor((speaker.tokenExpiresAt - Date.now()) / 1_000)),
      modelVersion: models.of(speaker.productId).version,
      config: configOf(speaker),
    };
  };

  const refresh = async (speaker: Speaker, { payload }: Envelope): Promise<[object, object]> => {
    parse(refreshRequest, payload);
    const token = newToken();
    const now = Date.now();
    const next = { hash: digest(token), expiresAt: now + tokenLifeMs };
    const { numUpdatedRows } = await db
      .updateTable('device_session')
      .set((row) => ({
        old_token_hash: row.ref('token_hash'),
        old_expires_at: now + OLD_TOKEN_MS,
        token_hash: next.hash,
        expires_at: next.expiresAt,
      }))
      .where('session_id', '=', speaker.sessionId)
      .where('ended', '=', 0)
      .executeTakeFirst();
    // A log-in since then, or an operator, has ended this session.
    if (Number(numUpdatedRows) === 0) throw new AppError('TOKEN_INVALID');
    Object.assign(speaker, {
      oldTokenHash: speaker.tokenHash,
      oldTokenExpiresAt: now + OLD_TOKEN_MS,
      tokenHash: next.hash,
      tokenExpiresAt: next.expiresAt,
      knownToken: '',
    } satisfies Partial<Speaker>);
    const expireIn = Math.floor(tokenLifeMs / 1_000);
    return [
      { token, expireIn },
      { token: SHOWN_SECRET, expireIn },
    ];
  };

  type ChildLogin = Extract<Payload<typeof childRequest>, { op: 'login' }>['child'];

  const speakerOf = async ({ deviceId, sessionId }: { deviceId: string; sessionId: string }): Promise<Speaker> => {
    const row = await selectSpeakers(db)
      .where('device.device_id', '=', deviceId)
      .where('device_session.session_id', '=', sessionId)
      .where('device_session.ended', '=', 0)
      .executeTakeFirst();
    if (!row) throw new AppError('TOKEN_INVALID');
    await models.prepare(row.product_id);
    return toSpeaker(row, secrets, await earlierSessionsOf(db, deviceId));
  };

  const logChildIn = async (peer: Peer, fields: ChildLogin) => {
    const gateway = { deviceId: peer.deviceId, tenancyId: peer.tenancyId };
    const answer = await deviceLogin.login(fields, { ip: peer.ip, gateway });
    const child = await speakerOf(answer);
    // The gateway may have left meanwhile; then there is nobody to speak for the child.
    if (peers.get(peer.deviceId) !== peer) throw new AppError('NOT_YOUR_CHILD');
    // One that had a connection of its own speaks through its gateway from now on.
    peers.get(child.deviceId)?.connection.cut('replaced', `behind the gateway ${peer.deviceId}`);
    peers.mount(peer, child);
    presence.childConnected(child, peer);
    if (fields.versionNumber) await upgrades.runs(child.deviceId, fields.versionNumber);
    await upgrades.cameBack(child.deviceId);
    const { deviceId, token, expireIn, sessionId, deviceSecret } = answer;
    return { deviceId, token, expireIn, sessionId, ...(deviceSecret ? { deviceSecret } : {}) };
  };

  const mountChild = async (peer: Peer, fields: ChildLogin) => {
    if (peer.nodeType !== GATEWAY) throw new AppError('NOT_A_GATEWAY');
    const most = peer.mock === 1 ? MOCK_CHILDREN_MAX : CHILDREN_MAX;
    const places = new Set([...peer.children.keys(), ...peer.mounting, fields.deviceId]);
    if (places.size > most) throw new AppError('NOT_A_GATEWAY');
    peer.mounting.add(fields.deviceId);
    try {
      return await logChildIn(peer, fields);
    } finally {
      peer.mounting.delete(fields.deviceId);
    }
  };

  const child = async (peer: Peer, { payload }: Envelope): Promise<[object, object]> => {
    const told = parse(childRequest, payload);
    if (told.op === 'login') {
      const answer = await mountChild(peer, told.child);
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

  const sync = async (speaker: Speaker, { payload }: Envelope): Promise<object> => {
    const { ask } = parse(syncRequest, payload);
    const { version, functions } = models.of(speaker.productId);
    return {
      ...(ask.includes('time') ? { time: Date.now() } : {}),
      ...(ask.includes('model') ? { model: { version, functions: [...functions.values()] } } : {}),
      ...(ask.includes('config') ? { config: configOf(speaker) } : {}),
    };
  };

  /** The answer, and where that holds a secret, what its record shows. */
  const handle = async (peer: Peer, speaker: Speaker, envelope: Envelope): Promise<[object, object?]> => {
    switch (envelope.type) {
      case MessageType.login:
        return [await online(speaker, envelope)];
      case MessageType.identity:
        await learn(speaker, parse(identity, envelope.payload));
        return [{}];
      case MessageType.childLogin:
        if (speaker !== peer) throw new AppError('NOT_A_GATEWAY');
        return child(peer, envelope);
      case MessageType.refresh:
        return refresh(speaker, envelope);
      case MessageType.sync:
        return [await sync(speaker, envelope)];
      default:
        throw new AppError('TYPE');
    }
  };

  const refuse = (peer: Peer, speaker: Speaker, envelope: Envelope, error: unknown): void => {
    if (error instanceof AppError && error.code in deviceCodes) {
      downward.refuse(peer, speaker, envelope, error.code as DeviceCodeWord);
      return;
    }
    if (!isDatabaseAway(error)) log.error({ err: error, type: envelope.type }, 'a request of a device failed');
    downward.refuse(peer, speaker, envelope, isDatabaseAway(error) ? 'AWAY' : 'FAULT');
  };

  return (peer: Peer, speaker: Speaker, envelope: Envelope): void => {
    handle(peer, speaker, envelope).then(
      ([answer, shown]) => downward.answer(peer, speaker, envelope, answer, shown),
      (error: unknown) => refuse(peer, speaker, envelope, error),
    );
  };
};
