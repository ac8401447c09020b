import { Agent, request } from 'node:http';
import { connect as dial } from 'node:net';
import { accountCalls, applicationCalls, personalCalls } from '@device-center/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '../src/db/connect.ts';
import { type Client, createClient } from './client.ts';
import { describeOnOneEngine } from './engine.ts';
import { type Environment, prepareEnvironment } from './environment.ts';
import { applicationsNamed, expectComplete } from './faults-fixtures.ts';
import { ADMIN_PASSWORD, unique } from './hub.ts';
import { adminProcess, deviceProcess, type HubProcess, startHubProcess } from './hub-process.ts';
import { waitFor } from './mailbox.ts';

describeOnOneEngine('sqlite', () => {
  const ROUNDS = process.env.TEST_LONG ? 20 : 1;
  const AT_ONCE = 200;

  let environment: Environment;
  let db: Db;
  let hub: HubProcess;
  let token: string;

  const start = async (): Promise<Client> => {
    hub = await startHubProcess({ ...environment.env, ADMIN_PASSWORD });
    return createClient(hub.url, token);
  };

  beforeAll(async () => {
    environment = await prepareEnvironment();
    await start();
    const sent = { username: 'admin', password: ADMIN_PASSWORD };
    token = (await createClient(hub.url).ok(accountCalls.login, sent)).token;
    db = connect({ DATABASE_URL: environment.env.DATABASE_URL, DATA_DIR: environment.env.DATA_DIR ?? '' });
  });
  afterAll(async () => {
    await hub.stop();
    await db.destroy();
    await environment.dispose();
  });

  const admin = (): Client => createClient(hub.url, token);
  const readiness = async (): Promise<number> => (await fetch(`${hub.url}/health/ready`)).status;

  const portOpen = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = dial(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });

  /** The process ids of the two processes. */
  const sides = () => ({ admin: adminProcess(hub), device: deviceProcess(hub) });

  describe('kill -9 of the whole hub', () => {
    it(
      `loses nothing that was confirmed, and stores nothing twice (${ROUNDS} times)`,
      async () => {
        for (let round = 0; round < ROUNDS; ) {
          const client = admin();
          const prefix = unique(`round${round}-`);
          const promised = new Map<string, string>();
          const refused: string[] = [];
          // Early, in the middle, late; there are always as many under way.
          const enough = 20 + ((round * 170) % 600);
          let killed: Promise<void> | undefined;
          let serial = 0;
          let left = AT_ONCE / 2;
          const work = async (): Promise<void> => {
            while (!killed) {
              const applicationName = `${prefix}-${serial++}`;
              const answering = client.call(applicationCalls.addApplication, { applicationName }).catch(() => null);
              // The kill follows requests that have just been sent.
              if (promised.size >= enough && --left === 0)
                setTimeout(() => {
                  killed = hub.kill();
                }, 5);
              const answer = await answering;
              if (answer?.success) promised.set(applicationName, answer.data.applicationId);
              else if (answer) refused.push(answer.code);
            }
          };
          await Promise.all(Array.from({ length: AT_ONCE }, work));
          await killed;
          // A busy machine may answer some requests with 503.
          expect(refused.filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
          // On a busy machine the hub may have answered all of them before the kill: such a round does not count.
          if (promised.size < serial) round++;

          const again = await start();
          await expectComplete(db, prefix, promised);
          if (!environment.env.DATABASE_URL) {
            expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }]);
            expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([]);
          }
          // The session is still valid, and unanswered requests can be repeated.
          for (let index = 0; index < 20; index++) {
            const answer = await again.call(applicationCalls.addApplication, { applicationName: `${prefix}-${index}` });
            if (answer.success) promised.set(`${prefix}-${index}`, answer.data.applicationId);
            else expect(answer.code).toBe('APPLICATION_NAME_TAKEN');
          }
          await expectComplete(db, prefix, promised);
        }
      },
      ROUNDS * 60_000,
    );
  });

  describe('the death of one process', () => {
    it('device process: restarts on its port while users continue', async () => {
      const before = sides();
      let down = true;
      const answers: number[] = [];
      process.kill(before.device, 'SIGKILL');
      const work = (async () => {
        while (down) answers.push((await admin().call(personalCalls.getPersonalMessage, {})).statusCode);
      })();
      await waitFor('not ready', async () => ((await readiness()) === 503 ? true : undefined));
      await waitFor('ready again', async () => ((await readiness()) === 200 ? true : undefined));
      down = false;
      await work;
      expect(answers.length).toBeGreaterThan(0);
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(await portOpen(hub.mqttPort)).toBe(true);
      const after = sides();
      expect(after.device).not.toBe(before.device);
      expect(after.admin).toBe(before.admin);
      expect(hub.errors()).toContain('process ended, started again');
    });

    it('admin process: restarts on its port with all sessions, unnoticed by devices', async () => {
      const before = sides();
      process.kill(before.admin, 'SIGKILL');
      await waitFor('another process', () => {
        const { admin } = sides();
        return admin !== 0 && admin !== before.admin ? true : undefined;
      });
      await waitFor('ready again', async () => ((await readiness().catch(() => 0)) === 200 ? true : undefined));
      expect(await admin().ok(personalCalls.getPersonalMessage, {})).toMatchObject({ username: 'admin' });
      expect(sides().device).toBe(before.device);
      // The ready line is for the first time only.
      expect(hub.output().match(/^ready /gm)).toHaveLength(1);
    });
  });

  describe('SIGTERM', () => {
    /** A request whose headers have arrived, without the body. */
    const begin = async (agent: Agent, applicationName: string) => {
      const { method, path } = applicationCalls.addApplication;
      const headers = { Authorization: token, 'Content-Type': 'application/json', Expect: '100-continue' };
      const sent = request(new URL(path, hub.url), { method, agent, headers });
      const answered = new Promise<number>((resolve, reject) => {
        sent.on('error', reject);
        sent.on('response', (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
      });
      sent.flushHeaders();
      await Promise.race([answered, new Promise((resolve) => sent.once('continue', resolve))]);
      return { finish: () => sent.end(JSON.stringify({ applicationName })), answered };
    };

    it('finishes requests in flight, accepts no new ones, and exits with 0', async () => {
      const prefix = unique('flight');
      const agent = new Agent({ keepAlive: true });
      const flights = await Promise.all(Array.from({ length: 30 }, (_, index) => begin(agent, `${prefix}-${index}`)));
      const idle = dial(Number(new URL(hub.url).port), '127.0.0.1');
      await new Promise((resolve) => idle.once('connect', resolve));
      idle.on('error', () => undefined);
      const stopping = Date.now();
      hub.process.kill('SIGTERM');
      await waitFor('no new ones', async () => ((await portOpen(Number(new URL(hub.url).port))) ? undefined : true));
      for (const flight of flights) flight.finish();
      const statuses = await Promise.all(flights.map((flight) => flight.answered));
      expect(statuses).toEqual(Array(30).fill(200));
      expect(await hub.exited).toBe(0);
      // By itself: after 15 s the supervisor would have killed it.
      expect(Date.now() - stopping).toBeLessThan(14_000);
      agent.destroy();
      expect(await applicationsNamed(db, prefix)).toHaveLength(30);
      expect(await portOpen(hub.mqttPort)).toBe(false);
      await start();
      expect(await applicationsNamed(db, prefix)).toHaveLength(30);
    });
  });

  describe('kill -9 of only the supervisor', () => {
    it('ends both processes', async () => {
      const before = sides();
      hub.process.kill('SIGKILL');
      await waitFor('both are gone', async () => {
        const open = [await portOpen(Number(new URL(hub.url).port)), await portOpen(hub.mqttPort)];
        return open.includes(true) ? undefined : true;
      });
      for (const pid of Object.values(before))
        await waitFor(`process ${pid} is gone`, () => {
          try {
            process.kill(pid, 0);
            return undefined;
          } catch {
            return true;
          }
        });
      await start();
      expect(await readiness()).toBe(200);
    });
  });
});
