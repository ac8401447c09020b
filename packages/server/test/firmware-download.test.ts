import { rmSync } from 'node:fs';
import {
  type Answer,
  bucketCalls,
  type Output,
  otaCalls,
  type UpgradeStatusId,
  undoneStatuses,
  upgradeStatusIds,
} from '@device-center/contract';
import '@device-center/contract/test/random.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import {
  bytesAt,
  createVersion,
  insertTask,
  insertTaskDevice,
  insertUpgradeLink,
  randomContent,
} from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { login } from './raw-device.ts';

type Made = Awaited<ReturnType<typeof createVersion>>;

let hub: Hub;
let place: ProductFixture;
let version: Made;
let device: { deviceId: string; token: string };

const newDevice = async () => {
  const deviceId = unique('dev');
  const { token } = await login(hub.url, { productId: place.productId, deviceId, secret: place.productSecret });
  return { deviceId, token };
};

const upgradeOf = ({ versionId, file }: Made, deviceId: string, lifeMs?: number) =>
  insertUpgradeLink(hub, { versionId, ...place, deviceId, firmwareUri: file.firmwareUri, lifeMs });
const linkOf = async (created: Made, deviceId: string, lifeMs?: number): Promise<string> =>
  (await upgradeOf(created, deviceId, lifeMs)).link;

const fetchAs = (url: string, token: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, {
    method,
    headers: { ...(token ? { Authorization: token } : {}), 'Accept-Language': 'en-US', ...headers },
  });

beforeAll(async () => {
  hub = await sharedHub();
  place = await createProductFixture(hub);
  version = await createVersion(hub, place, '1.0.0', randomContent(100_003));
  device = await newDevice();
});
afterAll(() => hub.close());

const newLink = async (deviceOtaTaskId: unknown, attempt: unknown, token: string) => {
  const query = new URLSearchParams({ deviceOtaTaskId: String(deviceOtaTaskId), attempt: String(attempt) });
  const answer = await fetchAs(`${hub.url}${bucketCalls.getFirmwareLink.path}?${query}`, token);
  return (await answer.json()) as Answer<Output<typeof bucketCalls.getFirmwareLink>>;
};

describe('a download link', () => {
  it('delivers the whole file to its device', async () => {
    const answer = await fetchAs(await linkOf(version, device.deviceId), device.token);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(version.bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '100003',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-transform',
      etag: `"${version.file.sha256}"`,
      'content-disposition': `attachment; filename="${version.file.nickName}"`,
      'x-content-type-options': 'nosniff',
    });
  });

  it('is rejected for another device, without a token, or with a wrong one', async () => {
    const link = await linkOf(version, device.deviceId);
    const other = await newDevice();
    const refused = async (token: string) => (await fetchAs(link, token)).json();
    expect(await refused(other.token)).toMatchObject({ statusCode: 403, code: 'LINK_INVALID', data: null });
    for (const token of ['', 'nonsense', hub.admin.token])
      expect(await refused(token)).toMatchObject({ statusCode: 401, code: 'TOKEN_INVALID' });
    await hub.db.updateTable('device_session').set({ expires_at: 1 }).where('device_id', '=', other.deviceId).execute();
    expect(await refused(other.token)).toMatchObject({ statusCode: 401, code: 'TOKEN_EXPIRED' });
    await hub.db.updateTable('device_session').set({ ended: 1 }).where('device_id', '=', other.deviceId).execute();
    expect(await refused(other.token)).toMatchObject({ statusCode: 401, code: 'TOKEN_INVALID' });
  });

  it('is rejected when it is expired, altered or forged', async () => {
    const right = await linkOf(version, device.deviceId);
    const [address = '', link = ''] = right.split('?link=');
    const [text = '', signature = ''] = link.split('.');
    const forged = Buffer.from(
      JSON.stringify(JSON.parse(Buffer.from(text, 'base64url').toString()).with(4, Date.now() * 2)),
    ).toString('base64url');
    const wrong = [
      await linkOf(version, device.deviceId, -1),
      `${address}?link=${forged}.${signature}`,
      `${address}?link=${text}.${signature.slice(0, -4)}`,
      `${address}?link=${text}.`,
      `${address}?link=${text}`,
      `${address}?link=.`,
      `${address}?link=nonsense`,
    ];
    for (const url of wrong)
      expect(await (await fetchAs(url, device.token)).json(), url).toMatchObject({
        statusCode: 403,
        code: 'LINK_INVALID',
      });
    for (const url of [address, `${address}?link=`, `${address}?link=${'x'.repeat(501)}`])
      expect(await (await fetchAs(url, device.token)).json()).toMatchObject({ statusCode: 400, code: 'MALFORMED' });
    expect((await fetchAs(right, device.token, {}, 'HEAD')).status).toBe(200);
  });

  it('reports a missing file', async () => {
    const created = await createVersion(hub, place);
    const link = await linkOf(created, device.deviceId);
    rmSync(bytesAt(hub, created.file.firmwareUri));
    expect(await (await fetchAs(link, device.token)).json()).toMatchObject({
      statusCode: 404,
      code: 'FIRMWARE_NOT_FOUND',
    });
  });

  it('is valid until the upgrade ends, for any attempt', async () => {
    const { link, recordNo, taskId } = await upgradeOf(version, device.deviceId);
    const found = async () => (await fetchAs(link, device.token, {}, 'HEAD')).status;
    const set = (changes: { status?: UpgradeStatusId; attempt?: number }) =>
      hub.db.updateTable('ota_device').set(changes).where('record_no', '=', recordNo).execute();
    for (const status of upgradeStatusIds) {
      await set({ status });
      expect([status, await found()]).toEqual([status, undoneStatuses.includes(status) ? 200 : 403]);
    }
    await set({ status: 2, attempt: 2 });
    expect(await found()).toBe(200);
    await hub.admin.ok(otaCalls.cancelOtaTask, { taskId });
    expect(await (await fetchAs(link, device.token)).json()).toMatchObject({ statusCode: 403, code: 'LINK_INVALID' });
    await hub.admin.ok(otaCalls.deleteDeviceOtaTask, { taskIds: [taskId] });
    expect(await found()).toBe(403);
  });

  it('serves a child by its own token', async () => {
    const child = await newDevice();
    await hub.db
      .updateTable('device_session')
      .set({ gateway_id: device.deviceId })
      .where('device_id', '=', child.deviceId)
      .execute();
    expect((await fetchAs(await linkOf(version, child.deviceId), child.token)).status).toBe(200);
    expect((await fetchAs(await linkOf(version, device.deviceId), child.token)).status).toBe(403);
  });
});

