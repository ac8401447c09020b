import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { roleCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begin, offsetAt, openChunk } from './firmware-fixtures.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';

/** Slow requests take minutes. */
describe('a slow request body', () => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());

  /** Sends a byte every ten seconds, up to a number or until the connection is closed. */
  const drip = async (request: ReturnType<typeof httpRequest>, bytes: number): Promise<number | 'cut'> => {
    let cut = false;
    const answered = new Promise<number>((resolve) =>
      request.once('response', (answer) => resolve(answer.statusCode ?? 0)),
    );
    const closed = new Promise<'cut'>((resolve) =>
      request.once('error', () => {
        cut = true;
        resolve('cut');
      }),
    );
    for (let sent = 0; sent < bytes && !cut; sent++) {
      request.write('x');
      await Promise.race([pause(10_000), closed]);
    }
    return Promise.race([answered, closed]);
  };

  it('is allowed for an upload, and ended for a call', async () => {
    const uploadPath = await begin(hub.admin, { size: 15 });
    const upload = openChunk(hub.admin, uploadPath, 15);
    const call = httpRequest(hub.url + roleCalls.addRole.path, {
      method: 'PUT',
      headers: { Authorization: hub.admin.token, 'Content-Length': 15, 'Content-Type': 'application/json' },
    });
    const [uploaded, called] = await Promise.all([drip(upload, 15), drip(call, 15)]);
    expect([uploaded, called]).toEqual([204, 'cut']);
    expect(await offsetAt(hub.admin, uploadPath)).toBe(15);
  }, 240_000);

  it('is ended for an upload that stalls; received bytes are stored', async () => {
    const uploadPath = await begin(hub.admin, { size: 15 });
    const upload = openChunk(hub.admin, uploadPath, 15);
    const closed = new Promise<void>((resolve) => upload.once('error', () => resolve()));
    upload.write('12345');
    await closed;
    expect(await offsetAt(hub.admin, uploadPath)).toBe(5);
  }, 240_000);
});
