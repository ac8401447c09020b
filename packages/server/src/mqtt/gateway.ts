import { createServer, type Socket } from 'node:net';
import { generate, parser } from 'mqtt-packet';
import type { Log } from '../platform/log.ts';

type GatewayOptions = { host: string; port: number; log: Log };

/** Nobody needs more for a CONNECT; checked before anything is parsed. */
const CONNECT_MAX_BYTES = 4_096;
/** Who has not sent a CONNECT by then is let go, whether silent or dripping byte by byte. */
const CONNECT_WITHIN_MS = 10_000;
const CONNECTIONS_MAX = 10_000;

// MQTT 3.1.1 §3.2.2.3: 5, not authorized. MQTT 5 §3.2.2.2: 0x87, the same.
const NOT_AUTHORIZED = { returnCode: 5, reasonCode: 0x87 };

const refuse = (socket: Socket, protocolVersion: number): void => {
  const answer =
    protocolVersion === 5
      ? generate(
          {
            cmd: 'connack',
            sessionPresent: false,
            reasonCode: NOT_AUTHORIZED.reasonCode,
            properties: { reasonString: 'no device is registered on this hub' },
          },
          { protocolVersion: 5 },
        )
      : generate({ cmd: 'connack', sessionPresent: false, returnCode: NOT_AUTHORIZED.returnCode });
  socket.end(answer);
};

/** Answers one CONNECT and hangs up; whatever else comes is cut without an answer. */
const receive = (socket: Socket, log: Log): void => {
  const packets = parser();
  let received = 0;
  let answered = false;
  const cut = (reason: string): void => {
    log.debug({ ip: socket.remoteAddress, reason }, 'connection cut');
    socket.destroy();
  };
  const deadline = setTimeout(() => cut('no CONNECT in time'), CONNECT_WITHIN_MS);
  socket.on('close', () => clearTimeout(deadline));
  socket.on('error', () => socket.destroy());
  packets.on('error', (error: Error) => cut(error.message));
  packets.on('packet', (packet) => {
    // A client need not wait for the answer before it sends more; cutting then would lose the answer.
    if (answered) return;
    if (packet.cmd !== 'connect') return cut(`${packet.cmd} before connect`);
    answered = true;
    refuse(socket, packet.protocolVersion ?? 4);
  });
  socket.on('data', (bytes) => {
    received += bytes.length;
    if (received > CONNECT_MAX_BYTES) cut('too large');
    else if (!answered) packets.parse(bytes);
  });
};

/** The device gateway. Until devices exist it refuses everyone, politely and in the caller's protocol version. */
export const startGateway = async ({ host, port, log }: GatewayOptions) => {
  const server = createServer((socket) => receive(socket, log));
  server.maxConnections = CONNECTIONS_MAX;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as { port: number };
  return {
    port: address.port,
    stop: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
