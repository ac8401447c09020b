import { request } from 'node:http';
import {
  allCalls,
  applicationCalls,
  auditCalls,
  personalCalls,
  productCalls,
  recordCalls,
  zoneCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNewDevice, createProductFixture } from '../device-fixtures.ts';
import { type Hub, unique } from '../hub.ts';
import { startHub } from '../in-process-hub.ts';
import { HTML, PNG, pictureIdOf, SVG, upload, uploadedIcon } from '../pictures.ts';
import { zoneFields } from '../zone-fixtures.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.close());

const SCRIPT = '<img src=x onerror=alert(1)>';
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${hub.url}${path}`, { headers: { Authorization: hub.admin.token, ...headers } });

const expectInert = (answer: Response, type: RegExp): void => {
  expect(answer.headers.get('content-type')).toMatch(type);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  expect(answer.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/,
  );
  expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
};

describe('script in texts of users and devices', () => {
  it('is returned unchanged, in JSON that no browser renders', async () => {
    const fixture = await createProductFixture(hub);
    const device = await connectNewDevice(hub, fixture);
    const { deviceId } = device;
    await device.send({ type: 6, payload: { logs: [{ level: 6, time: Date.now(), log: SCRIPT }] } });
    await device.send({ type: 5, payload: { hardware: SCRIPT, sdk: SCRIPT } });
    await device.end();
    await hub.admin.ok(zoneCalls.addZone, zoneFields({ zoneName: SCRIPT }) as never);
    const browser = await fetch(`${hub.url}${personalCalls.getPersonalMessage.path}`, {
      headers: { Authorization: hub.admin.token, 'User-Agent': SCRIPT },
    });
    expectInert(browser, /^application\/json/);
    for (const [path, query] of [
      [recordCalls.queryDeviceLogList.path, { deviceId }],
      [recordCalls.deviceMessageRecord.path, { deviceId }],
      [auditCalls.queryAuditLogList.path, {}],
      [zoneCalls.queryZoneList.path, {}],
    ] as const) {
      const answer = await get(`${path}?${new URLSearchParams(query)}`, { Accept: 'text/html' });
      expectInert(answer, /^application\/json/);
      expect(await answer.text(), path).toContain(JSON.stringify(SCRIPT).slice(1, -1));
    }
  });

  it('does not appear in error messages or headers', async () => {
    const asked = encodeURIComponent(`${SCRIPT}\r\nX-Evil: 1`);
    for (const path of [
      `/${asked}`,
      `/iot-hub/admin/${asked}`,
      `${applicationCalls.getApplicationDetails.path}?applicationId=${asked}`,
    ]) {
      const answer = await get(path, { Accept: 'application/json', 'Accept-Language': SCRIPT });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectInert(answer, /^application\/json/);
      expect(answer.headers.get('x-evil')).toBeNull();
      expect(await answer.text()).not.toContain('<img');
    }
  });
});

describe('a picture that is also an HTML page', () => {
  it('is only a picture for every browser', async () => {
    const polyglot = Buffer.concat([PNG, HTML, SVG]);
    const icon = await uploadedIcon(hub.admin, polyglot);
    const read = await get(`${productCalls.getProductPicture.path}?pictureId=${pictureIdOf(icon)}`, {
      Accept: 'text/html',
    });
    expectInert(read, /^image\/png$/);
    expect(read.headers.get('content-security-policy')).toMatch(/sandbox/);
    expect(Buffer.from(await read.arrayBuffer()).includes('script')).toBe(false);
  });

  it.each([
    ['an SVG under a picture’s name', SVG],
    ['a page under a picture’s name', HTML],
    ['a page before the picture', Buffer.concat([HTML, PNG])],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['a ZIP', Buffer.from('PK\x03\x04')],
  ])('is rejected when it begins as %s', async (_kind, bytes) => {
    const sent = { bytes, filename: 'picture.png', type: 'image/png' };
    for (const call of [personalCalls.updateUserHead, productCalls.uploadProductPicture])
      expect(await upload(hub.admin, call, sent)).toMatchObject({ success: false, statusCode: 400 });
  });
});

describe('another site', () => {
  const Origin = 'https://evil.example.net';

  it('is allowed by no call (CORS)', async () => {
    for (const { slice, name, call } of allCalls) {
      const asked = {
        Origin,
        'Access-Control-Request-Method': call.method,
        'Access-Control-Request-Headers': 'authorization',
      };
      const answer = await fetch(`${hub.url}${call.path}`, { method: 'OPTIONS', headers: asked });
      const told = [...answer.headers.keys()].filter((header) => header.startsWith('access-control-'));
      expect(told, `${slice}.${name}`).toEqual([]);
    }
  });

  it('changes nothing by a form of its own with the session of its visitor', async () => {
    const applicationName = unique('forged');
    const site = { Origin, Referer: Origin, Cookie: `Authorization=${hub.admin.token}` };
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const body = type === 'text/plain' ? JSON.stringify({ applicationName }) : `applicationName=${applicationName}`;
      const headers = { ...site, 'Content-Type': type };
      const answer = await fetch(`${hub.url}${applicationCalls.addApplication.path}`, { method: 'PUT', headers, body });
      expect([401, 415]).toContain(answer.status);
    }
    const { total } = await hub.admin.ok(applicationCalls.queryApplicationList, { searchValue: applicationName });
    expect(total).toBe(0);
  });
});

describe('path traversal', () => {
  const up = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '....//', '%252e%252e%252f', '..;/'];

  /** Sends the path unchanged: other clients would normalize it. */
  const ask = (path: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(hub.url);
      const asked = request({ hostname, port, path, headers: { Accept: 'application/json' } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.on('error', reject).end();
    });

  it('is rejected in every address', async () => {
    for (const step of up)
      for (const path of [
        `/assets/${step.repeat(9)}etc/passwd`,
        `/${step.repeat(9)}etc/passwd`,
        `/assets/${step}x%00.js`,
      ]) {
        const { status, text } = await ask(path);
        expect(status, path).toBeGreaterThanOrEqual(400);
        expect(text, path).not.toMatch(/root:|<!doctype/i);
      }
  });

  it('is rejected in names of log files', async () => {
    for (const step of up) {
      const logFileName = `${step.repeat(6)}etc/passwd`;
      expect(await hub.admin.send(recordCalls.downloadDeviceLogFile, { logFileName })).toMatchObject({
        success: false,
      });
    }
  });
});
