import { appendFileSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  begin,
  bytesAt,
  checked,
  idAt,
  offsetAt,
  sendPiece,
  someBytes,
  sums,
  uploaded,
  uriAt,
} from './firmware-kit.ts';
import { type Hub, startHub } from './hub.ts';
import { adminSide } from './hub-process.ts';
import { startAgain } from './link-kit.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.close());

const pathOf = (place: string): string => bytesAt(hub, place);

const tar = Buffer.alloc(1_024);
tar.write('a.txt', 0);
tar.write('ustar', 257);
const zip = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), someBytes(2_000)]);
const record = ':10010000214601360121470136007EFE09D2190140\r\n';
const hex = Buffer.from(`${record.repeat(40)}:00000001FF\r\n`);

describe('the check', () => {
  it.each([
    ['a.bin', someBytes(1), ''],
    ['a.img', Buffer.from('anything at all'), ''],
    ['a.zip', zip, ''],
    ['a.apk', zip, ''],
    ['a.APK', zip, ''],
    ['a.tar', tar, ''],
    ['a.hex', hex, ''],
    ['a.hex', Buffer.from(':00000001FF\n'), ''],
    ['a.hex', Buffer.from(':00000001FF'), ''],
    ['a.zip', Buffer.from('PK'), 'format'],
    ['a.zip', tar, 'format'],
    ['a.apk', someBytes(1_000), 'format'],
    ['a.tar', zip, 'format'],
    ['a.tar', Buffer.from('ustar'), 'format'],
    ['a.hex', Buffer.from('10010000214601360121470136007EFE09D2190140\n'), 'format'],
    ['a.hex', Buffer.from(record.replace('40\r', '41\r')), 'format'],
    ['a.hex', Buffer.from(`${record}hello\r\n`), 'format'],
    ['a.hex', Buffer.from(':\n'), 'format'],
    ['a.hex', zip, 'format'],
  ])('of %s finds what it is (%#)', async (fileName, bytes, fault) => {
    const file = await uploaded(hub.admin, bytes, { fileName });
    expect(file).toMatchObject({ state: fault === '' ? 'ready' : 'failed', fault, ...sums(bytes) });
  });

  it('of nothing finds nothing', async () => {
    const place = await begin(hub.admin, { size: 0 });
    expect(await checked(hub.admin, uriAt(place))).toMatchObject({ state: 'failed', fault: 'empty', sha256: '' });
  });

  it.each([
    ['is shorter than it was', 'size', (path: string) => truncateSync(path, 50)],
    ['is longer', 'size', (path: string) => appendFileSync(path, 'x')],
    ['is gone', 'lost', (path: string) => rmSync(path)],
  ])('of a file that %s by then says so', async (_what, fault, spoil) => {
    const place = await begin(hub.admin, { size: 100 });
    await sendPiece(hub.admin, place, 0, someBytes(99));
    await hub.db.updateTable('firmware_file').set({ checker_until: 0 }).where('file_id', '=', idAt(place)).execute();
    appendFileSync(pathOf(place), 'y');
    spoil(pathOf(place));
    await hub.db.updateTable('firmware_file').set({ state: 'checking' }).where('file_id', '=', idAt(place)).execute();
    expect(await checked(hub.admin, uriAt(place))).toMatchObject({ state: 'failed', fault });
  });
});

describe('kill -9', () => {
  const LENGTH = 40_000_000;

  it('in the middle of an upload loses nothing that was acknowledged', async () => {
    const bytes = someBytes(LENGTH);
    const place = await begin(hub.admin, { size: LENGTH });
    expect((await sendPiece(hub.admin, place, 0, bytes.subarray(0, 1_000_000))).status).toBe(204);
    const cut = sendPiece(hub.admin, place, 1_000_000, bytes.subarray(1_000_000)).catch(() => 'cut');
    const fileSize = () => statSync(pathOf(place)).size;
    await expect.poll(fileSize, { timeout: 20_000, interval: 5 }).toBeGreaterThan(1_000_000);
    process.kill(adminSide(hub.process), 'SIGKILL');
    expect(await cut).toBe('cut');
    // The supervisor starts it again, on the port it had.
    await expect
      .poll(() => offsetAt(hub.admin, place).catch(() => 0), { timeout: 40_000, interval: 500 })
      .toBeGreaterThanOrEqual(1_000_000);
    const offset = await offsetAt(hub.admin, place);
    expect(offset).toBeLessThan(LENGTH);
    expect(bytes.subarray(0, offset).equals(readFileSync(pathOf(place)))).toBe(true);
    expect((await sendPiece(hub.admin, place, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await checked(hub.admin, uriAt(place))).toMatchObject({ state: 'ready', ...sums(bytes) });
  }, 90_000);

  it('between the last byte and the word that it is the last is made good', async () => {
    const bytes = someBytes(1_000);
    const place = await begin(hub.admin, { size: 1_000 });
    await sendPiece(hub.admin, place, 0, bytes.subarray(0, 400));
    await hub.process.kill();
    // As the dead one left it: all bytes written, the row still held.
    appendFileSync(pathOf(place), bytes.subarray(400));
    await hub.db
      .updateTable('firmware_file')
      .set({ checker_until: Date.now() + 1_000 })
      .where('file_id', '=', idAt(place))
      .execute();
    hub = await startAgain(hub);
    expect(await checked(hub.admin, uriAt(place))).toMatchObject({ state: 'ready', ...sums(bytes) });
  }, 60_000);

  it('in the middle of a check leaves it to whoever comes next', async () => {
    const bytes = Buffer.alloc(LENGTH * 5, someBytes(1_000_003));
    const place = await begin(hub.admin, { size: bytes.length });
    expect((await sendPiece(hub.admin, place, 0, bytes)).status).toBe(204);
    const rowOf = () =>
      hub.db.selectFrom('firmware_file').selectAll().where('file_id', '=', idAt(place)).executeTakeFirstOrThrow();
    await expect.poll(async () => (await rowOf()).checker_until, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0);
    process.kill(adminSide(hub.process), 'SIGKILL');
    // Killed in the middle, or this would show nothing.
    const left = await rowOf();
    expect([left.state, left.sha256]).toEqual(['checking', '']);
    expect(left.checker_until).toBeGreaterThan(Date.now());
    await expect.poll(async () => (await rowOf()).state, { timeout: 60_000, interval: 500 }).toBe('ready');
    expect(await rowOf()).toMatchObject({ ...sums(bytes), fault: '', checker_until: 0 });
  }, 120_000);
});
