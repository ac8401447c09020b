import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { applicationCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpawnedHub, spawnHub } from '../hub.ts';
import { adminProcess, residentMiB } from '../hub-process.ts';

let hub: SpawnedHub;
beforeAll(async () => {
  hub = await spawnHub();
});
afterAll(() => hub.close());

describe('a compressed request body', () => {
  const large = Buffer.from(`{"applicationName":"${'a'.repeat(200 * 1024 * 1024)}"}`);

  it.each([
    ['gzip', () => gzipSync(large, { level: 1 })],
    ['deflate', () => deflateSync(large, { level: 1 })],
    ['br', () => brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('is not decompressed: %s', async (encoding, pack) => {
    const body = new Uint8Array(pack());
    const before = residentMiB(adminProcess(hub.process));
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const answer = await fetch(`${hub.url}${applicationCalls.addApplication.path}`, {
        method: 'PUT',
        headers: { Authorization: hub.admin.token, 'Content-Type': type, 'Content-Encoding': encoding },
        body,
      });
      expect([400, 413]).toContain(answer.status);
    }
    expect(residentMiB(adminProcess(hub.process)) - before).toBeLessThan(150);
    expect((await fetch(`${hub.url}/health/ready`)).ok).toBe(true);
  });
});
