import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Server-sent events as text, one whole event or comment at a time. */
export type EventStream = AsyncIterable<string>;

/** Knows the streams that are open, so that none of them keeps the hub from stopping. */
export const createStreams = (app: FastifyInstance) => {
  const open = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const stream of open) stream.abort();
  });
  return {
    /** Aborts when the caller leaves or the hub stops. */
    open(reply: FastifyReply): AbortSignal {
      const stream = new AbortController();
      open.add(stream);
      reply.raw.once('close', () => {
        open.delete(stream);
        stream.abort();
      });
      return stream.signal;
    },
  };
};

export const answerStream = (reply: FastifyReply, events: EventStream): FastifyReply =>
  reply
    .header('Content-Type', 'text/event-stream; charset=utf-8')
    // A proxy that gathers answers before it passes them on would hold events back.
    .header('Cache-Control', 'no-store, no-transform')
    .header('X-Accel-Buffering', 'no')
    .send(Readable.from(events, { objectMode: false }));
