import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SqliteError } from '../db/sqlite-thread.ts';
import { programUrl } from '../platform/locations.ts';
import type { Batch, RecordStore, Verdict } from './batch.ts';
import { pack } from './pack.ts';
import type { StoreReply, StoreRequest } from './sqlite-store-thread.ts';

type Waiting = { resolve: (verdicts: Verdict[]) => void; reject: (error: Error) => void };

/** The near end of the thread that writes the records. It starts with the first of them. */
export const createSqliteStore = (file: string, markFile: string): RecordStore => {
  let worker: Worker | undefined;
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Error | undefined;

  const end = (error: Error): void => {
    ended ??= error;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(programUrl('records/sqlite-store-thread.ts'), { workerData: { file, markFile } });
    started.on('message', (reply: StoreReply) => {
      const one = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('error' in reply) one?.reject(new SqliteError(reply.error.message, reply.error.errcode));
      else one?.resolve(reply.verdicts);
    });
    started.on('error', end);
    started.on('exit', () => end(new Error('the SQLite thread has ended')));
    return started;
  };

  return {
    // Its one thread has no way to wait for: a second lane brought nothing.
    lanes: 1,
    write: (batch: Batch) => {
      if (ended) return Promise.reject(ended);
      worker ??= start();
      const started = worker;
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        started.postMessage({ id, batch: pack(batch) } satisfies StoreRequest);
      });
    },
    close: async () => {
      if (ended || !worker) return;
      const exited = once(worker, 'exit');
      worker.postMessage('close');
      await exited;
    },
  };
};
