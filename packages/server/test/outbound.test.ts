import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbound, NodeFailure, type ResolvedAddress } from '../src/platform/outbound/outbound.ts';
import { readSettings } from '../src/platform/settings.ts';

/** A name server may give another answer each time. */
const answering = (...answers: string[][]) => {
  let asked = 0;
  const resolve = async (): Promise<ResolvedAddress[]> => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked: () => asked };
};

const outboundOf = (networks: string, names = answering(['127.0.0.1']), more: Record<string, string> = {}) =>
  createOutbound(readSettings({ NODE_NETWORKS: networks, ...more }), { resolve: names.resolve });

const problemOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: unknown) => (error instanceof NodeFailure ? error.problem : String(error)),
  );

const server = createServer((socket) => socket.end('here'));
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => server.close());

const heard = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (bytes) => resolve(String(bytes))));

describe('the address check of outbound requests', () => {
  it('resolves a name once: later DNS answers have no effect', async () => {
    const names = answering(['127.0.0.1'], ['169.254.169.254']);
    const outbound = outboundOf('loopback', names);
    const socket = await outbound.openSocket({ host: 'turning.example.com', port, tls: false });
    expect(await heard(socket)).toBe('here');
    expect(names.asked()).toBe(1);
    expect(await problemOf(outbound.openSocket({ host: 'turning.example.com', port, tls: false }))).toBe(
      'addressForbidden',
    );
  });

  it('rejects a name when one of its addresses is forbidden', async () => {
    const names = answering(['127.0.0.1', '169.254.169.254']);
    expect(await problemOf(outboundOf('loopback', names).find('both.example.com', port))).toBe('addressForbidden');
  });

  it('tries the addresses of a name until one answers', async () => {
    const names = answering(['127.0.0.2', '127.0.0.1']);
    const socket = await outboundOf('loopback', names).openSocket({ host: 'two.example.com', port, tls: false });
    expect(await heard(socket)).toBe('here');
  });

  it('rejects other names of the database host', async () => {
    const DATABASE_URL = `postgres://u:p@db.example.com:${port}/x`;
    const outbound = outboundOf('loopback', answering(['127.0.0.1']), { DATABASE_URL });
    expect(await problemOf(outbound.find('alias.example.com', port))).toBe('addressForbidden');
    expect(await problemOf(outbound.find('alias.example.com', 1))).toBe('');
  });
});

describe('the NODE_NETWORKS setting', () => {
  const verdicts: [networks: string, address: string, problem: string][] = [
    ['public,private', '8.8.8.8', ''],
    ['public,private', '10.1.2.3', ''],
    ['public,private', 'fd12::1', ''],
    ['public,private', '2606:4700::1111', ''],
    ['public,private', '127.0.0.1', 'addressForbidden'],
    ['public,private', '::1', 'addressForbidden'],
    ['public,private', '::ffff:127.0.0.1', 'addressForbidden'],
    ['public,private', '::ffff:7f00:1', 'addressForbidden'],
    ['public,private', '64:ff9b::7f00:1', 'addressForbidden'],
    ['public,private', '64:ff9b::a9fe:a9fe', 'addressForbidden'],
    ['public,private', '64:ff9b::808:808', ''],
    ['public,private', '2002:7f00:1::', 'addressForbidden'],
    ['public,private', '::127.0.0.1', 'addressForbidden'],
    ['public', '192.168.1.1', 'addressForbidden'],
    ['private', '8.8.8.8', 'addressForbidden'],
    ['10.0.0.0/8, 192.168.1.5', '10.200.0.1', ''],
    ['10.0.0.0/8, 192.168.1.5', '192.168.1.5', ''],
    ['10.0.0.0/8, 192.168.1.5', '192.168.1.6', 'addressForbidden'],
    ['127.0.0.0/8', '127.0.0.1', ''],
    // No setting opens these.
    ['public,private,loopback,0.0.0.0/0,::/0', '169.254.169.254', 'addressForbidden'],
    ['public,private,loopback,0.0.0.0/0,::/0', 'fd00:ec2::254', 'addressForbidden'],
    ['public,private,loopback,0.0.0.0/0,::/0', '0.0.0.0', 'addressForbidden'],
    ['public,private,loopback,0.0.0.0/0,::/0', '255.255.255.255', 'addressForbidden'],
    ['public,private,loopback,0.0.0.0/0,::/0', 'fe80::1', 'addressForbidden'],
    ['public,private,loopback,0.0.0.0/0,::/0', 'ff02::1', 'addressForbidden'],
  ];

  it.each(verdicts)('%s: %s %s', async (networks, address, problem) => {
    expect(await problemOf(outboundOf(networks).find(address, 9999))).toBe(problem);
    expect(await problemOf(outboundOf(networks, answering([address])).find('some.example.com', 9999))).toBe(problem);
  });

  it.each(['', 'everything', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/'])('%j is rejected, or is the preset', (text) => {
    if (text === '') expect(readSettings({ NODE_NETWORKS: text }).NODE_NETWORKS.kinds.has('private')).toBe(true);
    else expect(() => readSettings({ NODE_NETWORKS: text })).toThrow(/NODE_NETWORKS/);
  });
});
