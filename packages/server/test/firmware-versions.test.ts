import { existsSync } from 'node:fs';
import { compareVersions, firmwareCalls, productCalls, tenancyCalls } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { begin, bytesAt, createVersion, randomContent, sendChunk, sums, uploaded, uriAt } from './firmware-fixtures.ts';
import { createFirmwareFixture } from './firmware-flow-fixtures.ts';
import { unique } from './hub.ts';

const setUp = () => {
  const scene = createFirmwareFixture();
  const fields = async (more: Partial<{ versionNumber: string; productId: string; firmwareUri: string }> = {}) => {
    const file = await uploaded(scene.user, randomContent(100), { fileName: 'lamp.bin' });
    const { firmwareUri } = file;
    const versionNumber = `2.0.${Date.now()}`;
    return {
      versionName: unique('lamp-'),
      versionNumber,
      productId: scene.productId,
      firmwareUri,
      nickName: 'lamp.bin',
      ...more,
    };
  };
  return { scene, fields };
};

describeOnEachEngine(() => {
  const { scene, fields } = setUp();

  const bytesThere = (firmwareUri: string): boolean => existsSync(bytesAt(scene.hub, firmwareUri));

  const details = (versionId: string) => scene.user.ok(firmwareCalls.getDeviceOtaVersionDetails, { versionId });
  const auditOf = async (targetId: string) =>
    (
      await scene.hub.db
        .selectFrom('audit_log')
        .selectAll()
        .where('target_id', '=', targetId)
        .orderBy('audit_id')
        .execute()
    ).map(({ action, before_json, after_json }) => [action, JSON.parse(before_json), JSON.parse(after_json)]);

  describe('a firmware version', () => {
    // Spec 1.13, 7.93, 7.94
    it('is created from a checked file, shown, changed and deleted', async () => {
      const bytes = randomContent(5_000);
      const { firmwareUri } = await uploaded(scene.user, bytes, { fileName: '灯.bin' });
      const sent = {
        versionName: '灯-first',
        versionNumber: '1.2.3',
        productId: scene.productId,
        firmwareUri,
        nickName: '灯.bin',
      };
      const { versionId } = await scene.user.ok(firmwareCalls.addDeviceOtaVersion, sent);
      const made = await details(versionId);
      expect(made).toMatchObject({
        ...sent,
        versionId,
        size: 5_000,
        ...sums(bytes),
        tenancyId: scene.user.tenancyId,
        creator: scene.user.username,
      });
      expect(made).toMatchObject({ deviceCount: 0, taskCount: 0, unfinishedTaskCount: 0, running: [] });
      expect(await scene.user.ok(firmwareCalls.getFirmwareFile, { firmwareUri })).toMatchObject({ expireTime: '' });

      const replaced = await uploaded(scene.user, randomContent(6_000), { fileName: 'other.bin' });
      const after = { ...sent, versionName: 'second', versionNumber: '1.2.4', firmwareUri: replaced.firmwareUri };
      await scene.user.ok(firmwareCalls.updateDeviceOtaVersion, { versionId, ...after });
      expect(await details(versionId)).toMatchObject({ ...after, size: 6_000, sha256: replaced.sha256 });
      // Its file is unused now.
      expect(await scene.user.error(firmwareCalls.getFirmwareFile, { firmwareUri })).toMatchObject({
        statusCode: 404,
      });
      expect([bytesThere(firmwareUri), bytesThere(replaced.firmwareUri)]).toEqual([false, true]);

      await scene.user.ok(firmwareCalls.deleteDeviceOtaVersion, { versionIds: [versionId] });
      expect(await scene.user.error(firmwareCalls.getDeviceOtaVersionDetails, { versionId })).toMatchObject({
        statusCode: 404,
        code: 'VERSION_NOT_FOUND',
      });
      expect(bytesThere(replaced.firmwareUri)).toBe(false);
      expect(await auditOf(versionId)).toEqual([
        ['firmware.addDeviceOtaVersion', {}, sent],
        ['firmware.updateDeviceOtaVersion', sent, after],
        ['firmware.deleteDeviceOtaVersion', after, {}],
      ]);
    });

    // Spec 7.92
    it('is found by product, name, number and both, newest first', async () => {
      const own = await scene.hub.create.product(scene.user.tenancyId);
      for (const [versionName, versionNumber] of [
        ['alpha-ONE', '9.1'],
        ['beta-two', '9.2-rc'],
        ['gamma', '10_1'],
      ] as const)
        await scene.user.ok(firmwareCalls.addDeviceOtaVersion, {
          ...(await fields({ productId: own })),
          versionName,
          versionNumber,
        });
      const found = async (sent: object) =>
        (await scene.user.ok(firmwareCalls.queryDeviceOtaVersionList, { productId: own, ...sent })).list.map(
          (row) => row.versionNumber,
        );
      expect(await found({})).toEqual(['10_1', '9.2-rc', '9.1']);
      expect(await found({ sortMode: 1 })).toEqual(['9.1', '9.2-rc', '10_1']);
      expect(await found({ versionName: 'one' })).toEqual(['9.1']);
      expect(await found({ versionNumber: 'RC' })).toEqual(['9.2-rc']);
      expect(await found({ searchValue: '9.' })).toEqual(['9.2-rc', '9.1']);
      expect(await found({ searchValue: 'GAMMA' })).toEqual(['10_1']);
      expect(await found({ versionNumber: '%' })).toEqual([]);
      const page = await scene.user.ok(firmwareCalls.queryDeviceOtaVersionList, {
        productId: own,
        pageSize: 2,
        pageIndex: 2,
      });
      expect([page.total, page.list.map((row) => row.versionNumber)]).toEqual([3, ['9.1']]);
      const theirs = await scene.other.ok(firmwareCalls.queryDeviceOtaVersionList, { productId: own });
      expect(theirs.total).toBe(0);
    });
  });

  describe('addDeviceOtaVersion', () => {
    it('rejects a number that the product already has, at that field, but not one of another product', async () => {
      const first = await fields();
      await scene.user.ok(firmwareCalls.addDeviceOtaVersion, first);
      const again = await fields({ versionNumber: first.versionNumber });
      expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, again)).toMatchObject({
        statusCode: 409,
        code: 'VERSION_NUMBER_TAKEN',
        details: [{ field: 'versionNumber', message: 'The product already has this version number' }],
      });
      await scene.user.ok(firmwareCalls.addDeviceOtaVersion, {
        ...again,
        productId: await scene.hub.create.product(scene.user.tenancyId),
      });
    });

    it('creates one of two concurrent versions with the same number', async () => {
      const versionNumber = `3.0.${Date.now()}`;
      const two = [await fields({ versionNumber }), await fields({ versionNumber })];
      const answers = await Promise.all(two.map((sent) => scene.user.call(firmwareCalls.addDeviceOtaVersion, sent)));
      expect(answers.map((answer) => (answer.success ? 'made' : answer.code)).sort()).toEqual([
        'VERSION_NUMBER_TAKEN',
        'made',
      ]);
    });

    it('rejects the file of another version', async () => {
      const first = await fields();
      await scene.user.ok(firmwareCalls.addDeviceOtaVersion, first);
      const refusal = { statusCode: 409, code: 'FIRMWARE_IN_USE', details: [{ field: 'firmwareUri' }] };
      const sent = { ...first, versionNumber: '3.3.3' };
      expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, sent)).toMatchObject(refusal);
      const deletion = await scene.user.error(firmwareCalls.deleteDeviceOtaFile, { name: first.firmwareUri });
      expect(deletion).toMatchObject({ statusCode: 409, code: 'FIRMWARE_IN_USE' });
      expect(bytesThere(first.firmwareUri)).toBe(true);
    });
  });

  describe('the version numbers of a product', () => {
    // Spec 7.97
    it('are those uploaded and those that devices report, with counts, newest first', async () => {
      const own = await scene.hub.create.product(scene.user.tenancyId);
      const applicationId = await scene.hub.create.application(scene.user.tenancyId);
      const made = await createVersion(scene.hub, { productId: own, tenancyId: scene.user.tenancyId }, '1.10.0');
      for (const versionNumber of ['1.9.0', '1.9.0', '1.10.0', '1.10.0-rc.1', '2.0', ''])
        await scene.hub.db
          .updateTable('device')
          .set({ version_number: versionNumber })
          .where('device_id', '=', await scene.hub.create.device({ productId: own, applicationId }))
          .execute();
      const numbers = await scene.user.ok(firmwareCalls.getProductVersionNumbers, { productId: own });
      expect(numbers.map((row) => [row.versionNumber, row.deviceCount, row.versionId])).toEqual([
        ['2.0', 1, ''],
        ['1.10.0', 1, made.versionId],
        ['1.10.0-rc.1', 1, ''],
        ['1.9.0', 2, ''],
      ]);
      const sorted = numbers.map((row) => row.versionNumber).toSorted((one, two) => compareVersions(two, one));
      expect(numbers.map((row) => row.versionNumber)).toEqual(sorted);
      expect(await details(made.versionId)).toMatchObject({
        deviceCount: 1,
        productDeviceCount: 6,
        running: [
          { versionNumber: '1.9.0', devices: 2 },
          { versionNumber: '1.10.0', devices: 1 },
          { versionNumber: '1.10.0-rc.1', devices: 1 },
          { versionNumber: '2.0', devices: 1 },
        ],
      });
    });
  });

  describe('cascading deletion', () => {
    it('deletes the versions of a product, and the files of a tenant too', async () => {
      const gone = await scene.hub.create.tenancy();
      const itsProduct = await scene.hub.create.product(gone);
      const { versionId, file } = await createVersion(scene.hub, { productId: itsProduct, tenancyId: gone });
      const loose = await uploaded(scene.hub.admin, randomContent(10), { tenancyId: gone });
      await scene.hub.admin.ok(tenancyCalls.deleteTenancy, { tenancyId: gone });
      expect(await scene.hub.admin.error(firmwareCalls.getDeviceOtaVersionDetails, { versionId })).toMatchObject({
        statusCode: 404,
      });
      expect([file, loose].map(({ firmwareUri }) => bytesThere(firmwareUri))).toEqual([false, false]);
      const rows = await scene.hub.db.selectFrom('firmware_file').selectAll().where('tenancy_id', '=', gone).execute();
      expect(rows).toEqual([]);

      const product = await scene.hub.create.product(scene.user.tenancyId);
      const left = await createVersion(scene.hub, { productId: product, tenancyId: scene.user.tenancyId });
      await scene.hub.admin.ok(productCalls.deleteDeviceProduct, { productIds: [product] });
      expect(
        await scene.user.error(firmwareCalls.getDeviceOtaVersionDetails, { versionId: left.versionId }),
      ).toMatchObject({
        code: 'VERSION_NOT_FOUND',
      });
      // The sweep deletes the file later.
      const file2 = await scene.user.ok(firmwareCalls.getFirmwareFile, { firmwareUri: left.file.firmwareUri });
      expect(file2.expireTime).not.toBe('');
    });
  });
});

