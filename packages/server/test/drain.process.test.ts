import { Agent, get } from 'node:http';
import { accountCalls } from '@device-center/contract';
import { expect, it } from 'vitest';
import { createClient } from './client.ts';
import { prepareEnvironment } from './environment.ts';
import { ADMIN_PASSWORD } from './hub.ts';
import { startHubProcess } from './hub-process.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** On a keep-alive connection, as a balancer uses it. */
const ask = (url: string): Promise<{ status: number; connection: string; body: string }> =>
  new Promise((resolve, reject) => {
    const asked = get(url, { agent }, (answer) => {
      let body = '';
      answer.on('data', (piece: Buffer) => {
        body += piece.toString();
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection ?? '', body }),
      );
    });
    asked.on('error', reject);
  });

it('reports not ready for DRAIN_TIME after SIGTERM, serves until then, and exits with 0', async () => {
  const environment = await prepareEnvironment();
  const hub = await startHubProcess({ ...environment.env, ADMIN_PASSWORD, DRAIN_TIME: '3s', LOG_LEVEL: 'info' });
  const ready = `${hub.url}/health/ready`;
  expect(await ask(ready)).toMatchObject({ status: 200, connection: 'keep-alive' });
  hub.process.kill('SIGTERM');
  await expect.poll(async () => (await ask(ready)).status, { interval: 20 }).toBe(503);
  const drained = await ask(ready);
  expect(drained).toMatchObject({ status: 503, connection: 'close' });
  expect(JSON.parse(drained.body)).toEqual({
    status: 'draining',
    checks: { database: true, deviceProcess: true, writable: true },
  });
  expect(await ask(`${hub.url}/health/live`)).toMatchObject({ status: 200, connection: 'close' });
  const sent = { username: 'admin', password: ADMIN_PASSWORD };
  expect((await createClient(hub.url).ok(accountCalls.login, sent)).token).not.toBe('');
  expect(hub.process.exitCode).toBe(null);
  expect(await hub.exited).toBe(0);
  expect(hub.errors()).toMatch(/"msg":"draining.*"msg":"stopping"/s);
  await environment.dispose();
});
