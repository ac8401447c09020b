import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SqliteError } from '../db/sqlite-thread.ts';
import { programUrl } from '../platform/locations.ts';
import type { Batch, RecordStore, WriteResult } from './batch.ts';
import { pack } from './pack.ts';
import type { StoreReply, StoreRequest } from './sqlite-store-thread.ts';

type Waiting = { resolve: (results: WriteResult[]) => void; reject: (error: Error) => void };

/** The main thread's end of the writer thread, which starts with the first batch. */
export const createSqliteStore = (file: string, storedCountFile: string): RecordStore => {
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
    const started = new Worker(programUrl('records/sqlite-store-thread.ts'), { workerData: { file, storedCountFile } });
    started.on('message', (reply: StoreReply) => {
      const one = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('error' in reply) one?.reject(new SqliteError(reply.error.message, reply.error.errcode));
      else one?.resolve(reply.results);
    });
    started.on('error', end);
    started.on('exit', () => end(new Error('SQLite thread terminated')));
    return started;
  };

  return {
    // The thread never waits for a network: a second parallel batch was not faster.
    parallelWrites: 1,
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
