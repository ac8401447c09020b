import { PICTURE_MAX_BYTES, personalCalls, productCalls, tenancyCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepPictures } from '../src/domain/picture/pictures.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { BMP, GIF, HTML, JPEG, PNG, pictureIdOf, SVG, upload, uploadedIcon } from './pictures.ts';

let hub: Hub;
let tenancyId: string;
let user: TestUser;

beforeAll(async () => {
  hub = await sharedHub();
  tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [502] });
});
afterAll(() => hub.close());

const { uploadProductPicture, getProductPicture, updateDeviceProduct, getDeviceProductDetails } = productCalls;

const pictureIds = async (tenant = tenancyId): Promise<string[]> => {
  const rows = await hub.db.selectFrom('picture').select('picture_id').where('tenancy_id', '=', tenant).execute();
  return rows.map((row) => row.picture_id).sort();
};
const fetched = (icon: string, token: string) => fetch(`${hub.url}${icon}`, { headers: { Authorization: token } });
const statusOf = async (icon: string, token = user.token) => (await fetched(icon, token)).status;
const iconOf = async (productId: string) => (await user.ok(getDeviceProductDetails, { productId })).icon;
const withPicture = async (bytes: Uint8Array = PNG) => {
  const icon = await uploadedIcon(user, bytes);
  return { icon, productId: await hub.create.product(tenancyId, { icon }) };
};
const setIcon = (productId: string, icon: string, client: Pick<TestUser, 'call'> = user) =>
  client.call(updateDeviceProduct, { productId, productName: unique('p'), icon });

