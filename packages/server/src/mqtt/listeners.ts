import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { unmappedAddress } from '../platform/trusted-proxies.ts';
import type { ProtocolError } from './protocol-error.ts';
import type { Certificate, GatewayLimits, GatewayOptions, Transport } from './server-types.ts';

export type SocketAcceptor = {
  /** A socket came, before anything is read of it; false when there is no room for it. */
  accept: (socket: Socket) => boolean;
  /** Of a connection that is piped here: its socket is not the client's own. */
  mayEnterFrom: (ip: string) => boolean;
  /** It speaks MQTT from here on; what the transport finds wrong with it is told by `failed`. */
  enter: (stream: Duplex, ip: string, transport: Transport) => { failed: (error: ProtocolError) => void };
};

export type Listener = { address: string; port: number | null; close: () => Promise<void> };

export const guard = (server: Server, doors: SocketAcceptor): void => {
  server.on('connection', (socket: Socket) => {
    // Errors before the socket speaks MQTT are the peer's own; its close follows.
    socket.on('error', () => undefined);
    if (!doors.accept(socket)) socket.destroy();
  });
};

export const listen = async (
  server: Server,
  where: { host: string; port: number } | { path: string },
): Promise<Listener> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve());
  });
  const bound = server.address();
  const { address, port } = typeof bound === 'object' && bound ? bound : { address: bound ?? '', port: null };
  return {
    address,
    port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

export const listenTcp = (
  host: string,
  port: number,
  { readAheadBytes }: GatewayLimits,
  doors: SocketAcceptor,
): Promise<Listener> => {
  // A socket that is paused still reads up to this mark.
  const server = createServer({ noDelay: true, highWaterMark: readAheadBytes });
  guard(server, doors);
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) doors.enter(socket, unmappedAddress(socket.remoteAddress), 'tcp');
  });
  return listen(server, { host, port });
};

/** A listener's context is replaced as a whole, so what holds for every certificate is said each time. */
const contextOf = ({ cert, key }: Certificate) => ({ cert, key, minVersion: 'TLSv1.2' }) as const;

export type TlsListener = Listener & { replaceCertificate: (certificate: Certificate) => void };

export const listenTls = async (
  host: string,
  { port, ...certificate }: NonNullable<GatewayOptions['tls']>,
  limits: GatewayLimits,
  doors: SocketAcceptor,
): Promise<TlsListener> => {
  const server = createTlsServer({
    ...contextOf(certificate),
    handshakeTimeout: limits.connectWithinMs,
    noDelay: true,
    highWaterMark: limits.readAheadBytes,
  });
  guard(server, doors);
  server.on('secureConnection', (socket: TLSSocket) => {
    doors.enter(socket, unmappedAddress(socket.remoteAddress), 'tls');
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return {
    ...(await listen(server, { host, port })),
    replaceCertificate: (replacing) => server.setSecureContext(contextOf(replacing)),
  };
};
