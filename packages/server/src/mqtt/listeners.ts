import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { unmappedAddress } from '../platform/trusted-proxies.ts';
import type { ProtocolError } from './protocol-error.ts';
import type { Certificate, ServerLimits, ServerOptions, Transport } from './server-types.ts';

export type SocketAcceptor = {
  /** Called for a new socket, before anything is read; returns false when a limit is reached. */
  accept: (socket: Socket) => boolean;
  /** Checks the client address of a proxied connection, whose socket has another address. */
  acceptAddress: (ip: string) => boolean;
  /** Starts the MQTT protocol on the stream; the transport reports its own protocol errors through `failed`. */
  addClient: (stream: Duplex, ip: string, transport: Transport) => { failed: (error: ProtocolError) => void };
};

export type Listener = { address: string; port: number | null; close: () => Promise<void> };

export const filterConnections = (server: Server, acceptor: SocketAcceptor): void => {
  server.on('connection', (socket: Socket) => {
    // Errors before the MQTT handshake are ignored: 'close' follows.
    socket.on('error', () => undefined);
    if (!acceptor.accept(socket)) socket.destroy();
  });
};

export const listen = async (
  server: Server,
  endpoint: { host: string; port: number } | { path: string },
): Promise<Listener> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(endpoint, () => resolve());
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
  { readAheadBytes }: ServerLimits,
  acceptor: SocketAcceptor,
): Promise<Listener> => {
  // A paused socket still buffers up to this mark.
  const server = createServer({ noDelay: true, highWaterMark: readAheadBytes });
  filterConnections(server, acceptor);
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) acceptor.addClient(socket, unmappedAddress(socket.remoteAddress), 'tcp');
  });
  return listen(server, { host, port });
};

/** setSecureContext replaces the whole context, so options that do not depend on the certificate are repeated. */
const contextOf = ({ cert, key }: Certificate) => ({ cert, key, minVersion: 'TLSv1.2' }) as const;

export type TlsListener = Listener & { replaceCertificate: (certificate: Certificate) => void };

export const listenTls = async (
  host: string,
  { port, ...certificate }: NonNullable<ServerOptions['tls']>,
  limits: ServerLimits,
  acceptor: SocketAcceptor,
): Promise<TlsListener> => {
  const server = createTlsServer({
    ...contextOf(certificate),
    handshakeTimeout: limits.connectWithinMs,
    noDelay: true,
    highWaterMark: limits.readAheadBytes,
  });
  filterConnections(server, acceptor);
  server.on('secureConnection', (socket: TLSSocket) => {
    acceptor.addClient(socket, unmappedAddress(socket.remoteAddress), 'tls');
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return {
    ...(await listen(server, { host, port })),
    replaceCertificate: (replacing) => server.setSecureContext(contextOf(replacing)),
  };
};
