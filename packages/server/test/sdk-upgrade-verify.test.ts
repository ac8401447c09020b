import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { otaProgress, type UpgradeOrder, upgradeOrder } from '@device-center/contract';
import { firmwareKeyId, isSignedManifest, readFirmwareKey } from '@device-center/device-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { jsonOf, pages } from './protocol-page.ts';
import {
  contentOf,
  createMaker,
  expectStatuses,
  expectVersion,
  keyOf,
  orderOf,
  progressOf,
  serveBytes,
  tell,
  type UpgradableOptions,
} from './upgrade-kit.ts';
import { upgradeScene } from './upgrade-scene.ts';

const scene = upgradeScene(200_000);
const { firmware, maker, orderTo, upgradable } = scene;

const flipped = (bytes: Uint8Array, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};

/** Told this order, the device refuses it with reason 4, installs nothing, and works on. Answers its words. */
const refusal = async (order: UpgradeOrder, more: UpgradableOptions = {}): Promise<string> => {
  const { device, installed } = await upgradable(more);
  expect(await tell(scene.hub, device.deviceId, 'ota', order)).toBe(200);
  await expect
    .poll(async () => (await progressOf(scene.hub, device.deviceId)).at(-1)?.status, { timeout: 30_000, interval: 50 })
    .toBe(6);
  const last = (await progressOf(scene.hub, device.deviceId)).at(-1);
  expect(last).toMatchObject({ deviceOtaTaskId: order.deviceOtaTaskId, attempt: 1, reason: 4 });
  expect(installed).toEqual([]);
  expect(device.versionNumber).toBe('1.0.0');
  await device.report({ power: true });
  return last?.detail ?? '';
};

describe('bytes that are not those of the manifest', () => {
  it.each([0, 1, 7, 799_999, 1_599_999])('with bit %d turned over are refused', async (bit) => {
    const tag = `"${orderTo('1.1.0').sha256}"`;
    scene.files.serve = serveBytes(flipped(firmware, bit), { tag });
    expect(await refusal(orderTo('1.1.0'))).toContain('SHA-256');
  });

  it('of another file of the same length are refused, and the next attempt begins anew', async () => {
    scene.files.serve = serveBytes(randomBytes(firmware.length));
    const { device, installed } = await upgradable();
    const order = orderTo('1.1.0');
    await tell(scene.hub, device.deviceId, 'ota', order);
    await expectStatuses(scene.hub, device.deviceId, [2, 3, 6]);
    scene.files.serve = serveBytes(firmware);
    scene.files.asked.length = 0;
    await tell(scene.hub, device.deviceId, 'ota', { ...order, attempt: 2 });
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(scene.files.downloads()).toMatchObject([{ range: '' }]);
    expect(installed).toHaveLength(1);
  });
});

describe('a manifest that is not for this device', () => {
  afterEach(() => expect(scene.files.downloads()).toEqual([]));

  it('of an older version is refused', async () => {
    expect(await refusal(orderTo('0.9.9'))).toBe('version 0.9.9 is older than 1.0.0, which runs');
    expect(await refusal(orderTo('1.0.0-rc1'))).toContain('older');
  });

  it('of another product is refused', async () => {
    expect(await refusal(orderTo('1.1.0', { productId: 'P0000000' }))).toContain('for product P0000000');
  });

  it('of another version than the order’s is refused', async () => {
    expect(await refusal({ ...orderTo('1.2.0'), versionNumber: '1.1.0' })).toContain('for version 1.2.0');
  });

  it('of another file than the order’s is refused', async () => {
    const other = orderOf(
      maker,
      randomBytes(10),
      { productId: scene.shop.productId, versionNumber: '1.1.0' },
      scene.files.url,
    );
    expect(await refusal({ ...orderTo('1.1.0'), manifest: other.manifest })).toContain('different files');
  });

  it('with a signature that is not right is refused, whatever of it was changed', async () => {
    const order = orderTo('1.1.0');
    const { content, signature, keyId } = order.manifest;
    const wrong = flipped(Buffer.from(signature, 'base64'), 100).toString('base64');
    expect(await refusal({ ...order, manifest: { content, signature: wrong, keyId } })).toContain('signature');
    expect(await refusal({ ...order, manifest: { content: `${content} `, signature, keyId } })).toContain('signature');
    expect(await refusal({ ...order, manifest: { content, signature: 'short', keyId } })).toContain('signature');
    // Signed by somebody else who names the right key.
    const thief = createMaker().sign(content);
    expect(await refusal({ ...order, manifest: { ...thief, keyId } })).toContain('signature');
  });

  it('signed with a key that is not known is refused, pinned or asked for', async () => {
    const stranger = createMaker();
    const order = orderOf(
      stranger,
      firmware,
      { productId: scene.shop.productId, versionNumber: '1.1.0' },
      scene.files.url,
    );
    const words = `the key ${stranger.keyId}, which is not known here`;
    expect(await refusal(order)).toContain(words);
    expect(await refusal(order, { upgrade: { key: maker.pem } })).toContain(words);
  });

  it('that is signed and is no manifest is refused', async () => {
    expect(await refusal({ ...orderTo('1.1.0'), manifest: maker.sign('{"productId":1}') })).toContain('cannot be read');
  });
});

it.each([
  ['the order', { allowOlder: true }, {}],
  ['the device', {}, { upgrade: { allowOlder: true } }],
])('an older version is installed where %s allows it', async (_, inOrder, inDevice) => {
  const { device, installed } = await upgradable(inDevice);
  await tell(scene.hub, device.deviceId, 'ota', { ...orderTo('0.9.0'), ...inOrder });
  await expect.poll(() => device.versionNumber, { timeout: 30_000 }).toBe('0.9.0');
  expect(installed).toHaveLength(1);
});

describe('the published vector', () => {
  // As docs/device-protocol.md shows it.
  const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
  const vector = createMaker(seed);
  const content = contentOf(Buffer.from('firmware 1.1.0'), { productId: 'P1a2b3c4', versionNumber: '1.1.0' });
  const signed = vector.sign(content);

  it('is what node:crypto and the device both make of it', () => {
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

  it.each(Object.entries(pages))('stands on the page of the protocol in %s', (_, page) => {
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

  it('and neither takes it with any bit of the signature turned over', () => {
    const key = readFirmwareKey(vector.publicKey);
    const signature = Buffer.from(signed.signature, 'base64');
    for (let bit = 0; bit < signature.length * 8; bit += 17) {
      const wrong = flipped(signature, bit);
      expect(isSignedManifest(content, wrong.toString('base64'), key)).toBe(false);
      expect(verify(null, Buffer.from(content), createPublicKey(keyOf(seed)), wrong)).toBe(false);
    }
  });

  it.each(['', 'AAAA', 'no base64!', vector.pem.replace('MC', 'MD')])('%j is no key', (text) => {
    expect(() => readFirmwareKey(text)).toThrow(TypeError);
  });
});
