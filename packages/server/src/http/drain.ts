import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** What has arrived when closing begins is read within this time. */
const READ_WITHIN_MS = 100;

/**
 * Lets closing end as soon as the requests in flight are answered. Node itself would wait for connections that have
 * sent nothing yet, and for those that a client keeps open after its last answer.
 */
export const drainOnClose = (app: FastifyInstance): void => {
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
  app.addHook('preClose', async () => {
    closing = true;
    setTimeout(() => {
      for (const socket of waiting) socket.destroy();
    }, READ_WITHIN_MS);
  });
};