describe('on the default engine', () => {
  const { scene, fields } = setUp();

  describe('addDeviceOtaVersion', () => {
    // Spec 8.15, 8.16
    it('rejects a file that is missing, incomplete, or invalid', async () => {
      const right = await fields();
      const place = await begin(scene.user, { size: 100, fileName: 'lamp.bin' });
      const notReady = { ...right, firmwareUri: uriAt(place) };
      expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, notReady)).toMatchObject({
        statusCode: 409,
        code: 'FIRMWARE_NOT_READY',
        message: 'Firmware not yet uploaded',
      });
      await sendChunk(scene.user, place, 0, randomContent(10));
      expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, notReady)).toMatchObject({
        code: 'FIRMWARE_NOT_READY',
      });
      const bad = await uploaded(scene.user, randomContent(10), { fileName: 'a.zip' });
      expect(
        await scene.user.error(firmwareCalls.addDeviceOtaVersion, {
          ...right,
          firmwareUri: bad.firmwareUri,
          nickName: 'a.zip',
        }),
      ).toMatchObject({ statusCode: 409, code: 'FIRMWARE_FAILED', message: 'Firmware upload failed' });
      const theirs = await uploaded(scene.other, randomContent(10), { fileName: 'lamp.bin' });
      for (const firmwareUri of ['fw/nobodyHasIt', theirs.firmwareUri])
        expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, { ...right, firmwareUri })).toMatchObject({
          statusCode: 404,
          code: 'FIRMWARE_NOT_FOUND',
          details: [{ field: 'firmwareUri' }],
        });
      // Nor may the operator give a tenant's product a file of his own.
      const own = await uploaded(scene.hub.admin, randomContent(10), { fileName: 'lamp.bin' });
      const crossed = { ...right, firmwareUri: own.firmwareUri };
      expect(await scene.hub.admin.error(firmwareCalls.addDeviceOtaVersion, crossed)).toMatchObject({
        statusCode: 404,
      });
      for (const firmwareUri of ['', 'http://example.com/a.bin', 'fw/../secret.key', 'fw/'])
        expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, { ...right, firmwareUri })).toMatchObject({
          code: 'BAD_INPUT',
          details: [{ field: 'firmwareUri' }],
        });
    });

    it('rejects a name with another file type', async () => {
      const right = await fields();
      const cases = [
        ['lamp.zip', 'FIRMWARE_TYPE'],
        ['lamp.exe', 'BAD_INPUT'],
        ['lamp', 'BAD_INPUT'],
      ] as const;
      for (const [nickName, code] of cases)
        expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, { ...right, nickName })).toMatchObject({
          statusCode: 400,
          code,
          details: [{ field: 'nickName' }],
        });
    });

    it("rejects another tenant's product as not found", async () => {
      const right = await fields();
      const theirs = await scene.hub.create.product(scene.other.tenancyId);
      for (const wrong of [theirs, 'nobodyHasIt'])
        expect(await scene.user.error(firmwareCalls.addDeviceOtaVersion, { ...right, productId: wrong })).toMatchObject(
          {
            statusCode: 404,
            code: 'PRODUCT_NOT_FOUND',
          },
        );
      expect(await scene.user.ok(firmwareCalls.getFirmwareFile, { firmwareUri: right.firmwareUri })).toMatchObject({
        state: 'ready',
      });
    });
  });
});
