import { randomBytes } from 'node:crypto';
import type { UpgradeOrder } from '@device-center/contract';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createTestSigner,
  expectStatuses,
  expectVersion,
  flipped,
  orderOf,
  progressOf,
  sendSystemService,
  serveBytes,
  type UpgradableOptions,
} from './upgrade-fixtures.ts';
import { createUpgradeFixture } from './upgrade-flow-fixtures.ts';

const scene = createUpgradeFixture(200_000);
const { firmware, maker, orderTo, upgradable } = scene;

/** Expects the device to reject this order with reason 4, to install nothing and to keep running. Returns the detail. */
const refusal = async (order: UpgradeOrder, more: UpgradableOptions = {}): Promise<string> => {
  const { device, installed } = await upgradable(more);
  expect(await sendSystemService(scene.hub, device.deviceId, 'ota', order)).toBe(200);
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

describe('bytes that do not match the manifest', () => {
  // Spec 4.48
  it.each([0, 1, 7, 799_999, 1_599_999])('with bit %d flipped are rejected', async (bit) => {
    const tag = `"${orderTo('1.1.0').sha256}"`;
    scene.files.serve = serveBytes(flipped(firmware, bit), { tag });
    expect(await refusal(orderTo('1.1.0'))).toContain('SHA-256');
  });

  it('of another file of the same length are rejected, and the next attempt starts again', async () => {
    scene.files.serve = serveBytes(randomBytes(firmware.length));
    const { device, installed } = await upgradable();
    const order = orderTo('1.1.0');
    await sendSystemService(scene.hub, device.deviceId, 'ota', order);
    await expectStatuses(scene.hub, device.deviceId, [2, 3, 6]);
    scene.files.serve = serveBytes(firmware);
    scene.files.requests.length = 0;
    await sendSystemService(scene.hub, device.deviceId, 'ota', { ...order, attempt: 2 });
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(scene.files.downloads()).toMatchObject([{ range: '' }]);
    expect(installed).toHaveLength(1);
  });
});

describe('an invalid manifest', () => {
  afterEach(() => expect(scene.files.downloads()).toEqual([]));

  it('of an older version is rejected', async () => {
    expect(await refusal(orderTo('0.9.9'))).toBe('version 0.9.9 is older than the running version 1.0.0');
    expect(await refusal(orderTo('1.0.0-rc1'))).toContain('older');
  });

  it('of another product is rejected', async () => {
    expect(await refusal(orderTo('1.1.0', { productId: 'P0000000' }))).toContain('for product P0000000');
  });

  it('of another version than the order’s is rejected', async () => {
    expect(await refusal({ ...orderTo('1.2.0'), versionNumber: '1.1.0' })).toContain('for version 1.2.0');
  });

  it.each([
    ['length', { size: 10 }],
    ['sum', { sha256: '0'.repeat(64) }],
  ])('of a file of another %s than the order’s is rejected', async (_, other) => {
    const order = orderTo('1.1.0');
    const said = { ...JSON.parse(order.manifest.content), ...other };
    expect(await refusal({ ...order, manifest: maker.sign(JSON.stringify(said)) })).toContain('different files');
  });

  it('with a wrong signature is rejected, whichever part was changed', async () => {
    const order = orderTo('1.1.0');
    const { content, signature, keyId } = order.manifest;
    const wrong = flipped(Buffer.from(signature, 'base64'), 100).toString('base64');
    expect(await refusal({ ...order, manifest: { content, signature: wrong, keyId } })).toContain('signature');
    expect(await refusal({ ...order, manifest: { content: `${content} `, signature, keyId } })).toContain('signature');
    expect(await refusal({ ...order, manifest: { content, signature: 'short', keyId } })).toContain('signature');
    // Signed by another key, with the id of the right one.
    const thief = createTestSigner().sign(content);
    expect(await refusal({ ...order, manifest: { ...thief, keyId } })).toContain('signature');
  });

  it('signed with an unknown key is rejected, pinned or requested', async () => {
    const foreign = createTestSigner();
    const order = orderOf(
      foreign,
      firmware,
      { productId: scene.shop.productId, versionNumber: '1.1.0' },
      scene.files.url,
    );
    const words = `unknown key: ${foreign.keyId}`;
    expect(await refusal(order)).toContain(words);
    expect(await refusal(order, { upgrade: { key: maker.pem } })).toContain(words);
  });

  it('that is signed but no manifest is rejected', async () => {
    expect(await refusal({ ...orderTo('1.1.0'), manifest: maker.sign('{"productId":1}') })).toContain('not valid');
  });
});

it.each([
  ['the order', { allowOlder: true }, {}],
  ['the device', {}, { upgrade: { allowOlder: true } }],
])('of an older version is accepted when %s allows it', async (_, inOrder, inDevice) => {
  const { device, installed } = await upgradable(inDevice);
  await sendSystemService(scene.hub, device.deviceId, 'ota', { ...orderTo('0.9.0'), ...inOrder });
  await expect.poll(() => device.versionNumber, { timeout: 30_000 }).toBe('0.9.0');
  expect(installed).toHaveLength(1);
});
