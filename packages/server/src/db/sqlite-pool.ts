import { setTimeout as sleep } from 'node:timers/promises';
import { SharedThread, SqliteError, type SqliteResult, type ThreadConnection } from './sqlite-thread.ts';

const READERS = 2;
/** Up to this many short statements share a thread: running them in turn is faster than starting a thread. */
const FEW_PENDING = 4;
/** How long a read waits for a transaction to end before it starts a thread. */
const SHORT_MS = 20;
const BUSY_LIMIT_MS = 3_000;
const BUSY_PAUSE_MS = 25;
/** A thread that was not used for this long is closed. */
const IDLE_CHECK_MS = 5_000;

/** A mutex that serves its callers in order. */
class Lock {
  #tail: Promise<void> = Promise.resolve();
  #users = 0;

  get isFree(): boolean {
    return this.#users === 0;
  }

  /** Settles when the present holder and the callers that already wait have released the lock. */
  get free(): Promise<void> {
    return this.#tail;
  }

  async acquire(): Promise<() => void> {
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

/** The other process may hold the lock: wait without blocking, and give up after the limit, counted from `since`. */
export const retryWhileBusy = async (
  attempt: () => Promise<SqliteResult>,
  since: () => number,
): Promise<SqliteResult> => {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SqliteError && error.busy) || Date.now() - since() > BUSY_LIMIT_MS) throw error;
      await sleep(BUSY_PAUSE_MS);
    }
  }
};

/** The connections to one file: a writer and up to two readers. */
export class SqlitePool {
  readonly writing = new Lock();
  readonly #file: string;
  readonly #shared: SharedThread;
  readonly #used = new Set<ThreadConnection>();
  readonly #closing = new Set<Promise<void>>();
  #readers: ThreadConnection[] = [];
  #writer: ThreadConnection;
  /** The writer has its own thread, because the other database kept the shared one busy. */
  #hasOwnThread = false;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Since when another process has held the write lock, as far as the writes here have seen. */
  #lockedSince: number | undefined;

  constructor(file: string, shared: SharedThread) {
    this.#file = file;
    this.#shared = shared;
    this.#writer = shared.connect(file, false);
  }

  /** Opens the writer first: readers need the file and its WAL mode. */
  async start(): Promise<void> {
    await this.#writer.run('select 1');
  }

  /** For the holder of the lock, before its first statement. */
  useWriter(): ThreadConnection {
    if (!this.#hasOwnThread && this.#writer.hasToWait) this.#moveWriter(true);
    this.#used.add(this.#writer);
    return this.#writer;
  }

  /**
   * When a write gives up on a locked file, the writes queued behind it give up after one attempt, so that each caller
   * waits about as long as the limit and not a multiple of it.
   */
  async write(attempt: () => Promise<SqliteResult>, startedAt: number): Promise<SqliteResult> {
    const result = await retryWhileBusy(attempt, () => {
      this.#lockedSince ??= Date.now();
      return Math.max(startedAt, this.#lockedSince);
    });
    this.#lockedSince = undefined;
    return result;
  }

  /**
   * A thread costs time and 10 MB, so another one is started only when those that exist are busy for longer. A writer
   * outside of transactions also reads: a hub without load has no other thread.
   */
  async read(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    // Most transactions end sooner than a thread starts.
    if (!this.#freeReader()) await Promise.race([this.writing.free, sleep(SHORT_MS)]);
    const reader = this.#freeReader() ?? this.#addReader();
    this.#used.add(reader);
    return reader.run(sql, parameters);
  }

  #freeReader(): ThreadConnection | undefined {
    const [least] = this.#readers.toSorted((one, other) => one.pending - other.pending);
    if (least && (least.pending === 0 || this.#readers.length === READERS)) return least;
    const { pending, hasToWait } = this.#writer;
    if (this.writing.isFree && pending < FEW_PENDING && !hasToWait) return this.#writer;
    return least && least.pending < FEW_PENDING ? least : undefined;
  }

  #addReader(): ThreadConnection {
    const added = new SharedThread().connect(this.#file, true);
    this.#readers.push(added);
    this.#startIdleTimer();
    return added;
  }

  #moveWriter(toOwnThread: boolean): void {
    this.#close(this.#writer);
    this.#writer = (toOwnThread ? new SharedThread() : this.#shared).connect(this.#file, false);
    this.#hasOwnThread = toOwnThread;
    if (toOwnThread) this.#startIdleTimer();
  }

  #close(connection: ThreadConnection): void {
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #startIdleTimer(): void {
    this.#idleTimer ??= setInterval(() => this.#closeIdle(), IDLE_CHECK_MS).unref();
  }

  #closeIdle(): void {
    const isIdle = (one: ThreadConnection) => one.pending === 0 && !this.#used.has(one);
    for (const reader of this.#readers.filter(isIdle)) this.#close(reader);
    this.#readers = this.#readers.filter((one) => !isIdle(one));
    if (this.#hasOwnThread && this.writing.isFree && isIdle(this.#writer)) this.#moveWriter(false);
    this.#used.clear();
    if (this.#hasOwnThread || this.#readers.length > 0) return;
    clearInterval(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#idleTimer);
    for (const reader of this.#readers) this.#close(reader);
    await Promise.all(this.#closing);
    await this.#writer.close();
  }
}
