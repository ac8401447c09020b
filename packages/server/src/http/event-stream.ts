import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Server-sent events as text, each item a whole event or comment. */
export type EventStream = AsyncIterable<string>;

/** Tracks open streams, so that the hub can abort them when it stops. */
export const createStreams = (app: FastifyInstance) => {
  const open = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const stream of open) stream.abort();
  });
  return {
    /** The signal aborts when the caller disconnects or the hub stops. */
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
    // A buffering proxy would delay events.
    .header('Cache-Control', 'no-store, no-transform')
    .header('X-Accel-Buffering', 'no')
    .send(Readable.from(events, { objectMode: false }));
