import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../platform/log.ts';

const PATH = '/mqtt';

const headerLines = (request: IncomingMessage): string[] => {
  const lines: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    // Where a connection comes from is ours to say.
    if (!/^x-forwarded-/i.test(name)) lines.push(`${name}: ${request.rawHeaders[index + 1]}`);
  }
  return lines;
};

const refuse = (socket: Socket, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/** The request as it was, so that the device side answers the handshake itself. */
const replay = (request: IncomingMessage, ip: string): string =>
  [`GET ${PATH} HTTP/1.1`, ...headerLines(request), `X-Forwarded-For: ${ip}`, '', ''].join('\r\n');

/**
 * MQTT over WebSocket comes to the HTTP port and belongs to the device side: its bytes are piped over a unix socket,
 * request and head replayed.
 */
export const pipeDeviceWebSockets = (app: FastifyInstance, socketPath: string, log: Log): void => {
  const open = new Set<Socket>();
  app.server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    const { pathname } = new URL(request.url ?? '/', 'http://hub');
    if (pathname !== PATH) {
      refuse(client, '404 Not Found');
      return;
    }
    const side = connect(socketPath, () => {
      side.write(replay(request, request.socket.remoteAddress ?? ''));
      if (head.length > 0) side.write(head);
      client.setNoDelay(true);
      client.pipe(side).pipe(client);
    });
    for (const socket of [client, side]) {
      open.add(socket);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        side.destroy();
      });
    }
    side.on('error', (error) => {
      log.debug({ err: error }, 'the device side takes no connection');
      if (client.writable && side.bytesRead === 0) refuse(client, '503 Service Unavailable');
      else client.destroy();
    });
  });
  // They are no requests in flight: nobody waits for them when the hub stops.
  app.addHook('preClose', async () => {
    for (const socket of open) socket.destroy();
  });
};
