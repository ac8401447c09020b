import { type Envelope, Flow, type SignMethod } from '@device-center/contract';
import { createEmitter, type Emitter } from './emitter.ts';
import { composeEnvelope, composeLogin } from './envelope.ts';
import { randomNonce } from './runtime.ts';
import type { Credentials, DeviceEvents, Settings } from './types.ts';

export type Session = {
  sessionId: string;
  tenantId: string;
  token: string;
  /** By this device's clock. */
  expiresAt: number;
  nextDataId: number;
};

/** One who speaks with a voice of its own: the device, or a child of the gateway. */
export type Unit = {
  deviceId: string;
  signMethod: SignMethod;
  /** Its own secret or, until it has one, its product's. */
  secret: string;
  info: Credentials;
  session: Session | null;
  /** Whether what waits may go out: online, or mounted. */
  ready: boolean;
  settings: Settings;
  events: Emitter<DeviceEvents>;
};

export const createUnit = (info: Credentials): Unit => {
  const secret = info.secret ?? info.productSecret;
  if (!secret) throw new TypeError('A device needs its secret, or the secret of its product.');
  return {
    deviceId: info.deviceId,
    signMethod: info.signMethod ?? 'hmacsha256',
    secret,
    info,
    session: null,
    ready: false,
    settings: { loggerLevel: 2, realTimePushSwitch: 0 },
    events: createEmitter(),
  };
};

export const loginOf = (unit: Unit, timestamp: number) => {
  const { productId, deviceId, mac, deviceName, versionNumber } = unit.info;
  const told = { ...(mac && { mac }), ...(deviceName && { deviceName }), ...(versionNumber && { versionNumber }) };
  return composeLogin(unit, { productId, deviceId, timestamp, nonce: randomNonce(), ...told });
};

type Ids = Pick<Envelope, 'sessionId' | 'dataId' | 'timestamp'>;

const sessionOf = (unit: Unit): Session => {
  if (!unit.session) throw new Error(`${unit.deviceId} has not logged in`);
  return unit.session;
};

/** A number of the session for a request that leaves now. */
export const nextIds = (unit: Unit, timestamp: number): Ids => {
  const session = sessionOf(unit);
  return { sessionId: session.sessionId, dataId: String(session.nextDataId++), timestamp };
};

/** Token and signature are of now, whatever the age of the ids. */
export const requestOf = (unit: Unit, ids: Ids, type: number, payload: string): Envelope => {
  const { tenantId, token } = sessionOf(unit);
  return composeEnvelope(unit, {
    ...ids,
    dataFlow: Flow.request,
    tenantId,
    token,
    type,
    deviceId: unit.deviceId,
    payload,
  });
};

export const responseOf = (
  unit: Unit,
  request: Envelope,
  answer: { code: number; message?: string; payload: string },
  timestamp: number,
): Envelope => {
  const { tenantId, token, sessionId } = sessionOf(unit);
  const { dataId, type, deviceId } = request;
  const ids = { dataFlow: Flow.response, sessionId, tenantId, token, dataId, type, deviceId, timestamp };
  return composeEnvelope(unit, { ...ids, ...answer });
};
