import {
  type Failure,
  PICTURE_MAX_BYTES,
  PICTURE_MAX_SIDE,
  personalCalls,
  type Success,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { BMP, blackPng, GIF, HTML, JPEG, PNG, pictureIdOf, readPng, SVG, TURNED_JPEG } from './pictures.ts';

let hub: Hub;
let user: TestUser;

beforeAll(async () => {
  hub = await sharedHub();
  user = await hub.create.user({ tenancyId: await hub.create.tenancy() });
});
afterAll(() => hub.close());

type Uploaded = Success<{ image: string }> | Failure;

const upload = async (bytes: Uint8Array, filename: string, type = '', as: TestUser = user): Promise<Uploaded> => {
  const body = new FormData();
  body.set('multipartFile', new Blob([Uint8Array.from(bytes)], { type }), filename);
  const path = `${hub.url}${personalCalls.updateUserHead.path}`;
  const headers = { Authorization: as.token, 'Accept-Language': 'en-US' };
  const response = await fetch(path, { method: 'POST', headers, body });
  const answer = (await response.json()) as Uploaded;
  expect(answer.statusCode).toBe(response.status);
  return answer;
};

const fetchPicture = (image: string, token: string) =>
  fetch(`${hub.url}${image}`, { headers: token ? { Authorization: token } : {} });

const picturesOf = ({ tenancyId }: TestUser) =>
  hub.db.selectFrom('picture').select(['picture_id', 'content_type']).where('tenancy_id', '=', tenancyId).execute();

const uploaded = async (bytes: Uint8Array, filename: string, as: TestUser = user): Promise<string> => {
  const answer = await upload(bytes, filename, '', as);
  if (!answer.success) throw new Error(answer.code);
  return answer.data.image;
};

describe('an avatar', () => {
  // Spec 5.65, 7.8, 7.20
  it.each([
    ['png', PNG, 'image/png', 'me.png'],
    ['jpg', JPEG, 'image/jpeg', 'me.jpg'],
    ['bmp', BMP, 'image/png', 'me.bmp'],
    ['png under another name', PNG, 'image/png', 'me.exe'],
  ])('serves a %s as a picture that is never executed', async (_kind, bytes, contentType, filename) => {
    const image = await uploaded(bytes, filename);
    expect(await user.ok(personalCalls.getPersonalMessage, {})).toMatchObject({ image });
    const answer = await fetchPicture(image, user.token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(contentType);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(answer.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
  });

  // Spec 5.65
  it.each([
    ['svg', SVG, 'me.svg', 'image/svg+xml'],
    ['html', HTML, 'me.html', 'text/html'],
    ['html named png', HTML, 'me.png', 'image/png'],
    ['gif', GIF, 'me.gif', 'image/gif'],
    ['half a png signature', PNG.subarray(0, 5), 'me.png', 'image/png'],
    ['a png behind a space', Buffer.concat([Buffer.from(' '), PNG]), 'me.png', 'image/png'],
    ['nothing', Buffer.alloc(0), 'me.png', 'image/png'],
    ['the first bytes of a jpg', JPEG.subarray(0, 3), 'me.jpg', 'image/jpeg'],
    ['a jpg that was cut off', JPEG.subarray(0, -60), 'me.jpg', 'image/jpeg'],
    ['a png that was cut off', PNG.subarray(0, 50), 'me.png', 'image/png'],
    ['a page named bmp', Buffer.from('BM<html><script>alert(document.domain)</script></html>       '), 'me.bmp', ''],
    ['a bmp without its pixels', BMP.subarray(0, 54), 'me.bmp', 'image/bmp'],
  ])('rejects %s and keeps the previous one', async (_kind, bytes, filename, type) => {
    const image = await uploaded(PNG, 'me.png');
    const before = await picturesOf(user);
    const answer = await upload(bytes, filename, type);
    expect(answer).toMatchObject({
      statusCode: 400,
      code: 'PICTURE_UNREADABLE',
      details: [{ field: 'multipartFile', message: 'The image must be a jpg, jpeg, png or bmp file' }],
    });
    expect(await picturesOf(user)).toEqual(before);
    expect(await user.ok(personalCalls.getPersonalMessage, {})).toMatchObject({ image });
  });

  const served = async (image: string): Promise<Buffer> =>
    Buffer.from(await (await fetchPicture(image, user.token)).arrayBuffer());

  it('removes data after the picture in its file', async () => {
    const bytes = await served(await uploaded(Buffer.concat([PNG, HTML]), 'me.png'));
    expect(readPng(bytes)).toEqual({ chunks: ['IHDR', 'IDAT', 'IEND'], width: 1, height: 1 });
  });

  it('removes its EXIF data and keeps it upright', async () => {
    const bytes = await served(await uploaded(TURNED_JPEG, 'me.jpg'));
    expect(bytes.includes('Exif')).toBe(false);
    expect(bytes.includes('13.4050E')).toBe(false);
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    expect([bytes.readUInt16BE(frame + 5), bytes.readUInt16BE(frame + 7)]).toEqual([16, 8]);
  });

  it.each([
    ['wide', blackPng(PICTURE_MAX_SIDE + 1, 1)],
    ['high', blackPng(1, PICTURE_MAX_SIDE + 1)],
    ['large in every way, in few bytes', blackPng(30_000, 30_000)],
  ])('rejects a picture that is too %s, with the limit', async (_name, bytes) => {
    const before = await picturesOf(user);
    expect(await upload(bytes, 'me.png')).toMatchObject({
      statusCode: 400,
      code: 'PICTURE_DIMENSIONS_TOO_LARGE',
      details: [{ field: 'multipartFile', message: 'The image can be at most 3000 pixels wide and high' }],
    });
    expect(await picturesOf(user)).toEqual(before);
  });

  it('accepts the maximum width and height', async () => {
    const bytes = await served(await uploaded(blackPng(PICTURE_MAX_SIDE, PICTURE_MAX_SIDE), 'me.png'));
    expect(readPng(bytes)).toMatchObject({ width: PICTURE_MAX_SIDE, height: PICTURE_MAX_SIDE });
  });

  it('serves one that an earlier version stored', async () => {
    const image = await uploaded(PNG, 'me.png');
    const earlier = Buffer.concat([PNG, HTML]);
    await hub.db.updateTable('picture').set({ bytes: earlier }).where('picture_id', '=', pictureIdOf(image)).execute();
    const answer = await fetchPicture(image, user.token);
    expect(Buffer.from(await answer.arrayBuffer()).equals(earlier)).toBe(true);
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('accepts 5 MB and not a byte more', async () => {
    await uploaded(Buffer.concat([PNG, Buffer.alloc(PICTURE_MAX_BYTES - PNG.length)]), 'me.png');
    const before = await picturesOf(user);
    const tooLarge = await upload(Buffer.concat([PNG, Buffer.alloc(PICTURE_MAX_BYTES - PNG.length + 1)]), 'me.png');
    expect(tooLarge).toMatchObject({ success: false, statusCode: 413, code: 'TOO_LARGE' });
    expect(await picturesOf(user)).toEqual(before);
  });

  // Spec 7.20
  it('is required', async () => {
    const before = await picturesOf(user);
    const headers = { Authorization: user.token, 'Accept-Language': 'en-US' };
    const path = `${hub.url}${personalCalls.updateUserHead.path}`;
    const empty = new FormData();
    empty.set('note', 'no file');
    const misnamed = new FormData();
    misnamed.set('picture', new Blob([Uint8Array.from(PNG)]), 'me.png');
    for (const body of [empty, misnamed, new URLSearchParams({ multipartFile: 'me.png' }), undefined]) {
      const response = await fetch(path, { method: 'POST', headers, ...(body ? { body } : {}) });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'BAD_INPUT',
        details: [{ field: 'multipartFile', message: 'Please choose a file' }],
      });
    }
    expect(await picturesOf(user)).toEqual(before);
  });

  it('replaces the previous one and deletes its row', async () => {
    const first = await uploaded(PNG, 'me.png');
    const second = await uploaded(JPEG, 'me.jpg');
    expect(second).not.toBe(first);
    expect(await picturesOf(user)).toMatchObject([{ content_type: 'image/jpeg' }]);
    const gone = await fetchPicture(first, user.token);
    expect(gone.status).toBe(404);
    expect(await gone.json()).toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('leaves no unused row after concurrent uploads', async () => {
    const answers = await Promise.all([PNG, JPEG, BMP, PNG, JPEG].map((bytes) => upload(bytes, 'me')));
    expect(answers.map((answer) => answer.success)).toEqual([true, true, true, true, true]);
    const [left, ...more] = await picturesOf(user);
    expect(more).toEqual([]);
    const { image } = await user.ok(personalCalls.getPersonalMessage, {});
    expect(image).toMatch(new RegExp(`pictureId=${left?.picture_id}$`));
  });

  it('is shown to its own tenant and the platform only', async () => {
    const image = await uploaded(PNG, 'me.png');
    const colleague = await hub.create.user({ tenancyId: user.tenancyId });
    const outsider = await hub.create.user({ tenancyId: await hub.create.tenancy() });
    const statuses = [];
    for (const token of [colleague.token, hub.admin.token, outsider.token, ''])
      statuses.push((await fetchPicture(image, token)).status);
    expect(statuses).toEqual([200, 200, 404, 401]);
    // The same answer as for a picture that does not exist.
    const refusal = await outsider.error(personalCalls.getUserHead, { pictureId: 'never' });
    expect([refusal.statusCode, refusal.code]).toEqual([404, 'FILE_NOT_FOUND']);
  });

  it('requires a token before the body is read', async () => {
    const before = await hub.db.selectFrom('picture').select('picture_id').execute();
    const answer = await upload(PNG, 'me.png', '', { ...user, token: 'wrong' });
    expect(answer).toMatchObject({ statusCode: 401, code: 'TOKEN_INVALID' });
    expect(await hub.db.selectFrom('picture').select('picture_id').execute()).toEqual(before);
  });
});
