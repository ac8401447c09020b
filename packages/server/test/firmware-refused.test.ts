import { readFileSync } from 'node:fs';
import { FIRMWARE_UPLOAD_PATH, firmwareCalls } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import {
  begin,
  bytesAt,
  checked,
  create,
  offsetAt,
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

const scene = createFirmwareFixture();
/** Without the claim on a file, which a chunk releases after its answer. */
const rows = async () => {
  const found = await scene.hub.db.selectFrom('firmware_file').selectAll().orderBy('file_id').execute();
  return found.map((row) => ({ ...row, checker_until: 0 }));
};

describe('firmware upload rejection', () => {
  it('rejects callers without token or permission', async () => {
    const uploadPath = await begin(scene.user, { size: 10 });
    const guest = await scene.hub.create.user({ tenancyId: scene.user.tenancyId, menus: [602] });
    const doors: [string, string, Record<string, string>][] = [
      ['POST', '', { 'Upload-Length': '10', 'Upload-Metadata': 'filename YS5iaW4=' }],
      ['PATCH', uploadPath, { ...PIECE, 'Upload-Offset': '0' }],
      ['DELETE', uploadPath, {}],
    ];
    for (const [method, where, headers] of doors) {
      const bytes = method === 'PATCH' ? randomContent(10) : undefined;
      for (const token of ['', 'nonsense'])
        expect(await refusalOf(await tus({ url: scene.hub.url, token }, method, where, headers, bytes))).toMatchObject({
          success: false,
          statusCode: 401,
          code: 'TOKEN_INVALID',
          message: 'Token expired, please log in again',
        });
      expect(await refusalOf(await tus(guest, method, where, headers, bytes))).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect((await tus({ url: scene.hub.url, token: '' }, 'HEAD', uploadPath)).status).toBe(401);
    expect((await tus(guest, 'HEAD', uploadPath)).status).toBe(403);
    expect(await offsetAt(scene.user, uploadPath)).toBe(0);
  });

  it("rejects another tenant's upload as not found", async () => {
    const uploadPath = await begin(scene.user, { size: 10 });
    const nowhere = `${FIRMWARE_UPLOAD_PATH}/nobodyHasIt`;
    for (const [method, headers, bytes] of [
      ['PATCH', { ...PIECE, 'Upload-Offset': '0' }, randomContent(10)],
      ['DELETE', {}, undefined],
    ] as const) {
      const [theirs, none] = [
        await refusalOf(await tus(scene.other, method, uploadPath, headers, bytes)),
        await refusalOf(await tus(scene.other, method, nowhere, headers, bytes)),
      ];
      expect(theirs).toMatchObject({ statusCode: 404, code: 'FIRMWARE_NOT_FOUND' });
      expect({ ...theirs, requestId: '' }).toEqual({ ...none, requestId: '' });
    }
    expect((await tus(scene.other, 'HEAD', uploadPath)).status).toBe(404);
    for (const call of [firmwareCalls.getFirmwareFile, firmwareCalls.deleteDeviceOtaFile] as const)
      expect(await scene.other.send(call, { firmwareUri: uriAt(uploadPath), name: uriAt(uploadPath) })).toMatchObject({
        statusCode: 404,
        code: 'FIRMWARE_NOT_FOUND',
      });
    expect(await offsetAt(scene.user, uploadPath)).toBe(0);
  });

  // Spec 5.67
  it.each([
    ['a.exe', 'FIRMWARE_TYPE'],
    ['bin', 'FIRMWARE_TYPE'],
    ['a.bin.txt', 'FIRMWARE_TYPE'],
    ['a.', 'FIRMWARE_TYPE'],
    ['', 'BAD_INPUT'],
    [undefined, 'BAD_INPUT'],
    ['../../etc/a.bin', 'BAD_INPUT'],
    ['a\u0000.bin', 'BAD_INPUT'],
    [`${'a'.repeat(100)}.bin`, 'BAD_INPUT'],
  ])('rejects a file named %j', async (fileName, code) => {
    const before = await rows();
    const refusal = await refusalOf(await create(scene.user, fileName === undefined ? {} : { fileName }));
    expect(refusal).toMatchObject({ statusCode: 400, code, details: [{ field: 'filename' }] });
    expect(await rows()).toEqual(before);
  });

  // Spec 5.67
  it.each(['a.bin', 'a.b.APK', 'x.hex', 'x.tar', 'x.img', 'x.Zip', '.bin'])(
    'accepts a file named %s',
    async (fileName) => {
      expect((await create(scene.user, { fileName })).status).toBe(201);
    },
  );

  it('rejects a file that is too large before writing a byte', async () => {
    const before = await rows();
    const answer = await create(scene.user, {
      fileName: 'a.bin',
      size: 2 * 1024 ** 3 + 1,
      headers: { 'Accept-Language': 'zh-CN' },
    });
    expect(await refusalOf(answer)).toMatchObject({
      statusCode: 413,
      code: 'FIRMWARE_TOO_LARGE',
      message: '固件文件超过上限（2147483648 字节）',
    });
    expect(await rows()).toEqual(before);
    const uploadPath = await begin(scene.user, { size: 2 * 1024 ** 3 });
    expect((await tus(scene.user, 'DELETE', uploadPath)).status).toBe(204);
  });

  it.each([
    [{ 'Upload-Length': 'ten' }],
    [{ 'Upload-Length': '-1' }],
    [{ 'Upload-Length': '1.5' }],
    [{ 'Upload-Length': '' }],
    [{ 'Upload-Length': '', 'Upload-Defer-Length': '1' }],
    [{ 'Upload-Metadata': 'filename !!!' }],
  ])('rejects a creation with %j', async (headers) => {
    const before = await rows();
    const refusal = await refusalOf(await create(scene.user, { fileName: 'a.bin', headers }));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'UPLOAD_PROTOCOL' });
    expect(await rows()).toEqual(before);
  });

  it('rejects another version of the protocol', async () => {
    const uploadPath = await begin(scene.user, { size: 10 });
    for (const [method, where] of [
      ['POST', ''],
      ['PATCH', uploadPath],
      ['DELETE', uploadPath],
    ] as const) {
      const answer = await tus(scene.user, method, where, { 'Tus-Resumable': '0.2.2' });
      expect(answer.headers.get('tus-version')).toBe('1.0.0');
      expect(await refusalOf(answer)).toMatchObject({ statusCode: 412, code: 'UPLOAD_VERSION' });
    }
    const bare = await fetch(new URL(uploadPath, scene.hub.url), {
      method: 'HEAD',
      headers: { Authorization: scene.user.token },
    });
    expect(bare.status).toBe(412);
  });

  it('rejects a chunk beyond the end, or at a wrong offset', async () => {
    const uploadPath = await begin(scene.user, { size: 10 });
    expect(await refusalOf(await sendChunk(scene.user, uploadPath, 0, randomContent(11)))).toMatchObject({
      code: 'TOO_LARGE',
    });
    const placeless = await tus(scene.user, 'PATCH', uploadPath, PIECE, randomContent(5));
    expect(await refusalOf(placeless)).toMatchObject({ statusCode: 400, code: 'UPLOAD_PROTOCOL' });
    const untyped = await tus(
      scene.user,
      'PATCH',
      uploadPath,
      { 'Upload-Offset': '0', 'Content-Type': 'text/plain' },
      randomContent(5),
    );
    expect(await refusalOf(untyped)).toMatchObject({ statusCode: 400, code: 'UPLOAD_PROTOCOL' });
    expect(await offsetAt(scene.user, uploadPath)).toBe(0);
    // The connection is still good for the right one.
    expect((await sendChunk(scene.user, uploadPath, 0, randomContent(10))).status).toBe(204);
  });

  it('rejects changes to a complete file', async () => {
    const bytes = randomContent(1_000);
    const { firmwareUri } = await uploaded(scene.user, bytes);
    const uploadPath = `${FIRMWARE_UPLOAD_PATH}/${firmwareUri.slice(3)}`;
    expect((await sendChunk(scene.user, uploadPath, 0, randomContent(1_000))).status).toBe(409);
    expect((await sendChunk(scene.user, uploadPath, 1_000, randomContent(1))).status).toBe(413);
    expect(readFileSync(bytesAt(scene.hub, uploadPath)).equals(bytes)).toBe(true);
    expect(await checked(scene.user, firmwareUri)).toMatchObject({ state: 'ready', ...sums(bytes) });
  });
});
