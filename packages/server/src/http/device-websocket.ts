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
    // The hub sets the forwarded headers itself.
    if (!/^x-forwarded-/i.test(name)) lines.push(`${name}: ${request.rawHeaders[index + 1]}`);
  }
  return lines;
};

/** A rejected client that does not close its connection is disconnected after this time. */
const LINGER_MS = 2_000;

const reject = (socket: Socket, status: string, text = ''): void => {
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  // Keep reading: closing a socket with unread bytes would reset it and lose the response. The HTTP server's limits no
  // longer apply.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

const UNAVAILABLE = 'The device process is not reachable; try again.\n';
const NO_DEVICE_PROCESS =
  'This hub has no device process. Connect to a device process, or set DEVICE_PROCESS_URL on this hub.\n';

/** Where the device process accepts WebSocket connections: on the same machine, or at the configured URL. */
export const deviceProcessAddress = (
  socketPath: string | undefined,
  url: string | undefined,
): NetConnectOpts | undefined => {
  if (url === undefined) return socketPath === undefined ? undefined : { path: socketPath };
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
};

/** The original request, so that the device process performs the handshake itself. */
const rebuildRequest = (request: IncomingMessage, ip: string): string =>
  [`GET ${PATH} HTTP/1.1`, ...headerLines(request), `X-Forwarded-For: ${ip}`, '', ''].join('\r\n');

type DeviceWebSocketDeps = {
  deviceProcess: NetConnectOpts | undefined;
  /** The setting TRUST_PROXY: proxies whose forwarded headers are trusted. */
  trustProxy: number | string | false;
  log: Log;
};

/**
 * MQTT over WebSocket arrives at the HTTP port and belongs to the device process: request, head and all further bytes
 * are piped there.
 */
export const pipeDeviceWebSockets = (
  app: FastifyInstance,
  { deviceProcess, trustProxy, log }: DeviceWebSocketDeps,
): void => {
  const addressOf = createClientAddress(trustProxy);
  const open = new Set<Socket>();
  app.server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    // URL.parse returns null for an invalid URL instead of throwing.
    const pathname = URL.parse(request.url ?? '/', 'http://hub')?.pathname;
    if (pathname !== PATH) {
      reject(client, '404 Not Found');
      return;
    }
    if (!deviceProcess) {
      reject(client, '503 Service Unavailable', NO_DEVICE_PROCESS);
      return;
    }
    const upstream = connect(deviceProcess, () => {
      upstream.write(rebuildRequest(request, addressOf(request)));
      if (head.length > 0) upstream.write(head);
      client.setNoDelay(true);
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.on('error', (error) => {
      log.debug({ err: error }, 'connection to the device process failed');
      if (client.writable && upstream.bytesRead === 0) reject(client, '503 Service Unavailable', UNAVAILABLE);
      else client.destroy();
    });
  });
  // They are not requests in flight, so the hub does not wait for them when it stops.
  app.addHook('preClose', async () => {
    for (const socket of open) socket.destroy();
  });
};