describe('a range request', () => {
  const numbers = fc.oneof(fc.integer({ min: 0, max: 100_010 }), fc.constantFrom(0, 1, 100_002, 100_003, 10 ** 15));
  const ranges = fc.oneof(
    fc.tuple(numbers, numbers).map(([from, to]) => `bytes=${from}-${to}`),
    numbers.map((from) => `bytes=${from}-`),
    numbers.map((length) => `bytes=-${length}`),
    fc.constantFrom('bytes=-', 'bytes=', 'bytes=a-b', 'bytes=1-2,5-6', 'items=0-5', '0-5', 'bytes=5', 'Bytes = 3-9'),
  );

  /** By the RFC alone: nothing where the whole is answered, or which bytes, or that there are none. */
  const meant = (range: string, size: number): [number, number] | 'none' | undefined => {
    const [, from, to] = /^bytes *= *(\d*)-(\d*)$/i.exec(range) ?? [];
    if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
    if (from === '') return Number(to) === 0 ? 'none' : [Math.max(0, size - Number(to)), size - 1];
    if (to !== '' && Number(to) < Number(from)) return undefined;
    if (Number(from) >= size) return 'none';
    return [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  };

  it('returns exactly the requested bytes', async () => {
    const link = await linkOf(version, device.deviceId);
    const { bytes } = version;
    await fc.assert(
      fc.asyncProperty(ranges, async (range) => {
        const answer = await fetchAs(link, device.token, { Range: range });
        const expected = meant(range, bytes.length);
        if (expected === 'none') {
          expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
          expect(await answer.json()).toMatchObject({ statusCode: 416, code: 'RANGE_NOT_SATISFIABLE' });
          return;
        }
        const [from, to] = expected ?? [0, bytes.length - 1];
        expect(answer.status).toBe(expected ? 206 : 200);
        expect(answer.headers.get('content-range')).toBe(expected ? `bytes ${from}-${to}/${bytes.length}` : null);
        expect(answer.headers.get('content-length')).toBe(String(to - from + 1));
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from, to + 1))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('returns a part only of the same file (If-Range)', async () => {
    const link = await linkOf(version, device.deviceId);
    const asked = async (ifRange: string) =>
      (await fetchAs(link, device.token, { Range: 'bytes=10-19', 'If-Range': ifRange })).status;
    const etag = `"${version.file.sha256}"`;
    expect(await asked(etag)).toBe(206);
    expect(await asked(`W/${etag}`)).toBe(200);
    expect(await asked('"another"')).toBe(200);
    expect(await asked(new Date().toUTCString())).toBe(200);
  });

  it('resumes an interrupted download', async () => {
    const link = await linkOf(version, device.deviceId);
    const left = new AbortController();
    const first = await fetch(link, { headers: { Authorization: device.token }, signal: left.signal });
    const reader = first.body?.getReader();
    const { value: start = new Uint8Array() } = (await reader?.read()) ?? {};
    left.abort();
    const rest = await fetchAs(link, device.token, {
      Range: `bytes=${start.length}-`,
      'If-Range': first.headers.get('etag') ?? '',
    });
    const whole = Buffer.concat([start, Buffer.from(await rest.arrayBuffer())]);
    expect(whole.equals(version.bytes)).toBe(true);
  });
});

describe('HEAD', () => {
  it('returns all headers without the body', async () => {
    const link = await linkOf(version, device.deviceId);
    const head = await fetchAs(link, device.token, {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const whole = await fetchAs(link, device.token);
    await whole.arrayBuffer();
    for (const name of ['content-length', 'etag', 'accept-ranges', 'content-type', 'content-disposition'])
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
    expect((await fetchAs(link, '', {}, 'HEAD')).status).toBe(401);
  });

  it('and GET answer 304 when nothing has changed', async () => {
    const link = await linkOf(version, device.deviceId);
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'If-None-Match': `"x", "${version.file.sha256}"` };
      const answer = await fetchAs(link, device.token, headers, method);
      expect([answer.status, await answer.text()]).toEqual([304, '']);
    }
  });
});

describe('the file name of a download', () => {
  it.each([
    ['plain (1).bin', 'attachment; filename="plain (1).bin"'],
    ['门锁.bin', 'attachment; filename="__.bin"; filename*=UTF-8\'\'%E9%97%A8%E9%94%81.bin'],
    ['a";\'%x.bin', "attachment; filename=\"a_;'_x.bin\"; filename*=UTF-8''a%22%3B%27%25x.bin"],
  ])('%s is escaped in the header', async (nickName, expected) => {
    const created = await createVersion(hub, place);
    await hub.db
      .updateTable('ota_version')
      .set({ nick_name: nickName })
      .where('version_id', '=', created.versionId)
      .execute();
    const head = await fetchAs(await linkOf(created, device.deviceId), device.token, {}, 'HEAD');
    expect(head.headers.get('content-disposition')).toBe(expected);
  });
});

describe('getFirmwareLink', () => {
  it('returns a working link to a device with an upgrade in progress, for that attempt', async () => {
    const taskId = await insertTask(hub, { ...version, ...place }, 2);
    const record = (status: number, deviceId = device.deviceId) =>
      insertTaskDevice(hub, taskId, { deviceId, tenancyId: place.tenancyId, status, attempt: 3 });
    const own = await record(2);
    const answer = await newLink(own, 3, device.token);
    expect(answer).toMatchObject({ success: true, data: { expireIn: 3_600 } });
    const url = answer.success ? answer.data.url : '';
    expect(url.startsWith(`${hub.url}${bucketCalls.downloadFirmware.path}?link=`)).toBe(true);
    expect(url.length).toBeLessThan(500);
    const file = await fetchAs(url, device.token);
    expect(Buffer.from(await file.arrayBuffer()).equals(version.bytes)).toBe(true);

    const other = await newDevice();
    const none = { statusCode: 404, code: 'UPGRADE_NOT_FOUND' };
    expect(await newLink(own, 2, device.token)).toMatchObject(none);
    expect(await newLink(own, 4, device.token)).toMatchObject(none);
    expect(await newLink(own, 3, other.token)).toMatchObject(none);
    expect(await newLink('1', 3, device.token)).toMatchObject(none);
    expect(await newLink('not-a-number', 3, device.token)).toMatchObject(none);
    expect(await newLink(own, 3, '')).toMatchObject({ statusCode: 401, code: 'TOKEN_INVALID' });
    expect(await newLink(own, 0, device.token)).toMatchObject({ statusCode: 400, code: 'MALFORMED' });
    for (const status of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const one = await newDevice();
      const given = await newLink(await record(status, one.deviceId), 3, one.token);
      expect([status, given.success]).toEqual([status, status >= 1 && status <= 4]);
    }
  });
});
