import { createPublicKey, verify } from 'node:crypto';
import { otaProgress, upgradeOrder } from '@device-center/contract';
import { firmwareKeyId, isSignedManifest, readFirmwareKey } from '@device-center/device-sdk';
import { describe, expect, it } from 'vitest';
import { jsonOf, pages } from './protocol-page.ts';
import { contentOf, createTestSigner, flipped, keyOf, orderOf } from './upgrade-fixtures.ts';

describe('the published firmware signature vector', () => {
  // As docs/device-protocol.md shows it.
  const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
  const vector = createTestSigner(seed);
  const content = contentOf(Buffer.from('firmware 1.1.0'), { productId: 'P1a2b3c4', versionNumber: '1.1.0' });
  const signed = vector.sign(content);

  it('is computed the same by node:crypto and the device', () => {
    expect({ ...signed, publicKey: vector.publicKey, pem: vector.pem }).toMatchInlineSnapshot(`
      {
        "content": "{"productId":"P1a2b3c4","versionNumber":"1.1.0","size":14,"sha256":"989407ed4cc5e7da081181475875e163a8e7ecd8a87100eabf1004f080129326","date":"2026-01-01T00:00:00.000Z"}",
        "keyId": "56475aa75463474c",
        "pem": "-----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=
      -----END PUBLIC KEY-----
      ",
        "publicKey": "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=",
        "signature": "0zgdbGfgPJkAgvlK+fQaoS3UQCs4FsgIT3XwkHT3P5ajJjVzfq/eRwT5lgN/xBO5Ql7fR5Rohpvz874TpE9XAQ==",
      }
    `);
    const key = readFirmwareKey(vector.publicKey);
    expect(readFirmwareKey(vector.pem)).toEqual(key);
    expect(firmwareKeyId(key)).toBe(signed.keyId);
    expect(isSignedManifest(content, signed.signature, key)).toBe(true);
    const bytes = Buffer.from(signed.signature, 'base64');
    expect(verify(null, Buffer.from(content), createPublicKey(keyOf(seed)), bytes)).toBe(true);
  });

  it.each(Object.entries(pages))('is on the protocol page in %s', (_, page) => {
    const shown = jsonOf(page).find(({ service }) => service === 'ota');
    const order = upgradeOrder.parse(shown?.input);
    expect(order.manifest).toEqual(signed);
    const { size, sha256, md5 } = orderOf(
      vector,
      Buffer.from('firmware 1.1.0'),
      { productId: 'P1a2b3c4', versionNumber: '1.1.0' },
      '',
    );
    expect(order).toMatchObject({ versionNumber: '1.1.0', size, sha256, md5 });
    expect(page).toContain(vector.pem.trim());
    expect(page).toContain(vector.publicKey);
    const reports = jsonOf(page).filter(({ event }) => event === 'otaProgress');
    expect(reports.map(({ output }) => otaProgress.parse(output).status)).toEqual([2, 6]);
  });

  it('is rejected by both with any flipped bit of the signature', () => {
    const key = readFirmwareKey(vector.publicKey);
    const signature = Buffer.from(signed.signature, 'base64');
    for (let bit = 0; bit < signature.length * 8; bit += 17) {
      const wrong = flipped(signature, bit);
      expect(isSignedManifest(content, wrong.toString('base64'), key)).toBe(false);
      expect(verify(null, Buffer.from(content), createPublicKey(keyOf(seed)), wrong)).toBe(false);
    }
  });

  it.each(['', 'AAAA', 'no base64!', vector.pem.replace('MC', 'MD')])('rejects the key %j', (text) => {
    expect(() => readFirmwareKey(text)).toThrow('must be an Ed25519 public key: PEM, or base64 of its 32 bytes');
  });

  it('reports an invalid signature without an exception', () => {
    expect(isSignedManifest(content, 'short', readFirmwareKey(vector.publicKey))).toBe(false);
  });

  it('rejects keys of small order, which verify any signature', () => {
    const neutral = Buffer.alloc(32);
    neutral[0] = 1;
    const signature = Buffer.concat([neutral, Buffer.alloc(32)]).toString('base64');
    expect(isSignedManifest(content, signature, neutral)).toBe(false);
  });
});
