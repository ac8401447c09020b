import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireClaims } from './claims-fixtures.ts';
import { LONG } from './connectivity-fixtures.ts';
import { begin, bytesAt, checked, idAt, offsetAt, randomContent, sendChunk, sums, uriAt } from './firmware-fixtures.ts';
import { type SpawnedHub, spawnHub } from './hub.ts';
import { adminProcess } from './hub-process.ts';

let hub: SpawnedHub;
beforeAll(async () => {
  hub = await spawnHub();
});
afterAll(() => hub.close());

const pathOf = (uploadPath: string): string => bytesAt(hub, uploadPath);

describe('kill -9', () => {
  const LENGTH = LONG ? 40_000_000 : 25_000_000;

  it('during an upload loses nothing that was acknowledged', async () => {
    const bytes = randomContent(LENGTH);
    const uploadPath = await begin(hub.admin, { size: LENGTH });
    expect((await sendChunk(hub.admin, uploadPath, 0, bytes.subarray(0, 1_000_000))).status).toBe(204);
    const cut = sendChunk(hub.admin, uploadPath, 1_000_000, bytes.subarray(1_000_000)).catch(() => 'cut');
    const fileSize = () => statSync(pathOf(uploadPath)).size;
    await expect.poll(fileSize, { timeout: 20_000, interval: 5 }).toBeGreaterThan(1_000_000);
    process.kill(adminProcess(hub.process), 'SIGKILL');
    expect(await cut).toBe('cut');
    await expireClaims(hub);
    // The supervisor starts it again, on the port it had.
    await expect
      .poll(() => offsetAt(hub.admin, uploadPath).catch(() => 0), { timeout: 40_000, interval: 100 })
      .toBeGreaterThanOrEqual(1_000_000);
    const offset = await offsetAt(hub.admin, uploadPath);
    expect(offset).toBeLessThan(LENGTH);
    expect(bytes.subarray(0, offset).equals(readFileSync(pathOf(uploadPath)))).toBe(true);
    expect((await sendChunk(hub.admin, uploadPath, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await checked(hub.admin, uriAt(uploadPath))).toMatchObject({ state: 'ready', ...sums(bytes) });
  }, 90_000);

  it('after the last byte, before its completion is stored, is recovered', async () => {
    const bytes = randomContent(1_000);
    const uploadPath = await begin(hub.admin, { size: 1_000 });
    await sendChunk(hub.admin, uploadPath, 0, bytes.subarray(0, 400));
    await hub.process.kill();
    // As the dead one left it: all bytes written, the row still held.
    appendFileSync(pathOf(uploadPath), bytes.subarray(400));
    await hub.db
      .updateTable('firmware_file')
      .set({ checker_until: Date.now() + 1_000 })
      .where('file_id', '=', idAt(uploadPath))
      .execute();
    hub = await hub.start();
    expect(await checked(hub.admin, uriAt(uploadPath))).toMatchObject({ state: 'ready', ...sums(bytes) });
  }, 60_000);

  it('during a check leaves it to the next hub', async () => {
    const bytes = Buffer.alloc(LENGTH * 3, randomContent(1_000_003));
    const uploadPath = await begin(hub.admin, { size: bytes.length });
    expect((await sendChunk(hub.admin, uploadPath, 0, bytes)).status).toBe(204);
    const rowOf = () =>
      hub.db.selectFrom('firmware_file').selectAll().where('file_id', '=', idAt(uploadPath)).executeTakeFirstOrThrow();
    await expect.poll(async () => (await rowOf()).checker_until, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0);
    process.kill(adminProcess(hub.process), 'SIGKILL');
    // Killed in the middle, or this would show nothing.
    const left = await rowOf();
    expect([left.state, left.sha256]).toEqual(['checking', '']);
    expect(left.checker_until).toBeGreaterThan(Date.now());
    await expireClaims(hub);
    await expect.poll(async () => (await rowOf()).state, { timeout: 60_000, interval: 100 }).toBe('ready');
    expect(await rowOf()).toMatchObject({ ...sums(bytes), fault: '', checker_until: 0 });
  }, 120_000);
});
