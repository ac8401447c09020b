import { existsSync, readFileSync, statSync } from 'node:fs';
import { FIRMWARE_UPLOAD_PATH, firmwareCalls } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import {
  begin,
  bytesAt,
  checked,
  create,
  idAt,
  offsetAt,
  openChunk,
  PIECE,
  randomContent,
  refusalOf,
  sendChunk,
  sums,
  tus,
  uploaded,
  uriAt,
} from './firmware-fixtures.ts';
import { createFirmwareFixture } from './firmware-flow-fixtures.ts';
import { unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

const scene = createFirmwareFixture(startHub);
const rows = () => scene.hub.db.selectFrom('firmware_file').selectAll().execute();

describe('an upload', () => {
  // Spec 4.52
  it('in chunks of any size is stored unchanged, and checked', async () => {
    const bytes = randomContent(300_000);
    const uploadPath = await begin(scene.user, { size: bytes.length, fileName: '门锁 v1.BIN' });
    // Without a host, so that it is right behind any proxy.
    expect(uploadPath).toBe(`${FIRMWARE_UPLOAD_PATH}/${idAt(uploadPath)}`);
    const begun = await scene.user.ok(firmwareCalls.getFirmwareFile, { firmwareUri: uriAt(uploadPath) });
    expect(begun).toMatchObject({ state: 'uploading', size: 300_000, received: 0, nickName: '门锁 v1.BIN', md5: '' });
    let offset = 0;
    for (const length of [1, 99_999, 0, 150_000, 50_000]) {
      const answer = await sendChunk(scene.user, uploadPath, offset, bytes.subarray(offset, offset + length));
      offset += length;
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(offset)]);
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
      if (offset < bytes.length) {
        const { state, received } = await scene.user.ok(firmwareCalls.getFirmwareFile, {
          firmwareUri: uriAt(uploadPath),
        });
        expect([state, received]).toEqual(['uploading', offset]);
      }
    }
    const file = await checked(scene.user, uriAt(uploadPath));
    expect(file).toMatchObject({ state: 'ready', fault: '', received: 300_000, ...sums(bytes) });
    expect(Date.parse(file.expireTime) - Date.now()).toBeGreaterThan(86_000_000);
    expect(readFileSync(bytesAt(scene.hub, uploadPath)).equals(bytes)).toBe(true);
  });

  it('resumes after an interruption at the offset of HEAD, without loss', async () => {
    const bytes = randomContent(5_000_000);
    const uploadPath = await begin(scene.user, { size: bytes.length });
    const sent = openChunk(scene.user, uploadPath, bytes.length);
    sent.on('error', () => undefined);
    sent.write(bytes.subarray(0, 2_000_000));
    await expect.poll(() => statSync(bytesAt(scene.hub, uploadPath)).size, { timeout: 20_000 }).toBe(2_000_000);
    sent.destroy();
    const offset = await offsetAt(scene.user, uploadPath);
    expect(offset).toBe(2_000_000);
    const wrong = await sendChunk(scene.user, uploadPath, 0, bytes.subarray(0, 10));
    expect(await refusalOf(wrong)).toMatchObject({ statusCode: 409, code: 'UPLOAD_OFFSET_MISMATCH' });
    expect((await sendChunk(scene.user, uploadPath, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await checked(scene.user, uriAt(uploadPath))).toMatchObject({ state: 'ready', ...sums(bytes) });
  });

  it('with a hanging connection is taken over by the next request', async () => {
    const bytes = randomContent(100_000);
    const uploadPath = await begin(scene.user, { size: bytes.length });
    const hanging = openChunk(scene.user, uploadPath, bytes.length);
    hanging.on('error', () => undefined);
    hanging.write(bytes.subarray(0, 40_000));
    await expect.poll(() => statSync(bytesAt(scene.hub, uploadPath)).size, { timeout: 20_000 }).toBe(40_000);
    expect(await offsetAt(scene.user, uploadPath)).toBe(40_000);
    expect((await sendChunk(scene.user, uploadPath, 40_000, bytes.subarray(40_000))).status).toBe(204);
    expect(await checked(scene.user, uriAt(uploadPath))).toMatchObject({ state: 'ready', ...sums(bytes) });
    hanging.destroy();
  });

  it('from two clients contains the bytes of one, never a mixture', async () => {
    const [one, two] = [randomContent(3_000_000), randomContent(3_000_000)];
    const uploadPath = await begin(scene.user, { size: 3_000_000 });
    const answers = await Promise.all([one, two].map((bytes) => sendChunk(scene.user, uploadPath, 0, bytes)));
    const taken = answers.map(({ status }) => status);
    expect(taken.toSorted()).toEqual([204, 409]);
    const winner = taken[0] === 204 ? one : two;
    // On a slow machine it was asked to leave before it had sent all.
    const offset = await offsetAt(scene.user, uploadPath);
    if (offset < winner.length) await sendChunk(scene.user, uploadPath, offset, winner.subarray(offset));
    expect(await checked(scene.user, uriAt(uploadPath))).toMatchObject({ state: 'ready', ...sums(winner) });
  });

  it('with its bytes in the first request is complete at once', async () => {
    const bytes = randomContent(5_000);
    const metadata = { 'Upload-Metadata': `filename ${Buffer.from('a.img').toString('base64')}` };
    const answer = await tus(scene.user, 'POST', '', { 'Upload-Length': '5000', ...metadata, ...PIECE }, bytes);
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '5000']);
    expect(await checked(scene.user, uriAt(answer.headers.get('location') ?? ''))).toMatchObject(sums(bytes));
  });

  it('is exempt from the rate limit of calls', async () => {
    const uploadPath = await begin(scene.user, { size: 1_000 });
    const answer = await sendChunk(scene.user, uploadPath, 0, randomContent(1));
    expect(Number(answer.headers.get('x-ratelimit-limit'))).toBe(10 * 1_000_000);
  });

  it('is in the audit log with user, file and tenant', async () => {
    const { firmwareUri } = await uploaded(scene.user, randomContent(7), { fileName: 'a.bin' });
    const entries = await scene.hub.db
      .selectFrom('audit_log')
      .selectAll()
      .where('target_id', '=', firmwareUri.slice(3))
      .execute();
    expect(entries).toMatchObject([
      {
        action: 'firmware.uploadFirmware',
        username: scene.user.username,
        tenancy_id: scene.user.tenancyId,
        target_name: 'a.bin',
      },
    ]);
    expect(JSON.parse(entries[0]?.after_json ?? '')).toEqual({ nickName: 'a.bin', size: 7 });
  });
});

