import { createHash } from 'node:crypto';
import type { Envelope } from '@device-center/contract';
import { expect } from 'vitest';
import { ask, signByHand } from './connectivity-fixtures.ts';
import { type Identity, loginFields, type RawDevice } from './raw-device.ts';

export type Child = Identity & { token: string; sessionId: string };

export const childLoginRequest = (who: Identity) => ({ type: 8, payload: { op: 'login', child: loginFields(who) } });

/** Logs a child in through its gateway; the answer goes to the gateway. */
export const loginChild = async (gateway: RawDevice, who: Identity): Promise<Child> => {
  const answer = await ask(gateway, childLoginRequest(who));
  expect([answer.code, answer.deviceId]).toEqual([200, gateway.deviceId]);
  const told = JSON.parse(answer.payload) as Child & { deviceSecret?: string };
  expect(told.deviceId).toBe(who.deviceId);
  return { ...who, token: told.token, sessionId: told.sessionId, secret: told.deviceSecret ?? who.secret };
};

const signedBy = (secret: string, { signature: _, ...fields }: Envelope): Envelope => {
  const { payload } = fields;
  const digest = payload === '' ? '' : createHash('sha256').update(payload).digest('hex');
  const named = Object.entries({ ...fields, payload: digest }).filter(([, value]) => value !== undefined);
  return { ...fields, signature: signByHand(Object.fromEntries(named), 'hmacsha256', secret) };
};

/** A child that sends through its gateway: its own id, session, token and signature on the gateway's connection. */
export const findDeviceSession = (gateway: RawDevice, { deviceId, token, sessionId, secret }: Child): RawDevice => ({
  ...gateway,
  deviceId,
  secret,
  seal: (sent) => signedBy(secret, gateway.seal({ deviceId, token, sessionId, ...sent })),
});
