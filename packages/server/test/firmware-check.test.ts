import { appendFileSync, rmSync, truncateSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { begin, bytesAt, checked, idAt, randomContent, sendChunk, sums, uploaded, uriAt } from './firmware-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await sharedHub();
});

const pathOf = (uploadPath: string): string => bytesAt(hub, uploadPath);

const tar = Buffer.alloc(1_024);
tar.write('a.txt', 0);
tar.write('ustar', 257);
const zip = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), randomContent(2_000)]);
const record = ':10010000214601360121470136007EFE09D2190140\r\n';
const hex = Buffer.from(`${record.repeat(40)}:00000001FF\r\n`);

describe('the firmware check', () => {
  it.concurrent.each([
    ['a.bin', randomContent(1), ''],
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
    ['a.apk', randomContent(1_000), 'format'],
    ['a.tar', zip, 'format'],
    ['a.tar', Buffer.from('ustar'), 'format'],
    ['a.hex', Buffer.from('10010000214601360121470136007EFE09D2190140\n'), 'format'],
    ['a.hex', Buffer.from(record.replace('40\r', '41\r')), 'format'],
    ['a.hex', Buffer.from(`${record}hello\r\n`), 'format'],
    ['a.hex', Buffer.from(':\n'), 'format'],
    ['a.hex', zip, 'format'],
  ])('finds the content of %s (%#)', async (fileName, bytes, fault) => {
    const file = await uploaded(hub.admin, bytes, { fileName });
    expect(file).toMatchObject({ state: fault === '' ? 'ready' : 'failed', fault, ...sums(bytes) });
  });

  it('finds an empty file', async () => {
    const uploadPath = await begin(hub.admin, { size: 0 });
    expect(await checked(hub.admin, uriAt(uploadPath))).toMatchObject({ state: 'failed', fault: 'empty', sha256: '' });
  });

  it.concurrent.each([
    ['is shorter than it was', 'size', (path: string) => truncateSync(path, 50)],
    ['is longer', 'size', (path: string) => appendFileSync(path, 'x')],
    ['is gone', 'lost', (path: string) => rmSync(path)],
  ])('reports a file that %s by then', async (_what, fault, corruptCell) => {
    const uploadPath = await begin(hub.admin, { size: 100 });
    await sendChunk(hub.admin, uploadPath, 0, randomContent(99));
    await hub.db
      .updateTable('firmware_file')
      .set({ checker_until: 0 })
      .where('file_id', '=', idAt(uploadPath))
      .execute();
    appendFileSync(pathOf(uploadPath), 'y');
    corruptCell(pathOf(uploadPath));
    await hub.db
      .updateTable('firmware_file')
      .set({ state: 'checking' })
      .where('file_id', '=', idAt(uploadPath))
      .execute();
    expect(await checked(hub.admin, uriAt(uploadPath))).toMatchObject({ state: 'failed', fault });
  });
});
