import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { programUrl } from '../platform/locations.ts';
import type { SqliteReply, SqliteRequest } from './sqlite-worker.ts';

export class SqliteError extends Error {
  readonly errcode: number;

  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }

  /** Another connection holds the lock (SQLITE_BUSY and its extended codes). */
  get busy(): boolean {
    return (this.errcode & 0xff) === 5;
  }
}

export type SqliteResult = { rows: Record<string, unknown>[]; changes: number };

type Waiting = { resolve: (result: SqliteResult) => void; reject: (error: Error) => void };

/** The near end of a connection that lives in a worker thread. */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor(file: string, readOnly: boolean) {
    this.#worker = new Worker(programUrl('db/sqlite-worker.ts'), { workerData: { file, readOnly } });
    this.#worker.on('message', (reply: SqliteReply) => this.#answer(reply));
    this.#worker.on('error', (error: Error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the SQLite thread has ended')));
  }

  /** How much was asked of it and not answered yet. */
  get pending(): number {
    return this.#waiting.size;
  }

  run(sql: string, params: readonly unknown[] = []): Promise<SqliteResult> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    const request: SqliteRequest = { id, sql, params: params as SQLInputValue[] };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage('close');
    await exited;
  }

  #answer(reply: SqliteReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiting?.reject(new SqliteError(reply.error.message, reply.error.errcode));
    else waiting?.resolve(reply);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
