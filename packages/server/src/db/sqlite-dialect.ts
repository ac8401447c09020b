import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { SharedThread, SqliteError, type SqliteResult, type ThreadConnection } from './sqlite-thread.ts';

const READERS = 2;
const BUSY_LIMIT_MS = 3_000;
const BUSY_PAUSE_MS = 25;
/** A thread that was not used between two looks ends. */
const IDLE_LOOK_MS = 5_000;

/** Whoever comes first is served first. */
class Lock {
  #tail: Promise<void> = Promise.resolve();
  #users = 0;

  get isFree(): boolean {
    return this.#users === 0;
  }

  async take(): Promise<() => void> {
    const before = this.#tail;
    let unlock: () => void = () => {};
    this.#tail = new Promise((resolve) => {
      unlock = resolve;
    });
    this.#users++;
    await before;
    return () => {
      this.#users--;
      unlock();
    };
  }
}

class Pool {
  readonly writing = new Lock();
  readonly #file: string;
  readonly #shared: SharedThread;
  readonly #used = new Set<ThreadConnection>();
  readonly #closing = new Set<Promise<void>>();
  #readers: ThreadConnection[] = [];
  #writer: ThreadConnection;
  /** The writer has a thread of its own, because the other database kept the shared one busy. */
  #isAlone = false;
  #idleLook: NodeJS.Timeout | undefined;

  constructor(file: string, shared: SharedThread) {
    this.#file = file;
    this.#shared = shared;
    this.#writer = shared.connect(file, false);
  }

  /** Readers open only once the writer has made the file and switched it to WAL. */
  async start(): Promise<void> {
    await this.#writer.run('select 1');
  }

  /** For the holder of the lock, before its first statement. */
  takeWriter(): ThreadConnection {
    if (!this.#isAlone && this.#writer.hasToWait) this.#moveWriter(true);
    this.#used.add(this.#writer);
    return this.#writer;
  }

  /**
   * The reader with the least to do. A thread costs time and 10 MB, so another one is started only while those that
   * exist are busy. An idle writer also reads, outside of transactions: a hub without load has no other thread.
   */
  get reader(): ThreadConnection {
    const reader = this.#leastBusyReader();
    this.#used.add(reader);
    return reader;
  }

  #leastBusyReader(): ThreadConnection {
    const [least] = this.#readers.toSorted((one, other) => one.pending - other.pending);
    if (least && (least.pending === 0 || this.#readers.length === READERS)) return least;
    const { pending, hasToWait } = this.#writer;
    if (this.writing.isFree && pending === 0 && !hasToWait) return this.#writer;
    const added = new SharedThread().connect(this.#file, true);
    this.#readers.push(added);
    this.#lookForIdle();
    return added;
  }

  #moveWriter(alone: boolean): void {
    this.#close(this.#writer);
    this.#writer = (alone ? new SharedThread() : this.#shared).connect(this.#file, false);
    this.#isAlone = alone;
    if (alone) this.#lookForIdle();
  }

  #close(connection: ThreadConnection): void {
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #lookForIdle(): void {
    this.#idleLook ??= setInterval(() => this.#closeIdle(), IDLE_LOOK_MS).unref();
  }

  #closeIdle(): void {
    const isIdle = (one: ThreadConnection) => one.pending === 0 && !this.#used.has(one);
    for (const reader of this.#readers.filter(isIdle)) this.#close(reader);
    this.#readers = this.#readers.filter((one) => !isIdle(one));
    if (this.#isAlone && this.writing.isFree && isIdle(this.#writer)) this.#moveWriter(false);
    this.#used.clear();
    if (this.#isAlone || this.#readers.length > 0) return;
    clearInterval(this.#idleLook);
    this.#idleLook = undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#idleLook);
    for (const reader of this.#readers) this.#close(reader);
    await Promise.all(this.#closing);
    await this.#writer.close();
  }
}

/** The other process may hold the write lock: wait without blocking, then give up. */
const patiently = async (attempt: () => Promise<SqliteResult>): Promise<SqliteResult> => {
  const until = Date.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SqliteError && error.busy) || Date.now() > until) throw error;
      await pause(BUSY_PAUSE_MS);
    }
  }
};

const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql);

class SqliteConnection implements DatabaseConnection {
  readonly #pool: Pool;
  #transaction: { writer: ThreadConnection; release: () => void } | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.#run(sql, parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes || rows.length) };
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    if (this.#transaction) return this.#transaction.writer.run(sql, parameters);
    if (isRead(sql)) {
      return patiently(() => this.#pool.reader.run(sql, parameters));
    }
    const release = await this.#pool.writing.take();
    try {
      const writer = this.#pool.takeWriter();
      return await patiently(() => writer.run(sql, parameters));
    } finally {
      release();
    }
  }

  // A deferred begin fails at once when it comes to write while another connection has written, whatever the time-out.
  async begin(): Promise<void> {
    const release = await this.#pool.writing.take();
    try {
      const writer = this.#pool.takeWriter();
      await patiently(() => writer.run('begin immediate'));
      this.#transaction = { writer, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async commit(): Promise<void> {
    try {
      await this.#transaction?.writer.run('commit');
    } finally {
      // A commit that failed must not leave its transaction open for the next one.
      await this.rollback();
    }
  }

  /** Nothing where it is over already: by then the writer may be in the middle of another's. */
  async rollback(): Promise<void> {
    const { writer, release } = this.#transaction ?? {};
    this.#transaction = undefined;
    // After a full disk SQLite has rolled back by itself, and the reason that is told must be that one.
    await writer?.run('rollback').catch(() => undefined);
    release?.();
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator, and no cursor ever stays open here.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('page by key instead of streaming');
  }
}

class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #thread: SharedThread;
  #pool: Pool | undefined;

  constructor(file: string, thread: SharedThread) {
    this.#file = file;
    this.#thread = thread;
  }

  /** Made at the first use: a database that is never used is never told to close its threads either. */
  get #opened(): Pool {
    if (!this.#pool) {
      mkdirSync(dirname(this.#file), { recursive: true });
      this.#pool = new Pool(this.#file, this.#thread);
    }
    return this.#pool;
  }

  init(): Promise<void> {
    return this.#opened.start();
  }

  acquireConnection(): Promise<SqliteConnection> {
    return Promise.resolve(new SqliteConnection(this.#opened));
  }

  beginTransaction(connection: SqliteConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: SqliteConnection): Promise<void> {
    return connection.rollback();
  }

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#opened.close();
  }
}

/** `node:sqlite` behind Kysely: one writer and up to two readers, in threads. */
export const sqliteDialect = (file: string, thread = new SharedThread()): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(file, thread),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
