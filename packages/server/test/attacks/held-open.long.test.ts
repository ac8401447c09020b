import { connect } from 'node:net';
import { accountCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Hub } from '../hub.ts';
import { startHub } from '../in-process-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.close());

const login = `POST ${accountCalls.login.path} HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\n`;

it.concurrent.each([
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: hub\r\n', 'X-More: a\r\n'],
  ['an upgrade that is never whole', 'GET /mqtt HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\n', 'X-More: a\r\n'],
  ['a body that never ends', `${login}Content-Length: 100000\r\n\r\n{`, ' '],
  ['a body in pieces that never ends', `${login}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'],
  ['a connection that is not used again', 'GET /health/live HTTP/1.1\r\nHost: hub\r\n\r\n', ''],
])(
  'closes %s',
  async (_what, beginning, drip) => {
    const { port, hostname } = new URL(hub.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).resume();
    socket.write(beginning);
    const dripping = setInterval(() => socket.write(drip), 2_000);
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    clearInterval(dripping);
    expect((await fetch(`${hub.url}/health/ready`)).status).toBe(200);
  },
  240_000,
);

it.concurrent('and not of a stream that somebody listens to', { timeout: 240_000 }, async () => {
  const leaving = new AbortController();
  const stream = await fetch(`${hub.url}${recordCalls.streamDevices.path}`, {
    headers: { Authorization: hub.admin.token },
    signal: leaving.signal,
  });
  const listened = (async () => {
    for await (const _piece of stream.body ?? []);
    return 'ended';
  })().catch((error: Error) => error.name);
  // Longer than the timeout of any request.
  const patience = new Promise((resolve) => setTimeout(resolve, 130_000, 'still open'));
  expect(await Promise.race([listened, patience])).toBe('still open');
  leaving.abort();
});
