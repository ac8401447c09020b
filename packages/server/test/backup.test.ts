import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectRecords } from '../src/db/connect.ts';
import { migrateOne } from '../src/db/migrate.ts';
import { createSecretBox } from '../src/platform/secret-box.ts';
import {
  allRows,
  backUpTo,
  createBackupData,
  expectRestored,
  expectSameRows,
  restoreFrom,
  type Scene,
} from './backup-fixtures.ts';
import { LONG } from './connectivity-fixtures.ts';
import { connectNewDevice } from './device-fixtures.ts';
import { messageRow } from './device-records.ts';
import { describeOnOneEngine } from './engine.ts';
import { createEnvironment, type Environment } from './environment.ts';
import type { Hub } from './hub.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';
import type { RawDevice } from './raw-device.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

// In the quick form move.postgres.test.ts backs up and restores PostgreSQL.
describeOnOneEngine('sqlite', () => {
  const TALKERS = LONG ? 4 : 2;
  /** Messages acknowledged before and during the backup. */
  const ENOUGH = LONG ? 400 : 100;

  const folder = temporaryFolder('backups-');
  let hub: Hub;
  let scene: Scene;
  const places: Environment[] = [];

  beforeAll(async () => {
    hub = await startHub();
    scene = await createBackupData(hub);
  }, 120_000);
  afterAll(async () => {
    await hub.close();
    for (const environment of places) await environment.dispose();
  });

  const elsewhere = async (): Promise<Record<string, string>> => {
    const environment = await createEnvironment();
    places.push(environment);
    return environment.env;
  };

  /** Reports again and again, each time when the last was acknowledged. */
  const talk = async (device: RawDevice, acknowledged: string[], isOver: () => boolean): Promise<void> => {
    for (let serial = 1; !isOver(); serial++) {
      await device.send({
        type: 2,
        payload: { properties: { brightness: (serial % 100) + 1 } },
        dataId: String(serial),
      });
      acknowledged.push(`${device.deviceId} ${serial}`);
    }
  };

  const storedIn = async (env: Record<string, string>): Promise<Set<string>> => {
    const rows = (await allRows(env)).get('message_record') ?? [];
    return new Set(
      rows.map((row) => {
        const { device_id, message_id } = Object.fromEntries(JSON.parse(row));
        return `${device_id} ${message_id}`;
      }),
    );
  };

  it('contains all messages that were acknowledged before the backup started', async () => {
    const devices = await Promise.all(Array.from({ length: TALKERS }, () => connectNewDevice(hub, scene.fixture)));
    const acknowledged: string[] = [];
    let over = false;
    const talking = devices.map((device) => talk(device, acknowledged, () => over));
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(ENOUGH);
    const before = [...acknowledged];
    const backup = join(folder, 'under load');
    const { code, out, err } = await runCli('cli/backup.ts', hub.env, backup);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`backed up to ${backup}\n`);
    expect(out).toContain('contains the key');
    expect(out).toMatch(/records +message_record +\d+\n/);
    // The hub went on acknowledging meanwhile.
    expect(acknowledged.length).toBeGreaterThan(before.length);
    over = true;
    await Promise.all(talking);
    await Promise.all(devices.map((device) => device.end()));

    const env = await elsewhere();
    const restored = await runCli('cli/restore.ts', env, backup);
    expect([restored.code, restored.err]).toEqual([0, '']);
    expect(restored.out).toContain('what was revoked or changed since the backup is valid again');
    const stored = await storedIn(env);
    expect(before.filter((one) => !stored.has(one))).toEqual([]);
    await expectRestored(env, scene);
  }, 120_000);

  it('restores every row of a lost hub on another one', async () => {
    await scene.device.end();
    await hub.process.stop();
    const wanted = await allRows(hub.env);
    const backup = join(folder, 'stopped');
    await backUpTo(hub.env, backup);
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')).manifest;
    const told = Object.fromEntries(
      manifest.tables.map((part: { table: string; rows: number }) => [part.table, part.rows]),
    );
    expect(told).toEqual(Object.fromEntries([...wanted].map(([name, rows]) => [name, rows.length])));
    if (!hub.env.DATABASE_URL) rmSync(hub.env.DATA_DIR ?? '', { recursive: true });

    const env = await elsewhere();
    await restoreFrom(env, backup);
    expectSameRows(await allRows(env), wanted);
    await expectRestored(env, scene);

    // Data that the other hub has written since is removed, and its own key is preserved in a second file.
    await restoreFrom(env, backup, { replace: true });
    expectSameRows(await allRows(env), wanted);
    expect(existsSync(join(env.DATA_DIR ?? '', 'secret.key.replaced'))).toBe(false);

    // Also into the place where it was.
    await restoreFrom(hub.env, backup, { replace: true });
    expectSameRows(await allRows(hub.env), wanted);
    hub = await hub.start();
  }, 120_000);

  it('restores a backup of an older version unchanged; the next start migrates it', async () => {
    const [old, env] = [await elsewhere(), await elsewhere()];
    const settingsOf = ({ DATABASE_URL, DATA_DIR = '' }: Record<string, string>) => ({ DATABASE_URL, DATA_DIR });
    const earlier = join(folder, 'earlier');
    const real = fileURLToPath(new URL('../src/db/record-migrations/', import.meta.url));
    for (const file of readdirSync(real).filter((name) => name < '0003')) cpSync(join(real, file), join(earlier, file));
    await migrateOne(settingsOf(old), 'records', earlier);
    await migrateOne(settingsOf(old), 'hub');
    createSecretBox({ SECRET_KEY: undefined, ...settingsOf(old) });
    const records = connectRecords(settingsOf(old));
    const whose = { tenancyId: 't', productId: 'p', deviceId: 'd' };
    for (const message_id of [1, 2, 3])
      await records.insertInto('message_record').values(messageRow(whose, { message_id })).execute();
    await records.destroy();

    const backup = join(folder, 'old');
    await backUpTo(old, backup);
    await restoreFrom(env, backup);
    const wanted = (await allRows(old)).get('message_record');
    expect(wanted).toHaveLength(3);
    const running = await startInProcessHub(env);
    expect(await running.stop()).toBe(0);
    expect((await allRows(env)).get('message_record')).toEqual(wanted);
    expect(await migrateOne(settingsOf(env), 'records')).toEqual([]);
  }, 120_000);
});
