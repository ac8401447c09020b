import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hashes, signLogin, signMessage } from './signature.ts';

const hashes: Hashes = {
  md5: (text) => createHash('md5').update(text).digest('hex'),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (secret, text) => createHmac('sha256', secret).update(text).digest('hex'),
};

const SECRET = 's3cr3t-of-device-0001';

describe('signatures, by the published vectors', () => {
  const login = {
    versionNumber: '1.0.0',
    deviceId: 'dev0001',
    deviceName: 'lamp',
    mac: '00:11:22:33:44:55',
    nonce: '6f1e2d3c4b5a',
    productId: 'P1a2b3c4',
    timestamp: 1767225600000,
  };
  it.each([
    ['md5', '95a5c71011c5e46d1298ab398fa4d6da'],
    ['hmacsha256', 'a585cf2560da7e6d70ce15adc64dee8df66c26b3d46f1c630065996d70088002'],
  ] as const)('of a log-in with %s', (signMethod, expected) => {
    expect(signLogin(hashes, signMethod, SECRET, { ...login, signMethod })).toBe(expected);
  });

  const message = {
    dataFlow: 0,
    dataId: '10000',
    deviceId: 'dev0001',
    length: 29,
    payload: '{"properties":{"power":true}}',
    sessionId: 'S1',
    tenantId: '3',
    timestamp: 1767225600000,
    token: 'T1',
    type: 2,
    version: '1.0.1',
  };
  // Spec 9.27
  it.each([
    ['md5', '20c08c6048143db6b2536189e23171d2'],
    ['hmacsha256', '4b13c95d1e27d85acb27ab833a9ccd9e9d778c34255cd2f957d0263e273d1f23'],
  ] as const)('of a message with %s', (signMethod, expected) => {
    expect(signMessage(hashes, signMethod, SECRET, { ...message, signMethod })).toBe(expected);
  });

  it('leave out what is empty, and the signature itself', () => {
    const bare = signLogin(hashes, 'md5', SECRET, login);
    expect(signLogin(hashes, 'md5', SECRET, { ...login, mac2: '', other: null, signature: 'x' })).toBe(bare);
    expect(signLogin(hashes, 'md5', SECRET, { ...login, nonce: 'other' })).not.toBe(bare);
  });
});

it('a message is signed as any other list of fields, whatever it holds', () => {
  const text = fc.string({ maxLength: 20 });
  const fields = fc.record({
    dataFlow: fc.constantFrom(0, 1),
    sessionId: text,
    tenantId: text,
    version: text,
    signMethod: fc.constantFrom('md5' as const, 'hmacsha256' as const),
    token: text,
    dataId: text,
    type: fc.nat(20),
    deviceId: text,
    length: fc.nat(),
    payload: text,
    timestamp: fc.nat(),
    code: fc.option(fc.nat(), { nil: undefined }),
    message: fc.option(text, { nil: undefined }),
  });
  fc.assert(
    fc.property(fields, (message) => {
      const digest = message.signMethod === 'md5' ? hashes.md5 : hashes.sha256;
      const payload = message.payload === '' ? '' : digest(message.payload);
      const expected = signLogin(hashes, message.signMethod, SECRET, { ...message, payload });
      expect(signMessage(hashes, message.signMethod, SECRET, message)).toBe(expected);
    }),
  );
});
