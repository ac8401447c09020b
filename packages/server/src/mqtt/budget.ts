import type { ServerLimits } from './server-types.ts';

/** A client that waits for capacity. */
export type Waiter = { onTurn: () => void };

/**
 * Limits the unacknowledged publishes of all clients, in messages and bytes. Clients that wait for capacity are served
 * in turn, so that a client that sends much does not starve the others.
 */
export class Budget {
  readonly #messagesMax: number;
  readonly #bytesMax: number;
  /** FIFO queue; each client is in it at most once. */
  readonly #waiters = new Set<Waiter>();
  #servedWaiter: Waiter | null = null;
  #scheduled = false;
  /** A waiter has not been served yet: new requests queue behind it. */
  #hasUnservedWaiter = false;
  messages = 0;
  bytes = 0;

  constructor(limits: ServerLimits) {
    this.#messagesMax = limits.waitingMessages;
    this.#bytesMax = limits.waitingBytes;
  }

  /** Reserves capacity for one message; returns false and queues the waiter when there is none. */
  tryReserve(waiter: Waiter, bytes: number): boolean {
    const inTurn = !this.#hasUnservedWaiter || this.#waiters.size === 0 || this.#servedWaiter === waiter;
    if (!inTurn || !this.#fits(bytes)) {
      this.#hasUnservedWaiter = true;
      this.#waiters.add(waiter);
      return false;
    }
    this.messages++;
    this.bytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.messages--;
    this.bytes -= bytes;
    this.#schedule();
  }

  /** Schedules a turn for the client, outside the current call. */
  enqueue(waiter: Waiter): void {
    this.#waiters.add(waiter);
    this.#schedule();
  }

  remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /** A single message always fits, however large; otherwise its sender would wait forever. */
  #fits(bytes: number): boolean {
    return this.messages === 0 || (this.messages < this.#messagesMax && this.bytes + bytes <= this.#bytesMax);
  }

  /** Deferred: a caller that acknowledges a batch must not receive new messages before it has finished. */
  #schedule(): void {
    if (this.#scheduled || this.#waiters.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#serveWaiters();
    });
  }

  /** One turn for each current waiter; a client that must wait again goes to the end of the queue. */
  #serveWaiters(): void {
    let turns = this.#waiters.size;
    for (const waiter of this.#waiters) {
      if (turns-- === 0 || !this.#fits(0)) break;
      this.#waiters.delete(waiter);
      this.#servedWaiter = waiter;
      waiter.onTurn();
      this.#servedWaiter = null;
    }
    if (this.#waiters.size === 0) this.#hasUnservedWaiter = false;
  }
}
