import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import { unmappedAddress } from '../platform/trusted-proxies.ts';
import { filterConnections, type Listener, listen, type SocketAcceptor } from './listeners.ts';
import { ProtocolError } from './protocol-error.ts';
import { ReasonCode } from './reason-codes.ts';
import type { ServerLimits } from './server-types.ts';

const SUBPROTOCOL = 'mqtt';
/** A WebSocket ping is answered only while fewer bytes than this wait to be sent. */
const PONG_UNSENT_MAX = 64 * 1_024;
const TOO_MANY = 'HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const NO_SUBPROTOCOL = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** MQTT 3.1.1 §6, MQTT 5 §6: MQTT over WebSocket. */
const violation = (message: string): ProtocolError => new ProtocolError(message, '6', '6', ReasonCode.protocolError);

/** Only the last entry is trusted: the client may have written the others. */
const forwardedFor = ({ headers }: IncomingMessage): string => {
  const entries = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  return unmappedAddress(entries.at(-1)?.trim());
};

const offersSubprotocol = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === SUBPROTOCOL);

/** Timeout for incomplete frames: their bytes do not reach the packet reader, so its own timeout cannot apply. */
const watchFrames = (client: WebSocket, socket: Duplex, withinMs: number, onTimeout: () => void): void => {
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    // While the hub itself does not read, the frame cannot be completed.
    timer = setTimeout(() => (client.isPaused ? arm() : onTimeout()), withinMs);
  };
  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  // Prepended: arms the timer before the frames in the chunk are parsed, so that complete ones disarm it.
  socket.prependListener('data', () => {
    if (!timer) arm();
  });
  for (const event of ['message', 'ping', 'pong', 'close'] as const) client.on(event, disarm);
  socket.on('close', disarm);
};

const addClient = (
  client: WebSocket,
  socket: Duplex,
  ip: string,
  limits: ServerLimits,
  acceptor: SocketAcceptor,
): void => {
  // Registered before the stream's own listener, so that the error drops the frame.
  client.on('message', (_data, isBinary) => {
    if (!isBinary) mqtt.failed(violation('a text frame'));
  });
  client.on('ping', (data) => {
    if (socket.writableLength < PONG_UNSENT_MAX) client.pong(data);
  });
  client.on('error', (error) => mqtt.failed(violation(`invalid WebSocket frame: ${error.message}`)));
  const stream = createWebSocketStream(client, { readableHighWaterMark: limits.readAheadBytes });
  const mqtt = acceptor.addClient(stream, ip, 'ws');
  watchFrames(client, socket, limits.packetWithinMs, () =>
    mqtt.failed(violation('incomplete WebSocket frame: the rest did not arrive in time')),
  );
};

/** Accepts WebSocket connections that the admin process proxies over a Unix socket. */
export const listenWebSocket = async (
  path: string,
  limits: ServerLimits,
  acceptor: SocketAcceptor,
): Promise<Listener> => {
  // A killed process leaves its socket file behind.
  await rm(path, { force: true });
  const server = createServer({ headersTimeout: limits.connectWithinMs, requestTimeout: limits.connectWithinMs });
  const options = {
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    autoPong: false,
    // Supported by ws, but missing in its type definitions.
    closeTimeout: limits.lingerMs,
    maxPayload: limits.webSocketFrameBytes,
    handleProtocols: () => SUBPROTOCOL,
  };
  const upgrades = new WebSocketServer(options);
  filterConnections(server, acceptor);
  server.on('request', (_request, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!offersSubprotocol(request)) {
      socket.end(NO_SUBPROTOCOL);
      return;
    }
    const ip = forwardedFor(request);
    if (!acceptor.acceptAddress(ip)) {
      socket.end(TOO_MANY);
      return;
    }
    upgrades.handleUpgrade(request, socket, head, (client) => addClient(client, socket, ip, limits, acceptor));
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
