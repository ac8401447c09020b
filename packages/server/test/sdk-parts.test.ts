import {
  backoffDelay,
  composeEnvelope,
  composeLogin,
  DeviceError,
  defaultBackoff,
  isSignedBy,
  readEnvelope,
} from '@device-center/device-sdk';
import { describe, expect, it } from 'vitest';

const secret = 's3cr3t-of-device-0001';

describe('device signatures of the published vectors', () => {
  it.each([
    ['md5', '95a5c71011c5e46d1298ab398fa4d6da'],
    ['hmacsha256', 'a585cf2560da7e6d70ce15adc64dee8df66c26b3d46f1c630065996d70088002'],
  ] as const)('match for a login with %s', (signMethod, signature) => {
    const named = { productId: 'P1a2b3c4', deviceId: 'dev0001', deviceName: 'lamp', mac: '00:11:22:33:44:55' };
    const once = { timestamp: 1767225600000, nonce: '6f1e2d3c4b5a', versionNumber: '1.0.0' };
    expect(composeLogin({ secret, signMethod }, { ...named, ...once })).toMatchObject({ signMethod, signature });
  });

  const fields = {
    dataFlow: 0,
    dataId: '10000',
    deviceId: 'dev0001',
    payload: '{"properties":{"power":true}}',
    sessionId: 'S1',
    tenantId: '3',
    timestamp: 1767225600000,
    token: 'T1',
    type: 2,
  } as const;

  it.each([
    ['md5', '20c08c6048143db6b2536189e23171d2'],
    ['hmacsha256', '4b13c95d1e27d85acb27ab833a9ccd9e9d778c34255cd2f957d0263e273d1f23'],
  ] as const)('match for a message with %s', (signMethod, signature) => {
    expect(composeEnvelope({ secret, signMethod }, fields)).toMatchObject({ length: 29, version: '1.0.1', signature });
  });

  it('verify a message, unless it was modified', () => {
    const signer = { secret, signMethod: 'hmacsha256' } as const;
    const message = composeEnvelope(signer, { ...fields, payload: '{"text":"灯 😀"}' });
    const read = readEnvelope(JSON.stringify(message));
    expect(read).toEqual(message);
    expect(message.length).toBe(Buffer.byteLength(message.payload));
    expect(isSignedBy(signer, message)).toBe(true);
    expect(isSignedBy(signer, { ...message, dataId: '10001' })).toBe(false);
    expect(isSignedBy({ ...signer, secret: 'another' }, message)).toBe(false);
    expect(isSignedBy({ ...signer, signMethod: 'md5' }, message)).toBe(false);
  });

  it.each(['', 'null', '[]', '{', '{"dataFlow":0}'])('reject %j as a message', (text) => {
    expect(readEnvelope(text)).toBeNull();
  });
});

describe('the back-off delay', () => {
  const longest = (attempt: number) => backoffDelay(attempt, defaultBackoff, () => 1);
  it('doubles from a second to two minutes', () => {
    expect([0, 1, 2, 6, 7, 1_000].map(longest)).toEqual([1_000, 2_000, 4_000, 64_000, 120_000, 120_000]);
  });
  it('is random below that, so that a fleet reconnects spread over time', () => {
    expect(backoffDelay(3, defaultBackoff, () => 0)).toBe(0);
    expect(backoffDelay(3, defaultBackoff, () => 0.25)).toBe(2_000);
  });
});

it("gives a DeviceError its code and code name, also for a device's own code", () => {
  expect(new DeviceError('BUSY')).toMatchObject({ code: 60002, codeName: 'BUSY' });
  expect(new DeviceError(40301)).toMatchObject({ code: 40301, codeName: 'BLACKLISTED' });
  expect(new DeviceError(70001, 'lid open')).toMatchObject({ code: 70001, codeName: '70001', message: 'lid open' });
});
