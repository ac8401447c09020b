import { type Envelope, Flow, type SignMethod } from '@device-center/contract';
import { createEmitter, type Emitter } from './emitter.ts';
import { composeEnvelope, composeLogin } from './envelope.ts';
import { randomNonce } from './platform.ts';
import type { Credentials, DeviceEvents, Settings } from './types.ts';

export type Session = {
  sessionId: string;
  tenantId: string;
  token: string;
  /** On this device's clock. */
  expiresAt: number;
  nextDataId: number;
};

/** State of one protocol client: the device itself, or a child of the gateway. */
export type ClientState = {
  deviceId: string;
  signMethod: SignMethod;
  /** The device's own secret or, before the first login, its product's. */
  secret: string;
  info: Credentials;
  session: Session | null;
  /** Whether queued messages may be sent: the device is online, or the child is logged in. */
  ready: boolean;
  settings: Settings;
  events: Emitter<DeviceEvents>;
};

export const createClientState = (info: Credentials): ClientState => {
  const secret = info.secret ?? info.productSecret;
  if (!secret) throw new TypeError('secret or productSecret is required');
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

export const loginOf = (state: ClientState, timestamp: number) => {
  const { productId, deviceId, mac, deviceName, versionNumber } = state.info;
  const optional = { ...(mac && { mac }), ...(deviceName && { deviceName }), ...(versionNumber && { versionNumber }) };
  return composeLogin(state, { productId, deviceId, timestamp, nonce: randomNonce(), ...optional });
};

type Ids = Pick<Envelope, 'sessionId' | 'dataId' | 'timestamp'>;

const sessionOf = (state: ClientState): Session => {
  if (!state.session) throw new Error(`${state.deviceId} is not logged in`);
  return state.session;
};

/** Assigns the session's next `dataId` to a request. */
export const nextIds = (state: ClientState, timestamp: number): Ids => {
  const session = sessionOf(state);
  return { sessionId: session.sessionId, dataId: String(session.nextDataId++), timestamp };
};

/** Composes a request with the current token and a fresh signature; the ids may come from an earlier attempt. */
export const requestOf = (state: ClientState, ids: Ids, type: number, payload: string): Envelope => {
  const { tenantId, token } = sessionOf(state);
  return composeEnvelope(state, {
    ...ids,
    dataFlow: Flow.request,
    tenantId,
    token,
    type,
    deviceId: state.deviceId,
    payload,
  });
};

export const responseOf = (
  state: ClientState,
  request: Envelope,
  answer: { code: number; message?: string; payload: string },
  timestamp: number,
): Envelope => {
  const { tenantId, token, sessionId } = sessionOf(state);
  const { dataId, type, deviceId } = request;
  const ids = { dataFlow: Flow.response, sessionId, tenantId, token, dataId, type, deviceId, timestamp };
  return composeEnvelope(state, { ...ids, ...answer });
};
