import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { categoryCalls, controlCalls, type Envelope } from '@device-center/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import { createEnvironment, type Environment, prepare } from './environment.ts';
import { deviceProcess, launch } from './hub-process.ts';
import { type Hubs, startHubs, viaSecondHub } from './hubs-fixtures.ts';
import { runCli } from './run-cli.ts';

describeOnPostgres(() => {
  const HUBS = LONG ? 6 : 2;
  const SECRET_KEY = 'one key for all hubs';
  const files = mkdtempSync(join(tmpdir(), 'device-center-files-'));
  const folders = Array.from({ length: HUBS }, () => mkdtempSync(join(tmpdir(), 'device-center-start-')));
  afterAll(() => {
    for (const folder of [files, ...folders]) rmSync(folder, { recursive: true, force: true });
  });

  describe('an empty database', () => {
    let place: Environment;
    beforeAll(async () => {
      place = await createEnvironment();
    });
    afterAll(() => place.dispose());

    // To write the demonstration takes half a minute.
    const [what, options, accounts] = LONG
      ? ([', with the demonstration', ['--demo'], 3] as const)
      : (['', [], 1] as const);

    it(`is migrated once by ${HUBS} hubs that start concurrently on separate machines${what}`, async () => {
      const hubs = folders.map((DATA_DIR) =>
        launch({ ...place.env, DATA_DIR, SECRET_KEY, FILE_STORE: files }, [...options]),
      );
      const ready = await Promise.all(hubs.map((hub) => hub.ready));
      const printed = hubs.flatMap((hub) =>
        [...hub.output().matchAll(/^ {2}account {3}(\S+)$/gm)].map(([, name]) => name),
      );
      // The administrator of the platform, and one of each company of the demonstration.
      expect(printed).toHaveLength(accounts);
      expect(new Set(printed).size).toBe(accounts);
      for (const [url] of ready) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      expect(await Promise.all(hubs.map((hub) => hub.stop()))).toEqual(hubs.map(() => 0));
    }, 300_000);

    it('rejects a hub with another key', async () => {
      const env = { ...place.env, DATA_DIR: folders[0] ?? '', PORT: '0', MQTT_PORT: '0' };
      const { code, out, err } = await runCli('main.ts', env);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^cannot start: SECRET_KEY: this database was created with another key; .+\n$/);
    });
  });

  describe('two hubs', () => {
    let hubs: Hubs;
    let ear: Client;
    const heard: string[] = [];
    beforeAll(async () => {
      hubs = await startHubs();
      ear = new Client({ connectionString: hubs.a.env.DATABASE_URL });
      ear.on('notification', ({ payload }) => heard.push(payload ?? ''));
      ear.on('error', () => undefined);
      await ear.connect();
      await ear.query('listen device_center_hints');
    });
    afterAll(async () => {
      await ear.end();
      await hubs.close();
    });

    /** The preparation before a start; the test with another key covers the error output and the exit. */
    const prepareLikeA = (more: Record<string, string> = {}): Promise<void> => prepare({ ...hubs.a.env, ...more });

    const listeners = async (): Promise<number[]> =>
      (
        await ear.query<{ pid: number }>(
          "select pid from pg_stat_activity where datname = current_database() and application_name = 'device-center notifications'",
        )
      ).rows.map(({ pid }) => pid);

    const commandThere = async (): Promise<void> => {
      const device = await connectNewDevice(viaSecondHub(hubs), await createProductFixture(hubs.a));
      await expectOnline(hubs.a, device.deviceId, 1);
      const sent = { deviceId: device.deviceId, functionId: 'power', functionValue: 'true' };
      const waiting = hubs.a.admin.ok(controlCalls.commandDeviceFunction, sent);
      const request = await device.next(({ dataFlow, type }: Envelope) => dataFlow === 0 && type === 2);
      await device.respond(request, 200, { properties: { power: true } });
      expect(await waiting).toMatchObject({ status: 'answered' });
      await device.end();
    };

    it('send each other only names, also after the database has dropped their connections', async () => {
      const names = () => new Set(heard.flatMap((payload) => payload.split(' ')[1]?.split(',') ?? []));
      for (let round = 0; round < 2; round++) {
        heard.length = 0;
        await commandThere();
        await expect.poll(() => [...names()]).toEqual(expect.arrayContaining(['command', 'answer', 'record']));
        for (const payload of heard) expect(payload).toMatch(/^[0-9a-f]{12} [a-z]+(,[a-z]+)*$/);
        const before = await listeners();
        for (const pid of before) await ear.query('select pg_terminate_backend($1)', [pid]);
        await expect
          .poll(async () => (await listeners()).filter((pid) => !before.includes(pid)).length, { timeout: 20_000 })
          .toBe(2);
      }
    });

    it('reject a third hub with a firmware folder of its own', async () => {
      await expect(prepareLikeA({ FILE_STORE: folders[1] ?? '' })).rejects.toThrow(
        /^FILE_STORE: .+ is not the folder that the other hubs use; /,
      );
    });

    it('continue when a newer version has migrated, also a restarted process; a whole older hub does not start', async () => {
      await ear.query("insert into hub.migration (name, checksum) values ('9999-future', 'x')");
      await ear.query('alter table hub.device add column of_the_future bigint not null default 0');
      const before = deviceProcess(hubs.b.process);
      process.kill(before, 'SIGKILL');
      await expect.poll(() => [0, before].includes(deviceProcess(hubs.b.process)), { timeout: 20_000 }).toBe(false);
      await expect.poll(async () => (await fetch(`${hubs.b.url}/health/ready`)).status, { timeout: 20_000 }).toBe(200);
      await commandThere();
      await createClient(hubs.a.url, hubs.a.admin.token).ok(categoryCalls.getCategoryList, {});
      await expect(prepareLikeA()).rejects.toThrow(
        /^the database was created by a newer version \(migration 9999-future\); start that version$/,
      );
    });
  });
});
