import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../platform/log.ts';

/** Time to read requests that have already arrived when closing begins. */
const READ_WITHIN_MS = 100;

/** While draining, the hub still serves all requests and asks clients to close their connections. */
export const createDrain = (log: Log) => {
  let isDraining = false;
  return {
    isDraining: (): boolean => isDraining,
    begin: (): void => {
      isDraining = true;
      log.info('draining started, /health/ready returns 503 until the hub stops');
    },
  };
};

/**
 * Lets the server close once the requests in flight are answered. Node itself would wait for connections that have sent
 * nothing yet, and for keep-alive connections.
 */
export const drainOnClose = (app: FastifyInstance, isDraining: () => boolean): void => {
  const idle = new Set<Socket>();
  let closing = false;
  app.server.on('connection', (socket) => {
    idle.add(socket);
    socket.on('close', () => idle.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.on('close', () => {
      if (closing) socket.destroySoon();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  // So that a client opens its next connection to another hub before this one stops.
  app.addHook('onSend', async (_request, reply) => {
    if (closing || isDraining()) reply.header('Connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    setTimeout(() => {
      for (const socket of idle) socket.destroy();
    }, READ_WITHIN_MS);
  });
};
