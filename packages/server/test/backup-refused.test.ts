import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BackupError } from '../src/backup/rows.ts';
import { MigrationError } from '../src/db/migrate.ts';
import { allRows, backUpTo, createBackupData, expectSameRows, restoreFrom } from './backup-fixtures.ts';
import { PRELOAD } from './clock/clock-hub.ts';
import { LONG } from './connectivity-fixtures.ts';
import { describeOnEachEngine, postgresServer } from './engine.ts';
import { createEnvironment, type Environment } from './environment.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

describeOnEachEngine(() => {
  const folder = temporaryFolder('backups-');
  const good = join(folder, 'good');
  const bad = join(folder, 'bad');
  const onPostgres = Boolean(postgresServer());

  let hub: Hub;
  let environment: Environment;
  let isFilled = false;
  beforeAll(async () => {
    environment = await createEnvironment();
    hub = await startHub();
    const { device } = await createBackupData(hub);
    await device.end();
    await backUpTo(hub.env, good);
  }, 120_000);
  afterAll(async () => {
    await hub.close();
    await environment.dispose();
  });
  beforeEach(async () => {
    // A refusal leaves the place empty for the next test.
    if (isFilled) {
      await environment.dispose();
      environment = await createEnvironment();
      isFilled = false;
    }
    cpSync(good, bad, { recursive: true });
  });
  afterEach(() => rmSync(bad, { recursive: true }));

  const restore = async (env: Record<string, string>, from: string, options?: { replace: boolean }): Promise<void> => {
    isFilled = true;
    await restoreFrom(env, from, options);
  };

  /** The sentence of the refusal, as the command prints it; any other error is a fault. */
  const messageOf = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => new Error('not refused'),
      (error: unknown) => error,
    );
    if (error instanceof BackupError || error instanceof MigrationError) return error.message;
    throw error;
  };

  const refusalOf = (env: Record<string, string>, from: string, options?: { replace: boolean }): Promise<string> =>
    messageOf(restoreFrom(env, from, options));

  /** The same by the command line, with its exit code. */
  const refusalByCommand = async (env: Record<string, string>, ...words: string[]): Promise<string> => {
    const { code, out, err } = await runCli('cli/restore.ts', env, ...words);
    expect([code, out]).toEqual([1, '']);
    return err;
  };

  /** The folder is empty, without partial files. */
  const expectEmpty = async (): Promise<void> => {
    expect(readdirSync(environment.env.DATA_DIR ?? '')).toEqual([]);
    if (onPostgres) expect(await allRows(environment.env)).toEqual(new Map());
  };

  const change = (file: string, work: (bytes: Buffer) => Buffer): void =>
    writeFileSync(join(bad, file), work(readFileSync(join(bad, file))));
  const flipped = (bytes: Buffer): Buffer => {
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    return bytes;
  };
  type Manifest = { format: number; migrations: { hub: object[] }; tables: { rows: number; table: string }[] };
  /** Damages the file and corrects its checksum. */
  const changeManifest = (work: (manifest: Manifest) => void): void =>
    change('manifest.json', (bytes) => {
      const { manifest } = JSON.parse(bytes.toString()) as { manifest: Manifest };
      work(manifest);
      const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
      return Buffer.from(JSON.stringify({ sha256, manifest }));
    });

  const firmwareFile = (): string => `firmware/${readdirSync(join(bad, 'firmware'))[0]}`;

  const damages: [what: string, damage: () => void, told: RegExp][] = [
    [
      'a row',
      () => change('records/message_record.ndjson.gz', flipped),
      /records\/message_record\.\S+ does not match its/,
    ],
    [
      'the end',
      () => change('hub/device.ndjson.gz', (bytes) => bytes.subarray(0, -1)),
      /hub\/device\.\S+ does not match its checksum/,
    ],
    ['a table', () => rmSync(join(bad, 'hub/tenancy.ndjson.gz')), /hub\/tenancy\.\S+ is missing/],
    ['firmware', () => change(firmwareFile(), flipped), /firmware\/\S+ does not match its checksum/],
    ['the key', () => change('secret.key', flipped), /secret\.key does not match its checksum/],
    ['the list', () => change('manifest.json', flipped), /corrupted: manifest\.json/],
    [
      'the list of a backup that was not finished',
      () => rmSync(join(bad, 'manifest.json')),
      /is not a complete backup/,
    ],
    [
      'a count',
      () =>
        changeManifest(({ tables }) => {
          for (const part of tables) if (part.table === 'device') part.rows++;
        }),
      /hub\/device\.\S+ has \d+ rows of \d+/,
    ],
  ];

  /** A table of the backup, with the sums that belong to it. */
  const forge = (table: string, bytes: Buffer): void => {
    const file = `hub/${table}.ndjson.gz`;
    writeFileSync(join(bad, file), bytes);
    const sums = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    changeManifest(({ tables }) => {
      for (const part of tables) if (part.table === table) Object.assign(part, sums);
    });
  };
  const zeros = (count: number): string => '0,'.repeat(count);

  // Files and settings are the same on PostgreSQL.
  const describeFiles = onPostgres && !LONG ? undefined : describe;
  describeFiles?.('a forged backup is refused, and nothing is changed:', () => {
    it.each<[string, () => Buffer, RegExp]>([
      [
        'a row without an end',
        () => gzipSync(`[${zeros(40 << 20)}`),
        /device\.\S+ cannot be read: a row has more than/,
      ],
      ['rows without an end', () => gzipSync('[]\n'.repeat(1_000_000)), /device\.\S+ has more than \d+ rows/],
      ['rows that are none', () => gzipSync('{\n'), /device\.\S+ cannot be read/],
      ['no gzip', () => Buffer.from('rows'), /device\.\S+ cannot be read: incorrect header check/],
    ])('%s', async (_what, bytes, told) => {
      forge('device', bytes());
      expect(await refusalOf(environment.env, bad)).toMatch(told);
      await expectEmpty();
    });
  });

  describe('restoring a damaged backup changes nothing:', () => {
    // The files are the same on PostgreSQL, where the next test has all of these.
    if (!onPostgres || LONG)
      it.each(damages)('%s', async (_what, damage, told) => {
        damage();
        expect(await refusalOf(environment.env, bad)).toMatch(told);
        await expectEmpty();
      });

    it('also changes nothing when it would replace a hub', async () => {
      await restore(environment.env, good);
      const [rows, files] = [await allRows(environment.env), readdirSync(environment.env.DATA_DIR ?? '').sort()];
      for (const [, damage, told] of damages) {
        rmSync(bad, { recursive: true });
        cpSync(good, bad, { recursive: true });
        damage();
        expect(await refusalOf(environment.env, bad, { replace: true })).toMatch(told);
      }
      expectSameRows(await allRows(environment.env), rows);
      expect(readdirSync(environment.env.DATA_DIR ?? '').sort()).toEqual(files);
    }, 120_000);
  });

  /** SQLite holds a lock on the file; PostgreSQL a lease, which has a time. */
  const hours = onPostgres || LONG ? [0, 1, -1] : [1];

  describe('restoring', () => {
    it('rejects a backup of a newer version', async () => {
      changeManifest(({ migrations }) => migrations.hub.push({ name: '9999-future', checksum: 'x' }));
      expect(await refusalOf(environment.env, bad)).toBe(
        'the backup was created by a newer version (migration 9999-future); start that version',
      );
      changeManifest((manifest) => {
        manifest.format = 2;
      });
      expect(await refusalOf(environment.env, bad)).toBe('the backup was created by a newer version');
      await expectEmpty();
    });

    it('rejects a target that is not empty, unless it is to be replaced', async () => {
      await restore(environment.env, good);
      const wanted = await allRows(environment.env);
      expect(await refusalOf(environment.env, good)).toMatch(/not empty|already exist/);
      rmSync(join(environment.env.DATA_DIR ?? '', 'firmware'), { recursive: true });
      expect(await refusalOf(environment.env, good)).toMatch(/--replace replaces/);
      const replaced = await runCli('cli/restore.ts', environment.env, good, '--replace');
      expect(replaced).toMatchObject({ code: 0, err: '' });
      expectSameRows(await allRows(environment.env), wanted);
    });

    it('rejects a target whose hub is running, independently of the clocks', async () => {
      const refused = hours.map((hour) => {
        const clock = { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_OFFSET_MS: String(hour * 3_600_000) };
        return refusalByCommand({ ...hub.env, ...clock }, good, '--replace');
      });
      for (const refusal of await Promise.all(refused)) expect(refusal).toMatch(/stop (the hub|it) first/);
      expect((await fetch(`${hub.url}/health/ready`)).status).toBe(200);
      await hub.process.stop();
      // The test's own connection, by which the scene was set, would be in the way as well.
      await hub.db.destroy();
      await restoreFrom(hub.env, good, { replace: true });
      hub = await hub.start();
    });
  });

  describeFiles?.('restoring is refused', () => {
    it('rejects another key than the one the secrets were sealed with', async () => {
      expect(await refusalOf({ ...environment.env, SECRET_KEY: 'another' }, good)).toMatch(/^SECRET_KEY differs/);
      await expectEmpty();
      // A key from the settings is not part of a backup.
      const env = { ...hub.env, SECRET_KEY: readFileSync(join(good, 'secret.key'), 'utf8').trim() };
      const apart = join(folder, 'without key');
      const { code, out } = await runCli('cli/backup.ts', env, apart);
      expect([code, existsSync(join(apart, 'secret.key'))]).toEqual([0, false]);
      expect(out).toContain('does not contain SECRET_KEY');
      expect(await refusalOf(environment.env, apart)).toMatch(/^the backup does not contain the key/);
      await expectEmpty();
      await restore({ ...environment.env, SECRET_KEY: env.SECRET_KEY }, apart);
    });

    it('rejects a different key at the target unless it is to be replaced; then the old key is preserved', async () => {
      const key = join(environment.env.DATA_DIR ?? '', 'secret.key');
      writeFileSync(key, 'mine');
      expect(await refusalOf(environment.env, good)).toMatch(/differs from the key of the backup/);
      await restore(environment.env, good, { replace: true });
      expect(readFileSync(key, 'utf8')).toBe(readFileSync(join(good, 'secret.key'), 'utf8'));
      expect(readFileSync(`${key}.replaced`, 'utf8')).toBe('mine');
    });
  });

  describe('backing up', () => {
    it('rejects a folder without a hub, and creates none', async () => {
      expect(await messageOf(backUpTo(environment.env, join(folder, 'nothing')))).toMatch(
        / does not exist$|contains no hub$/,
      );
      expect(existsSync(join(folder, 'nothing'))).toBe(false);
      await expectEmpty();
    });
  });

  describeFiles?.('backing up is refused', () => {
    it('rejects a target that is not empty', async () => {
      const taken = join(folder, 'taken');
      mkdirSync(taken);
      expect(await messageOf(backUpTo(hub.env, taken))).toBe(`${taken} already exists`);
      expect(readdirSync(taken)).toEqual([]);
    });

    it('requires a folder', async () => {
      expect(await runCli('cli/backup.ts', hub.env)).toMatchObject({
        code: 1,
        err: 'usage: npm run backup -- FOLDER\n',
      });
    });
  });
});
