import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepare } from './environment.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A hub on files, also where the run is on PostgreSQL: there are no files to damage there. */
const DATA_DIR = temporaryFolder('damaged-');
const PAGE = 4_096;

const kept = new Map<string, Buffer>();
beforeEach(async () => {
  if (kept.size > 0) return;
  await prepare({ DATA_DIR });
  for (const name of ['hub.db', 'records.db']) kept.set(name, readFileSync(join(DATA_DIR, name)));
});
afterEach(() => {
  for (const [name, bytes] of kept) writeFileSync(join(DATA_DIR, name), bytes);
});

const damages: [string, (file: string, bytes: Buffer) => void][] = [
  ['something else altogether', (file) => writeFileSync(file, 'not a database, but a letter. '.repeat(500))],
  [
    'a first page with other bytes in it',
    (file, bytes) =>
      writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(PAGE - 100, 7), bytes.subarray(PAGE)])),
  ],
  ['cut short', (file) => truncateSync(file, PAGE + 100)],
];

describe.each(['hub.db', 'records.db'])('%s at a start', (name) => {
  it.each(damages)('reports and keeps it when it is %s', async (_name, damage) => {
    const file = join(DATA_DIR, name);
    damage(file, kept.get(name) ?? Buffer.alloc(0));
    const before = readFileSync(file);
    const refusal = await prepare({ DATA_DIR }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/^\S+ is damaged and was left as it is \(.+\); restore it from a backup$/);
    expect(refusal).toContain(file);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('exits with that reason', async () => {
    writeFileSync(join(DATA_DIR, name), 'not a database');
    const { code, out, err } = await runCli('main.ts', { DATA_DIR, PORT: '0', MQTT_PORT: '0' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^cannot start: \S+ is damaged and was left as it is \(.+\); restore it from a backup\n$/);
  });

  it('starts when it is restored', () => prepare({ DATA_DIR }));
});
