import type { Socket } from 'node:net';
import { unmappedAddress } from '../platform/trusted-proxies.ts';
import { Addresses } from './addresses.ts';
import { Budget } from './budget.ts';
import { Clock } from './clock.ts';
import { ClientConnection } from './connection.ts';
import { type Listener, listenTcp, listenTls, type SocketAcceptor } from './listeners.ts';
import type { ServerContext } from './server-context.ts';
import { defaultLimits, type MqttServer, type ServerOptions } from './server-types.ts';
import { listenWebSocket } from './web-socket.ts';

type ClientRegistry = SocketAcceptor & {
  sweep: () => void;
  /** Disconnects all clients and resolves when every socket is closed. */
  disconnectAll: () => Promise<void>;
};

/** All sockets of the server and the MQTT clients on them. */
const createClientRegistry = (server: ServerContext): ClientRegistry => {
  const sockets = new Set<Socket>();
  const clients = new Set<ClientConnection>();
  let stopping = false;
  let whenEmpty: () => void = () => undefined;

  const hasRoom = (): boolean => {
    const pending = sockets.size - server.acceptedClients;
    return !stopping && sockets.size < server.limits.connections && pending < server.limits.pendingConnections;
  };

  const acceptAddress = (ip: string): boolean => {
    const allowed = server.addresses.accept(ip);
    if (!allowed) server.refused++;
    return allowed;
  };

  return {
    acceptAddress,
    accept(socket) {
      if (!hasRoom()) {
        server.refused++;
        return false;
      }
      const ip = unmappedAddress(socket.remoteAddress);
      // A Unix socket has no remote address: the client's address follows in X-Forwarded-For.
      if (ip && !acceptAddress(ip)) return false;
      sockets.add(socket);
      if (ip) server.addresses.count(ip, 1);
      socket.on('close', () => {
        if (ip) server.addresses.count(ip, -1);
        sockets.delete(socket);
        if (sockets.size === 0) whenEmpty();
      });
      return true;
    },
    addClient(stream, ip, transport) {
      const client = new ClientConnection(server, stream, { ip, transport }, () => {
        if (clients.delete(client) && client.isAccepted) server.acceptedClients--;
      });
      clients.add(client);
      if (transport === 'ws') server.addresses.count(ip, 1);
      // On 'close', like the count of its socket: at another time the client would briefly count as pending.
      stream.on('close', () => {
        if (transport === 'ws') server.addresses.count(ip, -1);
        if (client.isAccepted) server.addresses.count(ip, 1);
      });
      if (stopping) client.disconnect('hubStopped');
      return client;
    },
    sweep() {
      server.clock.tick();
      for (const client of clients) client.checkDeadlines();
    },
    async disconnectAll() {
      stopping = true;
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (sockets.size === 0) resolve();
      });
      for (const client of clients) client.disconnect('hubStopped');
      const deadline = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, server.limits.stopWithinMs);
      await empty;
      clearTimeout(deadline);
    },
  };
};

const listenAll = async (options: ServerOptions, server: ServerContext, acceptor: SocketAcceptor) => {
  const opened: Listener[] = [];
  const open = async <Opened extends Listener>(listening: Promise<Opened>): Promise<Opened> => {
    const listener = await listening;
    opened.push(listener);
    return listener;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.map((listener) => listener.close()));
  };
  try {
    const { host, port, tls, socketPath } = options;
    const plain = port === null ? null : await open(listenTcp(host, port, server.limits, acceptor));
    const secure = tls ? await open(listenTls(host, tls, server.limits, acceptor)) : null;
    if (socketPath) await open(listenWebSocket(socketPath, server.limits, acceptor));
    return {
      address: (plain ?? secure)?.address ?? '',
      port: plain?.port ?? null,
      tlsPort: secure?.port ?? null,
      replaceCertificate: secure?.replaceCertificate ?? (() => undefined),
      closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
};

/**
 * The MQTT 3.1.1 and 5 server of the device process, with one uplink and one downlink topic per device. It handles
 * sockets and packets; `authorize` decides which device may connect and returns the handlers of its messages.
 */
export const startMqttServer = async (options: ServerOptions): Promise<MqttServer> => {
  const limits = { ...defaultLimits, ...options.limits };
  const server: ServerContext = {
    limits,
    clock: new Clock(limits.sweepMs),
    budget: new Budget(limits),
    addresses: new Addresses(limits, options.isProxy ?? (() => false)),
    authorize: options.authorize,
    log: options.log,
    readAhead: { bytes: 0 },
    acceptedClients: 0,
    refused: 0,
  };
  const registry = createClientRegistry(server);
  const { closeAll, ...listening } = await listenAll(options, server, registry);
  const sweeping = setInterval(registry.sweep, limits.sweepMs);
  return {
    ...listening,
    stats: () => ({
      connections: server.acceptedClients,
      waitingMessages: server.budget.messages,
      waitingBytes: server.budget.bytes,
      refused: server.refused,
    }),
    async stop() {
      const closed = closeAll();
      await registry.disconnectAll();
      await closed;
      clearInterval(sweeping);
    },
  };
};
