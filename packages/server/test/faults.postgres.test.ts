import { applicationCalls } from '@device-center/contract';
import { Client as Postgres } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from './connectivity-fixtures.ts';
import { describeOnPostgres, postgresServer } from './engine.ts';
import { applicationsNamed, expectComplete } from './faults-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { waitFor } from './mailbox.ts';

describeOnPostgres(() => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await startHub();
    if (LONG) return;
    await hub.process.stop();
    // Options in the URL override the hub's own 30 seconds.
    hub = await hub.start({ DATABASE_URL: `${hub.env.DATABASE_URL}?statement_timeout=3000` });
  });
  afterAll(() => hub.close());

  const readiness = async (): Promise<number> => (await fetch(`${hub.url}/health/ready`)).status;
  const addApplication = (applicationName: string) =>
    hub.admin.call(applicationCalls.addApplication, { applicationName });

  describe('PostgreSQL', () => {
    // A crash would end the test process.
    it('answers 503 at worst when PostgreSQL ends every connection, and recovers', async () => {
      const server = new Postgres({ connectionString: postgresServer() });
      await server.connect();
      const name = new URL(hub.env.DATABASE_URL ?? '').pathname.slice(1);
      const endAll = () =>
        server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const prefix = unique('cut');
      const promised = new Map<string, string>();
      const codes = new Set<string>();
      for (let round = 0; round < 5; round++) {
        const calls = Array.from({ length: 60 }, async (_, index) => {
          const applicationName = `${prefix}-${round}-${index}`;
          const answer = await addApplication(applicationName);
          if (answer.success) promised.set(applicationName, answer.data.applicationId);
          else codes.add(`${answer.statusCode} ${answer.code}`);
          if (index === 10) await endAll();
        });
        await Promise.all([endAll(), ...calls]);
      }
      await server.end();
      expect([...codes].filter((code) => code !== '503 UNAVAILABLE')).toEqual([]);
      expect(promised.size).toBeGreaterThan(0);
      await waitFor('ready', async () => ((await readiness()) === 200 ? true : undefined));
      const applicationName = `${prefix}-last`;
      const { applicationId } = await hub.admin.ok(applicationCalls.addApplication, { applicationName });
      promised.set(applicationName, applicationId);
      await expectComplete(hub.db, prefix, promised);
    });

    it('answers 503 when a statement times out, and changes nothing', async () => {
      const holder = new Postgres({ connectionString: hub.env.DATABASE_URL });
      await holder.connect();
      const applicationName = unique('held');
      await holder.query('begin; lock table hub.application in access exclusive mode');
      const answer = await addApplication(applicationName);
      await holder.end();
      expect(answer).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
      expect(await applicationsNamed(hub.db, applicationName)).toEqual([]);
      await hub.admin.ok(applicationCalls.addApplication, { applicationName });
    });
  });
});
