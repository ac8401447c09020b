import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A request that has not been received completely after this time is closed. */
const RECEIVE_TIMEOUT_MS = 120_000;
/** A slow upload is closed after no data for this time. */
const IDLE_TIMEOUT_MS = 60_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

const watch = (request: IncomingMessage, timer: NodeJS.Timeout): void => {
  clearTimeout(timers.get(request));
  timers.set(request, timer.unref());
  request.once('close', () => clearTimeout(timer));
};

/**
 * Closes requests that never complete. Node's own limit would apply to all requests alike, but an upload on a slow line
 * takes longer than a call may.
 */
export const limitRequestTime = (app: FastifyInstance): void => {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.complete) return;
    watch(
      raw,
      // A completely received request has no limit: a stream or download may take any time.
      setTimeout(() => raw.complete || raw.socket.destroy(), RECEIVE_TIMEOUT_MS),
    );
  });
};

/** Lifts the limit for this request, as long as data keeps arriving. */
export const allowSlowBody = (request: IncomingMessage): void => {
  const { socket } = request;
  let lastBytes = socket.bytesRead;
  const checkProgress = (): void => {
    if (socket.bytesRead === lastBytes) socket.destroy();
    lastBytes = socket.bytesRead;
  };
  watch(request, setInterval(checkProgress, IDLE_TIMEOUT_MS));
};
