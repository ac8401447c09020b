import { utimesSync } from 'node:fs';
import { firmwareCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import {
  begin,
  checked,
  createVersion,
  idAt,
  insertUpgradeLink,
  offsetAt,
  openChunk,
  randomContent,
  refusalOf,
  sendChunk,
  sums,
  tus,
  uploaded,
  uriAt,
} from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { login } from './raw-device.ts';
import { startS3 } from './s3-fixtures.ts';

/** More than one part of 8 MiB, and a last one that is too short for one. */
const LENGTH = 20_000_000;
const DAY = 86_400_000;
const PREFIX = 'hub-one/firmware';

let s3: Awaited<ReturnType<typeof startS3>>;
let hub: Hub;
let place: ProductFixture;
beforeAll(async () => {
  s3 = await startS3();
  hub = await startHub({ FILE_STORE: s3.place(PREFIX), FIRMWARE_SWEEP: '500ms' });
  place = await createProductFixture(hub);
});
afterAll(async () => {
  await hub.close();
  await s3.close();
});

const inStore = (fileId: string): string[] =>
  s3
    .under(PREFIX)
    .filter((name) => name.startsWith(fileId))
    .sort();

describe('firmware in S3', () => {
  it('is uploaded in chunks of any size, checked, downloaded in parts and deleted', async () => {
    const bytes = randomContent(LENGTH);
    const at = await begin(hub.admin, { size: LENGTH, fileName: '固件.bin', tenancyId: place.tenancyId });
    let offset = 0;
    for (const length of [100, 6_000_000, 1_000, 12_000_000, 1_998_900]) {
      const answer = await sendChunk(hub.admin, at, offset, bytes.subarray(offset, offset + length));
      offset += length;
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(offset)]);
      expect(await offsetAt(hub.admin, at)).toBe(offset);
    }
    const { state, firmwareUri, nickName, md5, sha256 } = await checked(hub.admin, uriAt(at));
    expect({ state, nickName, md5, sha256 }).toEqual({ state: 'ready', nickName: '固件.bin', ...sums(bytes) });
    expect([inStore(idAt(at)), s3.openUploads()]).toEqual([[idAt(at), `${idAt(at)}.info`], 0]);

    const fields = {
      versionName: unique('v'),
      versionNumber: '1.0',
      productId: place.productId,
      firmwareUri,
      nickName,
    };
    const { versionId } = await hub.admin.ok(firmwareCalls.addDeviceOtaVersion, fields);
    const deviceId = unique('dev');
    const { token } = await login(hub.url, { productId: place.productId, deviceId, secret: place.productSecret });
    const { link, taskId } = await insertUpgradeLink(hub, { versionId, ...place, deviceId, firmwareUri });
    const read = async (range?: string) => {
      const answer = await fetch(link, { headers: { Authorization: token, ...(range ? { Range: range } : {}) } });
      return [answer.status, Buffer.from(await answer.arrayBuffer())] as const;
    };
    for (const [range, from, to] of [
      [undefined, 0, LENGTH],
      ['bytes=0-0', 0, 1],
      ['bytes=8388600-8388699', 8_388_600, 8_388_700],
      ['bytes=-7', LENGTH - 7, LENGTH],
    ] as const) {
      const [status, got] = await read(range);
      expect(status).toBe(range ? 206 : 200);
      expect(got.equals(bytes.subarray(from, to))).toBe(true);
    }
    await hub.db.deleteFrom('ota_task').where('task_id', '=', taskId).execute();
    await hub.admin.ok(firmwareCalls.deleteDeviceOtaVersion, { versionIds: [versionId] });
    expect(inStore(idAt(at))).toEqual([]);
    expect((await read())[0]).toBe(403);
  }, 60_000);

  it('keeps the received bytes of an interrupted chunk, even if too few for a part', async () => {
    const bytes = randomContent(LENGTH);
    const at = await begin(hub.admin, { size: LENGTH });
    const sent = openChunk(hub.admin, at, LENGTH);
    sent.on('error', () => undefined);
    await new Promise((resolve) => sent.write(bytes.subarray(0, 10_000_000), resolve));
    await expect.poll(() => s3.openUploads(), { timeout: 20_000 }).toBe(1);
    sent.destroy();
    const offset = await offsetAt(hub.admin, at);
    expect(offset).toBeGreaterThan(8_388_608);
    expect((await sendChunk(hub.admin, at, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await checked(hub.admin, uriAt(at))).toMatchObject({ state: 'ready', ...sums(bytes) });
  }, 60_000);

  it('detects an empty file, and deletes it like any other', async () => {
    const at = await begin(hub.admin, { size: 0 });
    expect(await checked(hub.admin, uriAt(at))).toMatchObject({ state: 'failed', fault: 'empty' });
    const open = await begin(hub.admin, { size: 9_000_000 });
    await sendChunk(hub.admin, open, 0, randomContent(8_500_000));
    for (const one of [at, open]) {
      expect((await tus(hub.admin, 'DELETE', one)).status).toBe(204);
      expect(inStore(idAt(one))).toEqual([]);
    }
    expect(s3.openUploads()).toBe(0);
  });

  it('deletes objects without a row in the sweep, and keeps those with one', async () => {
    const { file } = await createVersion(hub, place);
    const kept = file.firmwareUri.slice(3);
    const stray = (await uploaded(hub.admin, randomContent(10))).firmwareUri.slice(3);
    await hub.db.deleteFrom('firmware_file').where('file_id', '=', stray).execute();
    const old = new Date(Date.now() - 2 * DAY);
    for (const fileId of [kept, stray])
      for (const name of inStore(fileId)) utimesSync(s3.pathOf(PREFIX, name), old, old);
    await expect.poll(() => inStore(stray), { timeout: 20_000 }).toEqual([]);
    expect(inStore(kept)).toEqual([kept, `${kept}.info`]);
  });

  it('reports an unreachable store, and continues when it is back', async () => {
    const bytes = randomContent(1_000);
    const at = await begin(hub.admin, { size: 1_000 });
    s3.setAway(true);
    const answer = await sendChunk(hub.admin, at, 0, bytes);
    expect((await refusalOf(answer)).statusCode).toBeGreaterThanOrEqual(500);
    s3.setAway(false);
    const offset = await offsetAt(hub.admin, at);
    expect((await sendChunk(hub.admin, at, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await checked(hub.admin, uriAt(at))).toMatchObject({ state: 'ready', ...sums(bytes) });
  }, 60_000);
});
