import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import { unmappedAddress } from '../platform/trusted-proxies.ts';
import { guard, type Listener, listen, type SocketAcceptor } from './listeners.ts';
import { ProtocolError } from './protocol-error.ts';
import { ReasonCode } from './reason-codes.ts';
import type { GatewayLimits } from './server-types.ts';

const SUBPROTOCOL = 'mqtt';
/** A WebSocket ping is answered only while the client takes the answers. */
const PONG_UNSENT_MAX = 64 * 1_024;
const TOO_MANY = 'HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const NO_SUBPROTOCOL = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** MQTT 3.1.1 §6, MQTT 5 §6: what MQTT asks of WebSocket. */
const violation = (words: string): ProtocolError => new ProtocolError(words, '6', '6', ReasonCode.protocolError);

/** The last entry: those before it were written by whoever asked. */
const forwardedFor = ({ headers }: IncomingMessage): string => {
  const entries = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  return unmappedAddress(entries.at(-1)?.trim());
};

const offersSubprotocol = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === SUBPROTOCOL);

/** A frame once begun is finished in time: until it is, nothing of it is seen by whoever reads packets. */
const watchFrames = (client: WebSocket, socket: Duplex, withinMs: number, late: () => void): void => {
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    // While the hub itself does not read, the frame cannot be finished.
    timer = setTimeout(() => (client.isPaused ? arm() : late()), withinMs);
  };
  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  // Before the frames in these bytes are read, so that whole ones disarm it again.
  socket.prependListener('data', () => {
    if (!timer) arm();
  });
  for (const whole of ['message', 'ping', 'pong', 'close'] as const) client.on(whole, disarm);
  socket.on('close', disarm);
};

const enter = (client: WebSocket, socket: Duplex, ip: string, limits: GatewayLimits, doors: SocketAcceptor): void => {
  // Heard before the stream takes the frame, which is then dropped.
  client.on('message', (_data, isBinary) => {
    if (!isBinary) mqtt.failed(violation('a text frame'));
  });
  client.on('ping', (data) => {
    if (socket.writableLength < PONG_UNSENT_MAX) client.pong(data);
  });
  client.on('error', (error) => mqtt.failed(violation(`a WebSocket frame that cannot be read: ${error.message}`)));
  const stream = createWebSocketStream(client, { readableHighWaterMark: limits.readAheadBytes });
  const mqtt = doors.enter(stream, ip, 'ws');
  watchFrames(client, socket, limits.packetWithinMs, () =>
    mqtt.failed(violation('a WebSocket frame was begun and not finished in time')),
  );
};

/** WebSocket connections that the admin side pipes here, over a socket that only this machine's hub can reach. */
export const listenWebSocket = async (
  path: string,
  limits: GatewayLimits,
  doors: SocketAcceptor,
): Promise<Listener> => {
  // A hub that was killed leaves its socket behind.
  await rm(path, { force: true });
  const server = createServer({ headersTimeout: limits.connectWithinMs, requestTimeout: limits.connectWithinMs });
  const options = {
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    autoPong: false,
    // Known to ws and not yet to its types.
    closeTimeout: limits.lingerMs,
    maxPayload: limits.webSocketFrameBytes,
    handleProtocols: () => SUBPROTOCOL,
  };
  const upgrades = new WebSocketServer(options);
  guard(server, doors);
  server.on('request', (_request, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!offersSubprotocol(request)) {
      socket.end(NO_SUBPROTOCOL);
      return;
    }
    const ip = forwardedFor(request);
    if (!doors.mayEnterFrom(ip)) {
      socket.end(TOO_MANY);
      return;
    }
    upgrades.handleUpgrade(request, socket, head, (client) => enter(client, socket, ip, limits, doors));
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
