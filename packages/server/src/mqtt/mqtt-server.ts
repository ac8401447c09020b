import type { Socket } from 'node:net';
import { unmappedAddress } from '../platform/trusted-proxies.ts';
import { Addresses } from './addresses.ts';
import { Budget } from './budget.ts';
import { Clock } from './clock.ts';
import { ClientConnection } from './connection.ts';
import { type Listener, listenTcp, listenTls, type SocketAcceptor } from './listeners.ts';
import type { ServerContext } from './server-context.ts';
import { defaultLimits, type Gateway, type GatewayOptions } from './server-types.ts';
import { listenWebSocket } from './web-socket.ts';

type ClientRegistry = SocketAcceptor & {
  sweep: () => void;
  /** Says goodbye to all, and resolves when all are gone. */
  disconnectAll: () => Promise<void>;
};

/** Every socket of the gateway, and the clients among them. */
const createCrowd = (hub: ServerContext): ClientRegistry => {
  const sockets = new Set<Socket>();
  const clients = new Set<ClientConnection>();
  let dismissed = false;
  let whenEmpty: () => void = () => undefined;

  const hasRoom = (): boolean => {
    const pending = sockets.size - hub.admitted;
    return !dismissed && sockets.size < hub.limits.connections && pending < hub.limits.pendingConnections;
  };

  const mayEnterFrom = (ip: string): boolean => {
    const may = hub.addresses.accept(ip);
    if (!may) hub.refused++;
    return may;
  };

  return {
    mayEnterFrom,
    accept(socket) {
      if (!hasRoom()) {
        hub.refused++;
        return false;
      }
      const ip = unmappedAddress(socket.remoteAddress);
      // A socket of this machine's own has no address: whose connection it carries is known later.
      if (ip && !mayEnterFrom(ip)) return false;
      sockets.add(socket);
      if (ip) hub.addresses.count(ip, 1);
      socket.on('close', () => {
        if (ip) hub.addresses.count(ip, -1);
        sockets.delete(socket);
        if (sockets.size === 0) whenEmpty();
      });
      return true;
    },
    enter(stream, ip, transport) {
      const client = new ClientConnection(hub, stream, { ip, transport }, () => {
        if (clients.delete(client) && client.isAdmitted) hub.admitted--;
      });
      clients.add(client);
      if (transport === 'ws') hub.addresses.count(ip, 1);
      // At the close, as its socket is: between the two it would count as pending.
      stream.on('close', () => {
        if (transport === 'ws') hub.addresses.count(ip, -1);
        if (client.isAdmitted) hub.addresses.count(ip, 1);
      });
      if (dismissed) client.cut('hubStopped');
      return client;
    },
    sweep() {
      hub.clock.tick();
      for (const client of clients) client.sweep();
    },
    async disconnectAll() {
      dismissed = true;
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (sockets.size === 0) resolve();
      });
      for (const client of clients) client.cut('hubStopped');
      const deadline = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, hub.limits.stopWithinMs);
      await empty;
      clearTimeout(deadline);
    },
  };
};

const listenAll = async (options: GatewayOptions, hub: ServerContext, doors: SocketAcceptor) => {
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
    const plain = port === null ? null : await open(listenTcp(host, port, hub.limits, doors));
    const secure = tls ? await open(listenTls(host, tls, hub.limits, doors)) : null;
    if (socketPath) await open(listenWebSocket(socketPath, hub.limits, doors));
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
 * The device gateway: an MQTT 3.1.1 and 5 server with one topic up and one down for each device. It knows sockets and
 * packets; who may connect and what the messages mean is decided by `admit` and what it answers.
 */
export const startMqttServer = async (options: GatewayOptions): Promise<Gateway> => {
  const limits = { ...defaultLimits, ...options.limits };
  const hub: ServerContext = {
    limits,
    clock: new Clock(limits.sweepMs),
    budget: new Budget(limits),
    addresses: new Addresses(limits, options.isProxy ?? (() => false)),
    admit: options.admit,
    log: options.log,
    held: { bytes: 0 },
    admitted: 0,
    refused: 0,
  };
  const crowd = createCrowd(hub);
  const { closeAll, ...listening } = await listenAll(options, hub, crowd);
  const sweeping = setInterval(crowd.sweep, limits.sweepMs);
  return {
    ...listening,
    stats: () => ({
      connections: hub.admitted,
      waitingMessages: hub.budget.messages,
      waitingBytes: hub.budget.bytes,
      refused: hub.refused,
    }),
    async stop() {
      const closed = closeAll();
      await crowd.disconnectAll();
      await closed;
      clearInterval(sweeping);
    },
  };
};