describe('a product picture', () => {
  // Spec 5.66
  it.each([
    ['png', PNG, 'image/png', 'lamp.png'],
    ['jpg', JPEG, 'image/jpeg', 'lamp.jpg'],
    ['png under another name', PNG, 'image/png', 'lamp.exe'],
  ])('is served as a picture that is never executed: %s', async (_kind, bytes, contentType, filename) => {
    const answer = await upload(user, uploadProductPicture, { bytes, filename, type: 'text/html' });
    expect(answer).toMatchObject({ success: true });
    const { icon } = (answer as { data: { icon: string } }).data;
    expect(icon).toMatch(/^\/iot-hub\/admin\/device\/product\/getProductPicture\?pictureId=\w+$/);
    const productId = await hub.create.product(tenancyId, { icon });
    expect(await iconOf(productId)).toBe(icon);
    const read = await fetched(icon, user.token);
    expect(read.status).toBe(200);
    expect(read.headers.get('content-type')).toBe(contentType);
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
    expect(read.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(read.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
    expect(read.headers.get('content-disposition')).toBeNull();
  });

  // Spec 5.66
  it.each([
    ['svg', SVG, 'lamp.svg', 'image/svg+xml'],
    ['html', HTML, 'lamp.html', 'text/html'],
    ['html named png', HTML, 'lamp.png', 'image/png'],
    ['gif', GIF, 'lamp.gif', 'image/gif'],
    ['bmp', BMP, 'lamp.bmp', 'image/bmp'],
    ['half a png signature', PNG.subarray(0, 5), 'lamp.png', 'image/png'],
    ['nothing', Buffer.alloc(0), 'lamp.png', 'image/png'],
    ['a png that was cut off', PNG.subarray(0, 50), 'lamp.png', 'image/png'],
  ])('is rejected and not stored: %s', async (_kind, bytes, filename, type) => {
    const before = await pictureIds();
    const field = 'multipartFile';
    for (const [language, message] of [
      ['en-US', 'The image must be a jpg or png file'],
      ['zh-CN', '图片内容不是 jpg 或 png'],
    ] as const) {
      const answer = await upload(user, uploadProductPicture, { bytes, filename, type, language });
      expect(answer).toMatchObject({
        statusCode: 400,
        code: 'PRODUCT_PICTURE_UNREADABLE',
        details: [{ field, message }],
      });
    }
    expect(await pictureIds()).toEqual(before);
  });

  it('may have 5 MB and not a byte more', async () => {
    const whole = Buffer.concat([PNG, Buffer.alloc(PICTURE_MAX_BYTES - PNG.length)]);
    await uploadedIcon(user, whole);
    const before = await pictureIds();
    const answer = await upload(user, uploadProductPicture, { bytes: Buffer.concat([whole, Buffer.alloc(1)]) });
    expect(answer).toMatchObject({ statusCode: 413, code: 'TOO_LARGE' });
    expect(await pictureIds()).toEqual(before);
  });

  it('is visible to its own tenant and the platform only', async () => {
    const { icon } = await withPicture();
    const unused = await uploadedIcon(user);
    const outsider = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [502] });
    for (const each of [icon, unused]) {
      expect(await statusOf(each, hub.admin.token)).toBe(200);
      expect(await statusOf(each, outsider.token)).toBe(404);
      expect(await statusOf(each, '')).toBe(401);
    }
    const theirs = await hub.create.product(outsider.tenancyId);
    expect(await setIcon(theirs, unused, outsider)).toMatchObject({ statusCode: 404, code: 'FILE_NOT_FOUND' });
    expect(await statusOf(unused)).toBe(200);
  });

  it('cannot be used as an avatar, nor an avatar as product picture', async () => {
    const answer = await upload(user, personalCalls.updateUserHead, { bytes: PNG });
    const image = (answer as { data: { image: string } }).data.image;
    const { icon, productId } = await withPicture();
    expect(await statusOf(image.replace(personalCalls.getUserHead.path, getProductPicture.path))).toBe(404);
    expect(await statusOf(icon.replace(getProductPicture.path, personalCalls.getUserHead.path))).toBe(404);
    const refusal = await setIcon(productId, pictureIdOf(image));
    expect(refusal).toMatchObject({ statusCode: 404, code: 'FILE_NOT_FOUND', details: [{ field: 'icon' }] });
    expect(await iconOf(productId)).toBe(icon);
    expect(await statusOf(image)).toBe(200);
  });

  it('is set by the answered icon or its id, and stays when it is sent again', async () => {
    const icon = await uploadedIcon(user);
    const productId = await hub.create.product(tenancyId, { icon: pictureIdOf(icon) });
    expect(await iconOf(productId)).toBe(icon);
    for (const again of [icon, pictureIdOf(icon)])
      expect(await setIcon(productId, again)).toMatchObject({ success: true });
    await user.ok(updateDeviceProduct, { productId, productName: unique('p') });
    expect(await iconOf(productId)).toBe(icon);
    expect(await statusOf(icon)).toBe(200);
  });

  it('is deleted with a new one, an empty icon, or its product', async () => {
    const { icon: first, productId } = await withPicture();
    const second = await uploadedIcon(user, JPEG);
    expect(await setIcon(productId, second)).toMatchObject({ success: true });
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    expect(await setIcon(productId, '')).toMatchObject({ success: true });
    expect([await iconOf(productId), await statusOf(second)]).toEqual(['', 404]);
    const third = await uploadedIcon(user);
    await setIcon(productId, third);
    await user.ok(productCalls.deleteDeviceProduct, { productIds: [productId] });
    expect(await statusOf(third)).toBe(404);
    const left = await pictureIds();
    for (const icon of [first, second, third]) expect(left).not.toContain(pictureIdOf(icon));
  });

  it('belongs to one product: a second cannot use it, also concurrently', async () => {
    const { icon, productId } = await withPicture();
    const other = await hub.create.product(tenancyId);
    expect(await setIcon(other, icon)).toMatchObject({ statusCode: 404, code: 'FILE_NOT_FOUND' });
    expect([await iconOf(productId), await iconOf(other)]).toEqual([icon, '']);
    for (let round = 0; round < 6; round++) {
      const fresh = await uploadedIcon(user);
      const rivals = [await hub.create.product(tenancyId), await hub.create.product(tenancyId)];
      const answers = await Promise.all(rivals.map((rival) => setIcon(rival, fresh)));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
      expect((await Promise.all(rivals.map(iconOf))).sort()).toEqual(['', fresh]);
    }
  });

  it('uploaded by the platform operator becomes the tenant’s with its product', async () => {
    const icon = await uploadedIcon(hub.admin);
    expect(await statusOf(icon)).toBe(404);
    await hub.create.product(tenancyId, { icon });
    expect(await statusOf(icon)).toBe(200);
  });

  it('of a rejected product can be used again', async () => {
    const icon = await uploadedIcon(user);
    const kind = { categoryId: 'nobody', nodeType: 1, protocolId: 1, classId: 1 } as const;
    const sent = { productName: unique('p'), icon, ...kind };
    expect(await user.error(productCalls.addDeviceProduct, sent)).toMatchObject({ code: 'CATEGORY_NOT_FOUND' });
    await hub.create.product(tenancyId, { icon });
    expect(await statusOf(icon)).toBe(200);
  });
});

describe('the sweep of product pictures', () => {
  it('deletes those that are unused for a day, and no others', async () => {
    const { icon: used } = await withPicture();
    const [stale, fresh] = [await uploadedIcon(user), await uploadedIcon(user)];
    const answer = await upload(user, personalCalls.updateUserHead, { bytes: JPEG });
    const avatar = (answer as { data: { image: string } }).data.image;
    const doomed = await hub.create.tenancy();
    const orphan = await uploadedIcon(hub.admin);
    await hub.create.product(doomed, { icon: orphan });
    await hub.admin.ok(tenancyCalls.deleteTenancy, { tenancyId: doomed });
    const age = (hours: number, icons: string[]) =>
      hub.db
        .updateTable('picture')
        .set({ created_at: Date.now() - hours * 3600 * 1000 })
        .where('picture_id', 'in', icons.map(pictureIdOf))
        .execute();
    await age(25, [used, stale, avatar, orphan]);
    await age(23, [fresh]);
    await sweepPictures(hub.db);
    expect([await statusOf(used), await statusOf(fresh), await statusOf(avatar)]).toEqual([200, 200, 200]);
    expect([await statusOf(stale), await statusOf(orphan, hub.admin.token)]).toEqual([404, 404]);
    expect(await pictureIds(doomed)).toEqual([]);
  });
});
