import { rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import type { GatewayLimits, GatewayOptions, Transport } from './gateway-types.ts';

export type Doors = {
  /** A socket came, before anything is read of it; false when there is no room for it. */
  mayEnter: (socket: Socket) => boolean;
  /** It speaks MQTT from here on. */
  enter: (stream: Duplex, ip: string, transport: Transport) => void;
};

export type Listener = { port: number | null; close: () => Promise<void> };

const SUBPROTOCOL = 'mqtt';
/** A WebSocket ping is answered only while the client takes the answers. */
const PONG_UNSENT_MAX = 64 * 1_024;

/** An IPv4 address that came through an IPv6 socket is shown as what it is. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');

const guard = (server: Server, doors: Doors): void => {
  server.on('connection', (socket: Socket) => {
    // Errors before the socket speaks MQTT are the peer's own; its close follows.
    socket.on('error', () => undefined);
    if (!doors.mayEnter(socket)) socket.destroy();
  });
};

const listen = async (server: Server, where: { host: string; port: number } | { path: string }): Promise<Listener> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

export const listenTcp = ({ host, port }: GatewayOptions, doors: Doors): Promise<Listener> => {
  const server = createServer({ noDelay: true });
  guard(server, doors);
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) doors.enter(socket, plainAddress(socket.remoteAddress), 'tcp');
  });
  return listen(server, { host, port });
};

export const listenTls = (
  host: string,
  { cert, key, port }: NonNullable<GatewayOptions['tls']>,
  limits: GatewayLimits,
  doors: Doors,
): Promise<Listener> => {
  const server = createTlsServer({
    cert,
    key,
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.connectWithinMs,
    noDelay: true,
  });
  guard(server, doors);
  server.on('secureConnection', (socket: TLSSocket) => doors.enter(socket, plainAddress(socket.remoteAddress), 'tls'));
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return listen(server, { host, port });
};

/** The last entry: those before it were written by whoever asked. */
const forwardedFor = ({ headers }: IncomingMessage): string => {
  const entries = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  return plainAddress(entries.at(-1)?.trim());
};

const offersSubprotocol = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === SUBPROTOCOL);

const openWebSocket = (client: WebSocket, socket: Duplex, limits: GatewayLimits): Duplex => {
  // MQTT 3.1.1 §6: binary frames only.
  client.on('message', (_data, isBinary) => {
    if (!isBinary) client.close(1003, 'binary frames only');
  });
  client.on('ping', (data) => {
    if (socket.writableLength < PONG_UNSENT_MAX) client.pong(data);
  });
  client.on('error', () => client.terminate());
  return createWebSocketStream(client, { readableHighWaterMark: limits.readAheadBytes });
};

/** WebSocket connections that the admin side pipes here, over a socket that only this machine's hub can reach. */
export const listenWebSocket = async (path: string, limits: GatewayLimits, doors: Doors): Promise<Listener> => {
  // A hub that was killed leaves its socket behind.
  await rm(path, { force: true });
  const server = createHttpServer({ headersTimeout: limits.connectWithinMs, requestTimeout: limits.connectWithinMs });
  const upgrades = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    autoPong: false,
    maxPayload: limits.webSocketFrameBytes,
    handleProtocols: () => SUBPROTOCOL,
  });
  guard(server, doors);
  server.on('request', (_request, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!offersSubprotocol(request)) {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    upgrades.handleUpgrade(request, socket, head, (client) =>
      doors.enter(openWebSocket(client, socket, limits), forwardedFor(request), 'ws'),
    );
  });
  const listener = await listen(server, { path });
  return {
    ...listener,
    close: () => {
      const closed = listener.close();
      server.closeAllConnections();
      return closed;
    },
  };
};
