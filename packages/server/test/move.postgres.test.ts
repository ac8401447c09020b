import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstSequenceIdAt } from '../src/platform/ids.ts';
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
import { describeOnPostgres } from './engine.ts';
import { createEnvironment, type Environment } from './environment.ts';
import type { Hub } from './hub.ts';
import { cleanEnv, programPath } from './hub-process.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

describeOnPostgres(() => {
  const COMMAND = 'cli/move-to-postgres.ts';
  /** So many that a move can be killed in the middle of them. */
  const MANY = LONG ? 30_000 : 6_000;
  const DAY = 86_400_000;

  const folder = temporaryFolder('backups-');
  let hub: Hub;
  let scene: Scene;
  let target: Environment;

  /** The hub's own settings, and where it is to move to. */
  const both = (): Record<string, string> => ({ ...hub.env, DATABASE_URL: target.env.DATABASE_URL ?? '' });
  const onSqlite = (): Record<string, string> => ({ ...hub.env, DATABASE_URL: '' });

  const ask = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: target.env.DATABASE_URL });
    await client.connect();
    return (await client.query(text).finally(() => client.end())).rows;
  };

  const addHistory = (): void => {
    const database = new DatabaseSync(join(hub.env.DATA_DIR ?? '', 'records.db'));
    const from = firstSequenceIdAt(Date.now() - 40 * DAY);
    database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${MANY})
    insert into message_record select ${from} + i * 88473600 / 4, 't', 'd' || (i % 50), ${Date.now()} - i, 1, 0, 2, 1,
      'power', 0, i, 'S', 0, '"值 ' || i || '"', '{"payload":"' || hex(randomblob(40)) || '"}' from n`);
    database.close();
  };

  beforeAll(async () => {
    // Of a run on PostgreSQL, one on SQLite.
    hub = await startHub({ DATABASE_URL: '' });
    scene = await createBackupData(hub);
    await scene.device.end();
    target = await createEnvironment();
  }, 120_000);
  afterAll(async () => {
    await hub.close();
    await target.dispose();
  });

  const tables = () =>
    ask(`select relname from pg_class where relnamespace in
    (select oid from pg_namespace where nspname in ('hub', 'records')) limit 5`);

  describe('moving to PostgreSQL', () => {
    it('is rejected without a target, and while the hub runs', async () => {
      expect(await runCli(COMMAND, onSqlite())).toMatchObject({
        code: 1,
        err: expect.stringContaining('DATABASE_URL'),
      });
      expect(await runCli(COMMAND, both())).toMatchObject({
        code: 1,
        err: expect.stringContaining('stop the hub'),
      });
      expect(await tables()).toEqual([]);
    });

    it('leaves nothing when it is killed, and succeeds when run again', async () => {
      await hub.process.stop();
      // The test's own connection, by which the scene was set, would be in the way as well.
      await hub.db.destroy();
      addHistory();
      const child = spawn(process.execPath, [programPath(COMMAND)], {
        env: { ...cleanEnv(), ...both() },
        stdio: 'ignore',
      });
      const exited = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
      const watcher = new Client({ connectionString: target.env.DATABASE_URL });
      await watcher.connect();
      const insert = `select 1 from pg_stat_activity where query like 'insert into records.message_record%'`;
      const isInProgress = async () => (await watcher.query(insert)).rows.length;
      await expect.poll(isInProgress, { timeout: 60_000, interval: 5 }).toBe(1);
      child.kill('SIGKILL');
      await watcher.end();
      expect(await exited).toBe('SIGKILL');
      expect(await tables()).toEqual([]);

      const wanted = await allRows(onSqlite());
      const { code, out, err } = await runCli(COMMAND, both());
      expect([code, err]).toEqual([0, '']);
      const told = Object.fromEntries(
        [...out.matchAll(/^ +\w+ +(\w+) +(\d+)$/gm)].map(([, name, rows]) => [name, Number(rows)]),
      );
      const some = [...wanted].filter(([, rows]) => rows.length > 0);
      expect(told).toEqual(Object.fromEntries(some.map(([name, rows]) => [name, rows.length])));
      expectSameRows(await allRows(both()), wanted);
      // The source is unchanged.
      expectSameRows(await allRows(onSqlite()), wanted);
    }, 180_000);

    it('keeps all constraints, and continues all sequences', async () => {
      const keys = await ask(`select count(*)::int as n from pg_constraint where contype = 'f' and convalidated
      and connamespace = 'hub'::regnamespace`);
      const source = new DatabaseSync(join(hub.env.DATA_DIR ?? '', 'hub.db'));
      const wanted = source
        .prepare(`select count(*) as n from sqlite_master as t, pragma_foreign_key_list(t.name) where t.type = 'table'`)
        .get() as { n: number };
      source.close();
      expect(keys[0]?.n).toBe(wanted.n);
      expect(await ask(`select * from pg_sequences where schemaname in ('hub', 'records')`)).toEqual([]);
    });

    it('is rejected into a database that is not empty', async () => {
      const { code, err } = await runCli(COMMAND, both());
      expect([code, err]).toEqual([1, expect.stringContaining('is not empty')]);
    });

    it('results in a hub with all data', async () => {
      await expectRestored(both(), scene);
    });
  });

  describe('a backup', () => {
    it('of either engine is restored into the other', async () => {
      const [one, other] = [join(folder, 'sqlite'), join(folder, 'postgres')];
      const [there, back] = [await createEnvironment(), await createEnvironment()];
      try {
        await backUpTo(onSqlite(), one);
        await restoreFrom(there.env, one);
        const wanted = await allRows(onSqlite());
        expectSameRows(await allRows(there.env), wanted);
        await backUpTo(there.env, other);
        const env = { DATA_DIR: back.env.DATA_DIR ?? '' };
        await restoreFrom(env, other);
        expectSameRows(await allRows(env), wanted);
        await expectRestored(env, scene);
        await expectRestored(there.env, scene);
      } finally {
        await there.dispose();
        await back.dispose();
      }
    }, 180_000);

    it('is not restored under a hub that runs on PostgreSQL', async () => {
      const running = await startInProcessHub(both());
      await expect(restoreFrom(both(), join(folder, 'sqlite'), { replace: true })).rejects.toThrow('a hub is running');
      await running.stop();
    });
  });
});
