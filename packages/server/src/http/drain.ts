import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../platform/log.ts';

/** What has arrived when closing begins is read within this time. */
const READ_WITHIN_MS = 100;

/** Between the signal to stop and the end everything is served, and clients are asked to close their connections. */
export const createDrain = (log: Log) => {
  let isDraining = false;
  return {
    isDraining: (): boolean => isDraining,
    begin: (): void => {
      isDraining = true;
      log.info('draining: /health/ready answers 503 until the hub stops');
    },
  };
};

/**
 * Lets closing end as soon as the requests in flight are answered. Node itself would wait for connections that have
 * sent nothing yet, and for those that a client keeps open after its last answer.
 */
export const drainOnClose = (app: FastifyInstance, isDraining: () => boolean): void => {
  const waiting = new Set<Socket>();
  let closing = false;
  app.server.on('connection', (socket) => {
    waiting.add(socket);
    socket.on('close', () => waiting.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    waiting.delete(socket);
    response.on('close', () => {
      if (closing) socket.destroySoon();
      else if (!socket.destroyed) waiting.add(socket);
    });
  });
  // A client with a keep-alive connection opens its next one at another hub, before this one is gone.
  app.addHook('onSend', async (_request, reply) => {
    if (closing || isDraining()) reply.header('Connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    setTimeout(() => {
      for (const socket of waiting) socket.destroy();
    }, READ_WITHIN_MS);
  });
};