describe('the tenant of a file', () => {
  it('can be set by the platform operator only', async () => {
    const owner = async (uploadPath: string) =>
      (await rows()).find((row) => row.file_id === idAt(uploadPath))?.tenancy_id;
    expect(await owner(await begin(scene.hub.admin, { size: 5 }))).toBe('1');
    expect(await owner(await begin(scene.hub.admin, { size: 5, tenancyId: scene.user.tenancyId }))).toBe(
      scene.user.tenancyId,
    );
    expect(await owner(await begin(scene.user, { size: 5, tenancyId: scene.user.tenancyId }))).toBe(
      scene.user.tenancyId,
    );
    for (const [client, tenancyId] of [
      [scene.user, scene.other.tenancyId],
      [scene.user, 'nobody'],
      [scene.hub.admin, 'nobody'],
    ] as const)
      expect(await refusalOf(await create(client, { fileName: 'a.bin', tenancyId }))).toMatchObject({
        statusCode: 404,
        code: 'TENANCY_NOT_FOUND',
      });
  });
});

describe('cancelling an upload', () => {
  // Spec 7.98
  it('deletes the row and the bytes, by both calls', async () => {
    const byTus = await begin(scene.user, { size: 10 });
    await sendChunk(scene.user, byTus, 0, randomContent(4));
    expect((await tus(scene.user, 'DELETE', byTus)).status).toBe(204);
    const { firmwareUri } = await uploaded(scene.user, randomContent(10));
    const byCall = `${FIRMWARE_UPLOAD_PATH}/${firmwareUri.slice(3)}`;
    await scene.user.ok(firmwareCalls.deleteDeviceOtaFile, { name: firmwareUri });
    for (const uploadPath of [byTus, byCall]) {
      expect((await tus(scene.user, 'HEAD', uploadPath)).status).toBe(404);
      expect([
        existsSync(bytesAt(scene.hub, uploadPath)),
        existsSync(`${bytesAt(scene.hub, uploadPath)}.json`),
      ]).toEqual([false, false]);
      expect(await scene.user.error(firmwareCalls.getFirmwareFile, { firmwareUri: uriAt(uploadPath) })).toMatchObject({
        code: 'FIRMWARE_NOT_FOUND',
      });
      const entries = await scene.hub.db
        .selectFrom('audit_log')
        .select('action')
        .where('target_id', '=', idAt(uploadPath))
        .orderBy('audit_id')
        .execute();
      expect(entries.map(({ action }) => action)).toEqual(['firmware.uploadFirmware', 'firmware.deleteDeviceOtaFile']);
    }
  });
});

describe('the supported tus extensions', () => {
  it('are announced to everyone', async () => {
    const answer = await fetch(scene.hub.url + FIRMWARE_UPLOAD_PATH, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('tus-version')).toBe('1.0.0');
    expect(answer.headers.get('tus-extension')).toBe('creation,creation-with-upload,termination');
    expect(answer.headers.get('tus-max-size')).toBe(String(2 * 1024 ** 3));
    // Other sites have no business here.
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('a hub that stops', () => {
  it('answers an upload in progress with its offset, and continues it afterwards', async () => {
    const bytes = randomContent(200_000);
    const uploadPath = await begin(scene.user, { size: bytes.length, fileName: `${unique('s')}.bin` });
    const sent = openChunk(scene.user, uploadPath, bytes.length);
    const answered = new Promise<[number | undefined, unknown]>((resolve, reject) => {
      sent.once('response', (answer) => resolve([answer.statusCode, answer.headers['upload-offset']]));
      sent.once('error', reject);
    });
    sent.write(bytes.subarray(0, 120_000));
    await expect.poll(() => statSync(bytesAt(scene.hub, uploadPath)).size, { timeout: 20_000 }).toBe(120_000);
    const stopped = scene.hub.process.stop();
    expect(await answered).toEqual([204, '120000']);
    expect(await stopped).toBe(0);
    sent.destroy();
    await scene.restart();
    const again = createClient(scene.hub.url, scene.user.token);
    expect(await offsetAt(again, uploadPath)).toBe(120_000);
    expect((await sendChunk(again, uploadPath, 120_000, bytes.subarray(120_000))).status).toBe(204);
    expect(await checked(again, uriAt(uploadPath))).toMatchObject({ state: 'ready', ...sums(bytes) });
  });
});
