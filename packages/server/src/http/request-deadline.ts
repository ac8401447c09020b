import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A request that has not come whole by then is let go. */
const WHOLE_WITHIN_MS = 120_000;
/** Of one that may take hours, a sender that has been silent for so long. */
const SILENT_FOR_MS = 60_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

const watch = (request: IncomingMessage, timer: NodeJS.Timeout): void => {
  clearTimeout(timers.get(request));
  timers.set(request, timer.unref());
  request.once('close', () => clearTimeout(timer));
};

/**
 * Ends requests that never end. Node's own limit holds for every request alike, and a large file on a slow line
 * takes longer than any call should.
 */
export const limitRequestTime = (app: FastifyInstance): void => {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.complete) return;
    watch(
      raw,
      // What is being answered has come whole: a stream or a download may take as long as it likes.
      setTimeout(() => raw.complete || raw.socket.destroy(), WHOLE_WITHIN_MS),
    );
  });
};

/** From now on this request may take its time, as long as something arrives. */
export const allowSlowBody = (request: IncomingMessage): void => {
  const { socket } = request;
  let seen = socket.bytesRead;
  const look = (): void => {
    if (socket.bytesRead === seen) socket.destroy();
    seen = socket.bytesRead;
  };
  watch(request, setInterval(look, SILENT_FOR_MS));
};
