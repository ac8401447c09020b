import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  bucketCalls,
  firmwareCalls,
  manifestContent,
  taskStatusIds,
  unfinishedStatuses,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTask, makeVersion, someBytes, sums, uploaded } from './firmware-kit.ts';
import { type Hub, startHub, type TestUser } from './hub.ts';
import { startHubProcess } from './hub-process.ts';

let hub: Hub;
let user: TestUser;
let other: TestUser;
let tenancyId: string;
let productId: string;

beforeAll(async () => {
  hub = await startHub();
  tenancyId = await hub.has.tenancy();
  user = await hub.has.user({ tenancyId, menus: [601] });
  other = await hub.has.user({ tenancyId: await hub.has.tenancy(), menus: [601, 502] });
  productId = await hub.has.product(tenancyId);
});
afterAll(() => hub.close());

const bytesThere = (firmwareUri: string): boolean =>
  existsSync(join(hub.env.DATA_DIR ?? '', 'firmware', firmwareUri.slice(3)));

const details = (versionId: string) => user.get(firmwareCalls.getDeviceOtaVersionDetails, { versionId });
describe('changing and deleting', () => {
  it('are refused to another tenant, all or none', async () => {
    const mine = await makeVersion(hub, { productId, tenancyId });
    const theirProduct = await hub.has.product(other.tenancyId);
    const theirs = await makeVersion(hub, { productId: theirProduct, tenancyId: other.tenancyId });
    const both = { versionIds: [mine.versionId, theirs.versionId] };
    expect(await user.refused(firmwareCalls.deleteDeviceOtaVersion, both)).toMatchObject({
      statusCode: 404,
      code: 'VERSION_NOT_FOUND',
    });
    expect(await details(mine.versionId)).toMatchObject({ versionId: mine.versionId });
    const { firmwareUri } = await uploaded(user, someBytes(5), { fileName: 'a.bin' });
    const change = { versionName: 'xx', versionNumber: '8.8', productId, firmwareUri, nickName: 'a.bin' };
    expect(
      await user.refused(firmwareCalls.updateDeviceOtaVersion, { versionId: theirs.versionId, ...change }),
    ).toMatchObject({ statusCode: 404, code: 'VERSION_NOT_FOUND' });
    expect(bytesThere(theirs.file.firmwareUri)).toBe(true);
    expect(await user.refused(firmwareCalls.getProductVersionNumbers, { productId: theirProduct })).toMatchObject({
      statusCode: 404,
    });
  });

  it('never change the product', async () => {
    const { versionId, file, versionNumber } = await makeVersion(hub, { productId, tenancyId });
    const sent = {
      versionId,
      versionName: 'xx',
      versionNumber,
      firmwareUri: file.firmwareUri,
      nickName: file.nickName,
    };
    const elsewhere = { ...sent, productId: await hub.has.product(tenancyId) };
    expect(await user.refused(firmwareCalls.updateDeviceOtaVersion, elsewhere)).toMatchObject({
      statusCode: 409,
      code: 'VERSION_PRODUCT_FIXED',
      details: [{ field: 'productId' }],
    });
  });

  it.each(taskStatusIds)('with a task in state %i go if and only if it is over', async (status) => {
    const version = await makeVersion(hub, { productId, tenancyId });
    const { versionId, versionNumber, file } = version;
    await makeTask(hub, { ...version, productId, tenancyId }, status);
    const unfinished = unfinishedStatuses.includes(status);
    const shown = await details(versionId);
    expect([shown.taskCount, shown.unfinishedTaskCount]).toEqual([1, unfinished ? 1 : 0]);
    const { firmwareUri, nickName } = file;
    const change = { versionId, versionName: 'renamed', versionNumber, productId, firmwareUri, nickName };
    const [changed, deleted] = [
      await user.call(firmwareCalls.updateDeviceOtaVersion, change),
      await user.call(firmwareCalls.deleteDeviceOtaVersion, { versionIds: [versionId] }),
    ];
    for (const answer of [changed, deleted])
      if (unfinished)
        expect(answer).toMatchObject({
          statusCode: 409,
          code: 'VERSION_IN_USE',
          message: `An unfinished upgrade task uses version ${versionNumber}`,
        });
      else expect(answer).toMatchObject({ success: true });
    expect(bytesThere(firmwareUri)).toBe(unfinished);
  });

  it('of a name alone keeps the manifest, of the number signs a new one', async () => {
    const { versionId, versionNumber, file } = await makeVersion(hub, { productId, tenancyId });
    const { firmwareUri, nickName } = file;
    const sent = { versionId, versionName: 'renamed', versionNumber, productId, firmwareUri, nickName };
    const before = await details(versionId);
    await user.get(firmwareCalls.updateDeviceOtaVersion, sent);
    expect((await details(versionId)).manifest).toEqual(before.manifest);
    await user.get(firmwareCalls.updateDeviceOtaVersion, { ...sent, versionNumber: `${versionNumber}.1` });
    const after = await details(versionId);
    expect(JSON.parse(after.manifest.content)).toMatchObject({ versionNumber: `${versionNumber}.1` });
  });
});

describe('a manifest', () => {
  it('is signed by the key that devices are given, over its very words', async () => {
    const { versionId, bytes, versionNumber } = await makeVersion(hub, { productId, tenancyId });
    const { manifest } = await details(versionId);
    const key = await hub.stranger.get(bucketCalls.getFirmwareKey, {});
    const raw = Buffer.from(key.publicKey, 'base64');
    expect(raw.length).toBe(32);
    expect(key.keyId).toBe(createHash('sha256').update(raw).digest('hex').slice(0, 16));
    expect(manifest.keyId).toBe(key.keyId);
    const fromRaw = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    });
    const signature = Buffer.from(manifest.signature, 'base64');
    for (const publicKey of [createPublicKey(key.pem), fromRaw]) {
      expect(verify(null, Buffer.from(manifest.content), publicKey, signature)).toBe(true);
      const other = Buffer.from(manifest.content.replace(versionNumber, '9.9.9'));
      expect(verify(null, other, publicKey, signature)).toBe(false);
    }
    const content = manifestContent.strict().parse(JSON.parse(manifest.content));
    expect(content).toMatchObject({ productId, versionNumber, size: bytes.length, sha256: sums(bytes).sha256 });
    expect(Math.abs(Date.parse(content.date) - Date.now())).toBeLessThan(60_000);
    const rows = await hub.db.selectFrom('signing_key').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('PRIVATE');
  });

  it('has one key, however many hubs ask for it first', async () => {
    // Several hubs share a PostgreSQL; with SQLite there is one, that is asked many times at once.
    const fresh = await startHub();
    const { DATABASE_URL } = fresh.env;
    const second = DATABASE_URL ? await startHubProcess(fresh.env) : undefined;
    const urls = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 && second ? second.url : fresh.url));
    const answers = await Promise.all(urls.map((url) => fetch(url + bucketCalls.getFirmwareKey.path)));
    const keys = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { data: object }).data));
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(1);
    expect(await fresh.db.selectFrom('signing_key').selectAll().execute()).toHaveLength(1);
    await second?.stop();
    await fresh.close();
  });
});
