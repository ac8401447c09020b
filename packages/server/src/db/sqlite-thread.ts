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

type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

/** The main thread's end of a worker thread that holds connections. The worker ends with its last connection. */
class SqliteThread {
  readonly #worker = new Worker(programUrl('db/sqlite-worker.ts'));
  readonly #waiting = new Map<number, Waiting>();
  readonly #open = new Set<number>();
  readonly #exited: Promise<void>;
  #lastId = 0;
  #lastConnectionNo = 0;
  #ended: Error | undefined;

  constructor() {
    this.#worker.on('message', (reply: SqliteReply) => this.#answer(reply));
    this.#worker.on('error', (error: Error) => this.#end(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#end(new Error('SQLite thread terminated'));
        resolve();
      });
    });
  }

  /** Requests without an answer yet. */
  get pending(): number {
    return this.#waiting.size;
  }

  get isClosed(): boolean {
    return this.#ended !== undefined || this.#open.size === 0;
  }

  open(file: string, readOnly: boolean): number {
    const connectionNo = ++this.#lastConnectionNo;
    this.#open.add(connectionNo);
    this.request({ work: 'open', connectionNo, file, readOnly }).catch(() => undefined);
    return connectionNo;
  }

  async close(connectionNo: number): Promise<void> {
    if (!this.#open.delete(connectionNo) || this.#ended) return;
    await this.request({ work: 'close', connectionNo }).catch(() => undefined);
    if (this.#open.size > 0) return;
    this.#worker.postMessage('end');
    await this.#exited;
  }

  request(request: Unnumbered<SqliteRequest>): Promise<SqliteResult> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...request, id });
    });
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

/** A connection to a database file, in a worker thread. If the file cannot be opened, each statement fails with that error. */
export class ThreadConnection {
  readonly #thread: SqliteThread;
  readonly #no: number;
  #pending = 0;

  constructor(thread: SqliteThread, file: string, readOnly: boolean) {
    this.#thread = thread;
    this.#no = thread.open(file, readOnly);
  }

  /** Statements without an answer yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Other connections of the thread have work for it. */
  get hasToWait(): boolean {
    return this.#thread.pending > this.#pending;
  }

  async run(sql: string, params: readonly unknown[] = []): Promise<SqliteResult> {
    this.#pending++;
    try {
      return await this.#thread.request({
        work: 'run',
        connectionNo: this.#no,
        sql,
        params: params as SQLInputValue[],
      });
    } finally {
      this.#pending--;
    }
  }

  close(): Promise<void> {
    return this.#thread.close(this.#no);
  }
}

/**
 * A thread shared by connections that may wait for each other: two lightly used files do not need two threads, each of
 * which costs 10 MB and 50 ms of CPU time.
 */
export class SharedThread {
  #thread: SqliteThread | undefined;

  connect(file: string, readOnly: boolean): ThreadConnection {
    if (!this.#thread || this.#thread.isClosed) this.#thread = new SqliteThread();
    return new ThreadConnection(this.#thread, file, readOnly);
  }
}
