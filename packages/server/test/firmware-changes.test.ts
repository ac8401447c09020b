import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  bucketCalls,
  firmwareCalls,
  manifestContent,
  taskStatusIds,
  unfinishedStatuses,
} from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { bytesAt, createVersion, insertTask, randomContent, sums, uploaded } from './firmware-fixtures.ts';
import { createFirmwareFixture } from './firmware-flow-fixtures.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';

const scene = createFirmwareFixture();

const bytesThere = (firmwareUri: string): boolean => existsSync(bytesAt(scene.hub, firmwareUri));

const details = (versionId: string) => scene.user.ok(firmwareCalls.getDeviceOtaVersionDetails, { versionId });

/** All of it as it was, but for the name. */
const renaming = ({ versionId, versionNumber, file }: Awaited<ReturnType<typeof createVersion>>) => {
  const { firmwareUri, nickName } = file;
  return { versionId, versionName: 'renamed', versionNumber, productId: scene.productId, firmwareUri, nickName };
};

describe('changing and deleting versions', () => {
  it('is rejected for another tenant, all or none', async () => {
    const mine = await createVersion(scene.hub, scene.product);
    const theirProduct = await scene.hub.create.product(scene.other.tenancyId);
    const theirs = await createVersion(scene.hub, { productId: theirProduct, tenancyId: scene.other.tenancyId });
    const both = { versionIds: [mine.versionId, theirs.versionId] };
    expect(await scene.user.error(firmwareCalls.deleteDeviceOtaVersion, both)).toMatchObject({
      statusCode: 404,
      code: 'VERSION_NOT_FOUND',
    });
    expect(await details(mine.versionId)).toMatchObject({ versionId: mine.versionId });
    const { firmwareUri } = await uploaded(scene.user, randomContent(5), { fileName: 'a.bin' });
    const change = {
      versionName: 'xx',
      versionNumber: '8.8',
      productId: scene.productId,
      firmwareUri,
      nickName: 'a.bin',
    };
    expect(
      await scene.user.error(firmwareCalls.updateDeviceOtaVersion, { versionId: theirs.versionId, ...change }),
    ).toMatchObject({ statusCode: 404, code: 'VERSION_NOT_FOUND' });
    expect(bytesThere(theirs.file.firmwareUri)).toBe(true);
    expect(await scene.user.error(firmwareCalls.getProductVersionNumbers, { productId: theirProduct })).toMatchObject({
      statusCode: 404,
    });
  });

  // Spec 7.95
  it('never changes the product', async () => {
    const { versionId, file, versionNumber } = await createVersion(scene.hub, scene.product);
    const sent = {
      versionId,
      versionName: 'xx',
      versionNumber,
      firmwareUri: file.firmwareUri,
      nickName: file.nickName,
    };
    const elsewhere = { ...sent, productId: await scene.hub.create.product(scene.user.tenancyId) };
    expect(await scene.user.error(firmwareCalls.updateDeviceOtaVersion, elsewhere)).toMatchObject({
      statusCode: 409,
      code: 'VERSION_PRODUCT_FIXED',
      details: [{ field: 'productId' }],
    });
  });

  // Spec 7.96
  it.each(taskStatusIds)('with a task in state %i is allowed only when it has finished', async (status) => {
    const version = await createVersion(scene.hub, scene.product);
    const { versionId, versionNumber, file } = version;
    await insertTask(scene.hub, { ...version, ...scene.product }, status);
    const unfinished = unfinishedStatuses.includes(status);
    const shown = await details(versionId);
    expect([shown.taskCount, shown.unfinishedTaskCount]).toEqual([1, unfinished ? 1 : 0]);
    const [changed, deleted] = [
      await scene.user.call(firmwareCalls.updateDeviceOtaVersion, renaming(version)),
      await scene.user.call(firmwareCalls.deleteDeviceOtaVersion, { versionIds: [versionId] }),
    ];
    for (const answer of [changed, deleted])
      if (unfinished)
        expect(answer).toMatchObject({
          statusCode: 409,
          code: 'VERSION_IN_USE',
          message: `Version ${versionNumber} is used by an unfinished upgrade task`,
        });
      else expect(answer).toMatchObject({ success: true });
    expect(bytesThere(file.firmwareUri)).toBe(unfinished);
  });

  // Spec 7.95
  it('keeps the manifest for a new name, and signs a new one for a new number', async () => {
    const version = await createVersion(scene.hub, scene.product);
    const { versionId, versionNumber } = version;
    const sent = renaming(version);
    const before = await details(versionId);
    await scene.user.ok(firmwareCalls.updateDeviceOtaVersion, sent);
    expect((await details(versionId)).manifest).toEqual(before.manifest);
    await scene.user.ok(firmwareCalls.updateDeviceOtaVersion, { ...sent, versionNumber: `${versionNumber}.1` });
    const after = await details(versionId);
    expect(JSON.parse(after.manifest.content)).toMatchObject({ versionNumber: `${versionNumber}.1` });
  });
});

describe('a manifest', () => {
  it('is signed byte for byte by the key that devices get', async () => {
    const { versionId, bytes, versionNumber } = await createVersion(scene.hub, scene.product);
    const { manifest } = await details(versionId);
    const key = await scene.hub.anonymous.ok(bucketCalls.getFirmwareKey, {});
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
      const changed = Buffer.from(manifest.content.replace(versionNumber, '9.9.9'));
      expect(verify(null, changed, publicKey, signature)).toBe(false);
    }
    const content = manifestContent.strict().parse(JSON.parse(manifest.content));
    expect(content).toMatchObject({
      productId: scene.productId,
      versionNumber,
      size: bytes.length,
      sha256: sums(bytes).sha256,
    });
    expect(Math.abs(Date.parse(content.date) - Date.now())).toBeLessThan(60_000);
    const rows = await scene.hub.db.selectFrom('signing_key').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('PRIVATE');
  });
});

describeOnEachEngine(() => {
  it('has one key when several hubs request the first one', async () => {
    // Several hubs on PostgreSQL; on SQLite concurrent requests to one hub.
    const fresh = await startHub();
    const { DATABASE_URL } = fresh.env;
    const second = DATABASE_URL ? await startInProcessHub(fresh.env) : undefined;
    const urls = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 && second ? second.url : fresh.url));
    const answers = await Promise.all(urls.map((url) => fetch(url + bucketCalls.getFirmwareKey.path)));
    const keys = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { data: object }).data));
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(1);
    expect(await fresh.db.selectFrom('signing_key').selectAll().execute()).toHaveLength(1);
    await second?.stop();
    await fresh.close();
  });
});
