import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Hub } from '../hub.ts';
import { sharedHub } from '../in-process-hub.ts';
import { waitFor } from '../mailbox.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await sharedHub();
});

/** A client that never hangs up by itself. */
const dial = (): { socket: Socket; closed: Promise<void>; heard: () => string } => {
  const { port, hostname } = new URL(hub.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve())), heard: () => text };
};

const upgrade = (path: string, more: Record<string, string> = { 'Sec-WebSocket-Protocol': 'mqtt' }): string => {
  const headers = {
    Host: 'hub',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version': '13',
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
};

const lives = async () => (await fetch(`${hub.url}/health/ready`)).status;

describe('an HTTP upgrade', () => {
  it.each(['//', '///', 'http://[', '//[::', 'http://:0', '/\\', '/%', '*'])(
    'to an unreadable address, %s, is rejected without a crash',
    async (path) => {
      const client = dial();
      client.socket.write(upgrade(path));
      await waitFor('an answer', () => client.heard() || undefined);
      client.socket.destroy();
      expect(client.heard()).toMatch(/^HTTP\/1\.1 (404|400) /);
      // A crash of the hub would end the test process.
      expect(await lives()).toBe(200);
    },
  );

  it.concurrent.each([
    ['to nowhere', upgrade('/none')],
    ['that does not say what it will speak', upgrade('/mqtt', {})],
    ['without a key', upgrade('/mqtt', { 'Sec-WebSocket-Key': '', 'Sec-WebSocket-Protocol': 'mqtt' })],
    ['after which nothing is said', upgrade('/mqtt')],
    ['with half a frame behind it', `${upgrade('/mqtt')}\x82`],
  ])('%s is disconnected, also when the peer never closes', async (_what, request) => {
    const clients = Array.from({ length: 20 }, dial);
    for (const { socket } of clients) socket.write(request, 'latin1');
    await waitFor('answers', () => (clients.every(({ heard }) => heard() !== '') ? true : undefined));
    // Writing to a socket that the hub has closed causes an error, which closes this end.
    const knock = setInterval(() => {
      for (const { socket, heard } of clients) if (!/^HTTP\/1\.1 101/.test(heard())) socket.write('x');
    }, 500);
    await Promise.all(
      clients.map(({ closed, socket }) => {
        socket.once('end', () => socket.end());
        return closed;
      }),
    );
    clearInterval(knock);
    expect(await lives()).toBe(200);
  });
});
