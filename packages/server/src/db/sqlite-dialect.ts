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
    const startedAt = Date.now();
    if (isRead(sql)) {
      return retryWhileBusy(
        () => this.#pool.read(sql, parameters),
        () => startedAt,
      );
    }
    const release = await this.#pool.writing.acquire();
    try {
      const writer = this.#pool.useWriter();
      return await this.#pool.write(() => writer.run(sql, parameters), startedAt);
    } finally {
      release();
    }
  }

  // A deferred transaction fails at its first write, whatever the time-out, if another connection has written since.
  async begin(): Promise<void> {
    const startedAt = Date.now();
    const release = await this.#pool.writing.acquire();
    try {
      const writer = this.#pool.useWriter();
      await this.#pool.write(() => writer.run('begin immediate'), startedAt);
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
      // A failed commit must not leave its transaction open.
      await this.rollback();
    }
  }

  /** Does nothing if the transaction has ended: the writer may already be in another one. */
  async rollback(): Promise<void> {
    const { writer, release } = this.#transaction ?? {};
    this.#transaction = undefined;
    // After a full disk SQLite has rolled back by itself; the caller must see that error, not the one of this rollback.
    await writer?.run('rollback').catch(() => undefined);
    release?.();
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator, and cursors are not supported.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('streaming is not supported; page by key');
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

  /** Created on first use: the owner of an unused database never closes it, so its threads would keep running. */
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

/** By default Kysely runs one statement at a time: a write that waits for the lock would block all reads. */
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
