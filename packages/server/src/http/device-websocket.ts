import type { IncomingMessage } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../platform/log.ts';
import { createClientAddress } from '../platform/trusted-proxies.ts';

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

/** Who has been refused and does not hang up is hung up on. */
const LINGER_MS = 2_000;

const refuse = (socket: Socket, status: string, text = ''): void => {
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  // Read on, or unread bytes would take the answer with them. No limit of the HTTP server holds for it any more.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

const AWAY = 'The device side cannot be reached just now; try again.\n';
const NONE =
  'This hub has no device side. Connect to a device side, or name one to this hub with the setting DEVICE_PROCESS_URL.\n';

/** Where the device side takes WebSocket connections: beside this process, or on another machine. */
export const deviceProcessAt = (
  socketPath: string | undefined,
  url: string | undefined,
): NetConnectOpts | undefined => {
  if (url === undefined) return socketPath === undefined ? undefined : { path: socketPath };
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
};

/** The request as it was, so that the device side answers the handshake itself. */
const replay = (request: IncomingMessage, ip: string): string =>
  [`GET ${PATH} HTTP/1.1`, ...headerLines(request), `X-Forwarded-For: ${ip}`, '', ''].join('\r\n');

type DeviceWebSocketDeps = {
  deviceProcess: NetConnectOpts | undefined;
  /** The setting TRUST_PROXY: whose word on the client's address is believed. */
  trustProxy: number | string | false;
  log: Log;
};

/**
 * MQTT over WebSocket comes to the HTTP port and belongs to the device side: its bytes are piped there, request and
 * head replayed.
 */
export const pipeDeviceWebSockets = (
  app: FastifyInstance,
  { deviceProcess, trustProxy, log }: DeviceWebSocketDeps,
): void => {
  const addressOf = createClientAddress(trustProxy);
  const open = new Set<Socket>();
  app.server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    // An address that cannot be read is no address of ours, and nothing that may throw here.
    const pathname = URL.parse(request.url ?? '/', 'http://hub')?.pathname;
    if (pathname !== PATH) {
      refuse(client, '404 Not Found');
      return;
    }
    if (!deviceProcess) {
      refuse(client, '503 Service Unavailable', NONE);
      return;
    }
    const side = connect(deviceProcess, () => {
      side.write(replay(request, addressOf(request)));
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
      if (client.writable && side.bytesRead === 0) refuse(client, '503 Service Unavailable', AWAY);
      else client.destroy();
    });
  });
  // They are no requests in flight: nobody waits for them when the hub stops.
  app.addHook('preClose', async () => {
    for (const socket of open) socket.destroy();
  });
};
