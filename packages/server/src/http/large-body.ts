import { Worker } from 'node:worker_threads';
import { AppError } from '../platform/app-error.ts';
import { createFairQueue } from '../platform/keyed-mutex.ts';
import { programUrl } from '../platform/locations.ts';
import type { InputReply, InputRequest } from './input-worker.ts';

/** Smaller bodies are parsed in about ten milliseconds; a larger one would block all other requests. */
export const LARGE_BODY_BYTES = 256 * 1024;
/** Limits of the queue: waiting requests hold their bodies in memory. */
const QUEUE_LIMITS = { max: 12, maxOfOne: 5 };
const IDLE_MS = 30_000;

export type BodyFormat = 'json' | 'form';

/** The text of a body that is parsed in the worker thread. */
export class LargeBody {
  readonly text: string;
  readonly format: BodyFormat;

  constructor(text: string, format: BodyFormat) {
    this.text = text;
    this.format = format;
  }
}

type Waiting = { resolve: (reply: InputReply) => void; reject: (error: Error) => void };

/**
 * Parses large bodies one after the other, tenants taking turns, in a worker thread that starts on first use and ends
 * when idle.
 */
export const createLargeBodies = () => {
  const waiting = new Map<number, Waiting>();
  const queue = createFairQueue(QUEUE_LIMITS);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = (): void => {
    clearTimeout(idle);
    void worker?.terminate();
    worker = undefined;
  };

  const start = (): Worker => {
    const started = new Worker(programUrl('http/input-worker.ts'));
    started.unref();
    started.on('message', (reply: InputReply) => {
      waiting.get(reply.id)?.resolve(reply);
      waiting.delete(reply.id);
      if (waiting.size > 0) return;
      clearTimeout(idle);
      idle = setTimeout(end, IDLE_MS).unref();
    });
    const fail = (error: Error): void => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('error', fail);
    started.on('exit', () => fail(new Error('input worker terminated')));
    return started;
  };

  const send = (request: Omit<InputRequest, 'id'>): Promise<InputReply> => {
    clearTimeout(idle);
    worker ??= start();
    const id = ++lastId;
    const { postMessage } = worker;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      postMessage.call(worker, { id, ...request });
    });
  };

  return {
    async read(request: Omit<InputRequest, 'id'>, owner: string) {
      const reply = await queue(owner, () => send(request));
      if ('malformed' in reply) throw new AppError('MALFORMED_BODY');
      return reply;
    },
    end,
  };
};

export type LargeBodies = ReturnType<typeof createLargeBodies>;
