import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
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
import { retryWhileBusy, SqlitePool } from './sqlite-pool.ts';
import { SharedThread, type SqliteResult, type ThreadConnection } from './sqlite-thread.ts';

const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql);

class SqliteConnection implements DatabaseConnection {
  readonly #pool: SqlitePool;
  #transaction: { writer: ThreadConnection; release: () => void } | undefined;

  constructor(pool: SqlitePool) {
    this.#pool = pool;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.#run(sql, parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes || rows.length) };
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    if (this.#transaction) return this.#transaction.writer.run(sql, parameters);
    const askedAt = Date.now();
    if (isRead(sql)) {
      return retryWhileBusy(
        () => this.#pool.read(sql, parameters),
        () => askedAt,
      );
    }
    const release = await this.#pool.writing.take();
    try {
      const writer = this.#pool.takeWriter();
      return await this.#pool.write(() => writer.run(sql, parameters), askedAt);
    } finally {
      release();
    }
  }

  // A deferred begin fails at once when it comes to write while another connection has written, whatever the time-out.
  async begin(): Promise<void> {
    const askedAt = Date.now();
    const release = await this.#pool.writing.take();
    try {
      const writer = this.#pool.takeWriter();
      await this.#pool.write(() => writer.run('begin immediate'), askedAt);
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
  #pool: SqlitePool | undefined;

  constructor(file: string, thread: SharedThread) {
    this.#file = file;
    this.#thread = thread;
  }

  /** Made at the first use: a database that is never used is never told to close its threads either. */
  get #opened(): SqlitePool {
    if (!this.#pool) {
      mkdirSync(dirname(this.#file), { recursive: true });
      this.#pool = new SqlitePool(this.#file, this.#thread);
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

/** Kysely otherwise runs one statement at a time, and a write that waits for the lock would hold up every read. */
class PooledSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** `node:sqlite` behind Kysely: one writer and up to two readers, in threads. */
export const sqliteDialect = (file: string, thread = new SharedThread()): Dialect => ({
  createAdapter: () => new PooledSqliteAdapter(),
  createDriver: () => new SqliteDriver(file, thread),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
