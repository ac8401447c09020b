import { existsSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { firmwareCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { begin, bytesAt, createVersion, idAt, randomContent, sendChunk, uploaded } from './firmware-fixtures.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';

const DAY = 86_400_000;

let hub: Hub;
let productId: string;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await startHub({ FIRMWARE_SWEEP: '200ms' });
    productId = await hub.create.product('1');
  });
  afterAll(() => hub.close());
};

const pathOf = (fileId: string): string => bytesAt(hub, fileId);
const rowOf = (fileId: string) =>
  hub.db.selectFrom('firmware_file').selectAll().where('file_id', '=', fileId).executeTakeFirst();
const age = (fileId: string, by: number) =>
  hub.db
    .updateTable('firmware_file')
    .set((row) => ({ updated_at: row('updated_at', '-', by) }))
    .where('file_id', '=', fileId)
    .execute();
const untilGone = (fileId: string) =>
  expect
    .poll(async () => [await rowOf(fileId), existsSync(pathOf(fileId))], { timeout: 20_000 })
    .toEqual([undefined, false]);
/** Waits for a sweep by a file that it must delete. */
const aSweepLater = async (): Promise<void> => {
  const { firmwareUri } = await uploaded(hub.admin, randomContent(5));
  await age(firmwareUri.slice(3), DAY + 1_000);
  await untilGone(firmwareUri.slice(3));
};

describeOnEachEngine(() => {
  setUp();

  describe('the firmware sweep', () => {
    it('deletes a file that no version has used for a day, and an upload that has stalled for a day', async () => {
      const unused = (await uploaded(hub.admin, randomContent(10))).firmwareUri.slice(3);
      const failed = (await uploaded(hub.admin, randomContent(10), { fileName: 'a.zip' })).firmwareUri.slice(3);
      const still = idAt(await begin(hub.admin, { size: 10 }));
      for (const fileId of [unused, failed, still]) await age(fileId, DAY + 1_000);
      for (const fileId of [unused, failed, still]) await untilGone(fileId);
      expect(existsSync(`${pathOf(unused)}.json`)).toBe(false);
    });

    it('keeps newer files, uploads in progress, and files of versions', async () => {
      const young = (await uploaded(hub.admin, randomContent(10))).firmwareUri.slice(3);
      await age(young, DAY - 60_000);
      const uploadPath = await begin(hub.admin, { size: 10 });
      await age(idAt(uploadPath), DAY - 60_000);
      // Only a moment before its day is over something arrives.
      await sendChunk(hub.admin, uploadPath, 0, randomContent(1));
      await age(idAt(uploadPath), 120_000);
      const { file } = await createVersion(hub, { productId, tenancyId: '1' });
      const used = file.firmwareUri.slice(3);
      await age(used, 30 * DAY);
      await aSweepLater();
      for (const fileId of [young, idAt(uploadPath), used]) {
        expect(await rowOf(fileId), fileId).toBeDefined();
        expect(existsSync(pathOf(fileId)), fileId).toBe(true);
      }
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('the firmware sweep', () => {
    it('deletes day-old bytes without a row, and no foreign files', async () => {
      const old = new Date(Date.now() - DAY - 60_000);
      const put = (name: string, time?: Date): void => {
        writeFileSync(pathOf(name), 'x');
        if (time) utimesSync(pathOf(name), time, time);
      };
      put('0123456789abcdef', old);
      put('0123456789abcdef.json', old);
      put('fedcba9876543210');
      put('README.txt', old);
      await expect
        .poll(() => ['0123456789abcdef', '0123456789abcdef.json'].map((name) => existsSync(pathOf(name))), {
          timeout: 20_000,
        })
        .toEqual([false, false]);
      await aSweepLater();
      expect(['fedcba9876543210', 'README.txt'].map((name) => existsSync(pathOf(name)))).toEqual([true, true]);
    });

    it('marks a file whose bytes are missing, and restores it when they are back', async () => {
      const { versionId, file } = await createVersion(hub, { productId, tenancyId: '1' });
      const fileId = file.firmwareUri.slice(3);
      renameSync(pathOf(fileId), `${pathOf(fileId)}.away`);
      const state = async () => {
        const { state, fault } = await hub.admin.ok(firmwareCalls.getFirmwareFile, { firmwareUri: file.firmwareUri });
        return [state, fault];
      };
      await expect.poll(state, { timeout: 20_000 }).toEqual(['failed', 'lost']);
      const { firmwareUri, nickName } = file;
      const sent = { versionId, versionName: 'xx', versionNumber: '1.1', productId, firmwareUri, nickName };
      expect(await hub.admin.error(firmwareCalls.updateDeviceOtaVersion, sent)).toMatchObject({
        code: 'FIRMWARE_FAILED',
      });
      renameSync(`${pathOf(fileId)}.away`, pathOf(fileId));
      await expect.poll(state, { timeout: 20_000 }).toEqual(['ready', '']);
      expect((await rowOf(fileId))?.sha256).toBe(file.sha256);
      rmSync(`${pathOf(fileId)}.away`, { force: true });
    });
  });
});
