import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { callerNetwork } from '../src/platform/caller-network.ts';
import { connect } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestServer } from './mqtt/test-server.ts';

const PROXY = '127.0.0.5';

/** Sends a CONNECT that is refused, and waits for the end. */
const failConnect = async (port: number, from: string, cause = 'TOKEN_INVALID'): Promise<boolean> => {
  const client = await RawClient.dial(port, 4, from);
  client.send(connect({ clientId: 'dev-wrong', password: `refuse:${cause}` }));
  await client.closed;
  return client.bytes.length > 0;
};

const connectFrom = async (port: number, from: string, clientId: string): Promise<RawClient> => {
  const client = await RawClient.dial(port, 4, from);
  client.send(connect({ clientId }));
  return client;
};

describe('the CONNECT limit of an address', () => {
  it('blocks it after its failed CONNECTs of a minute, without effect on others and open connections', async () => {
    const gateway = await startTestServer({ limits: { failedPerAddress: 3 } });
    const early = await connectFrom(gateway.port, '127.0.0.2', 'dev-early');
    await early.next('connack');
    // A temporary failure of the hub does not count against the address.
    for (let time = 0; time < 5; time++) expect(await failConnect(gateway.port, '127.0.0.2', 'AWAY')).toBe(true);
    for (let time = 0; time < 3; time++) expect(await failConnect(gateway.port, '127.0.0.2')).toBe(true);
    expect(await failConnect(gateway.port, '127.0.0.2')).toBe(false);
    expect(await failConnect(gateway.port, '127.0.0.2')).toBe(false);
    const other = await connectFrom(gateway.port, '127.0.0.3', 'dev-other');
    expect((await other.next('connack')).returnCode).toBe(0);
    expect(early.isClosed).toBe(false);
    const told = gateway.logged.filter(({ message }) => message.startsWith('too many failed CONNECTs'));
    expect(told.map(({ level, fields }) => [level, fields.ip])).toEqual([['warn', '127.0.0.2']]);
    await gateway.stop();
  });

  it('frees pending connections when they are accepted or closed', async () => {
    const gateway = await startTestServer({ limits: { pendingPerAddress: 2 } });
    for (let round = 0; round < 3; round++) {
      const admitted = await Promise.all(
        [1, 2].map((serial) => connectFrom(gateway.port, '127.0.0.2', `dev-${round}-${serial}`)),
      );
      for (const client of admitted) expect((await client.next('connack')).returnCode).toBe(0);
      if (round === 1) for (const client of admitted) client.stream.destroy();
    }
    const silent = await Promise.all([1, 2].map(() => RawClient.dial(gateway.port, 4, '127.0.0.2')));
    const third = await RawClient.dial(gateway.port, 4, '127.0.0.2');
    await third.closed;
    expect(silent.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    await gateway.stop();
  });

  it('does not apply to a trusted proxy', async () => {
    const isProxy = (ip: string): boolean => ip === PROXY;
    const gateway = await startTestServer({ isProxy, limits: { pendingPerAddress: 1, failedPerAddress: 1 } });
    const silent = await Promise.all(Array.from({ length: 5 }, () => RawClient.dial(gateway.port, 4, PROXY)));
    for (let time = 0; time < 5; time++) expect(await failConnect(gateway.port, PROXY)).toBe(true);
    expect(silent.every(({ isClosed }) => !isClosed)).toBe(true);
    await gateway.stop();
  });

  it('applies over WebSocket to the address that the admin process forwards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'device-center-'));
    const socketPath = join(folder, 'mqtt.sock');
    const gateway = await startTestServer({ socketPath, limits: { pendingPerAddress: 2 } });
    const open = (ip: string): Promise<string> =>
      new Promise((resolve) => {
        const headers = { 'x-forwarded-for': ip };
        const socket = new WebSocket(`ws+unix:${socketPath}:/mqtt`, ['mqtt'], { headers });
        socket.once('open', () => resolve('open')).once('error', (error) => resolve(error.message));
      });
    expect(await open('203.0.113.1')).toBe('open');
    expect(await open('203.0.113.1')).toBe('open');
    expect(await open('203.0.113.1')).toContain('429');
    expect(await open('203.0.113.2')).toBe('open');
    await gateway.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (ip, key) => {
    expect(callerNetwork(ip)).toBe(key);
  });
});
