import type { GatewayLimits } from './server-types.ts';

/** A client that waits until it may go on. */
export type Waiter = { takeTurn: () => void };

/**
 * The publishes of all clients that are handed on and not acknowledged, in messages and bytes, and the clients that
 * wait for room. Who waits is served in turn, so that a client that sends much does not starve the others.
 */
export class Budget {
  readonly #messagesMax: number;
  readonly #bytesMax: number;
  /** First in, first served; a client stands in it once. */
  readonly #waiters = new Set<Waiter>();
  #served: Waiter | null = null;
  #scheduled = false;
  /** Somebody was turned away and has not been served since: newcomers stand in line behind him. */
  #short = false;
  messages = 0;
  bytes = 0;

  constructor(limits: GatewayLimits) {
    this.#messagesMax = limits.waitingMessages;
    this.#bytesMax = limits.waitingBytes;
  }

  /** Room for one message, or a place in the line. */
  take(waiter: Waiter, bytes: number): boolean {
    const inTurn = !this.#short || this.#waiters.size === 0 || this.#served === waiter;
    if (!inTurn || !this.#fits(bytes)) {
      this.#short = true;
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

  /** Has the client's turn come soon, outside the present call. */
  ask(waiter: Waiter): void {
    this.#waiters.add(waiter);
    this.#schedule();
  }

  forget(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /** One message always fits, however large, or its sender would wait for ever. */
  #fits(bytes: number): boolean {
    return this.messages === 0 || (this.messages < this.#messagesMax && this.bytes + bytes <= this.#bytesMax);
  }

  /** Not at once: whoever acknowledges a batch must not be handed new messages in the midst of it. */
  #schedule(): void {
    if (this.#scheduled || this.#waiters.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#serve();
    });
  }

  /** One turn for each who waits now; who must wait again stands behind the others. */
  #serve(): void {
    let turns = this.#waiters.size;
    for (const waiter of this.#waiters) {
      if (turns-- === 0 || !this.#fits(0)) break;
      this.#waiters.delete(waiter);
      this.#served = waiter;
      waiter.takeTurn();
      this.#served = null;
    }
    if (this.#waiters.size === 0) this.#short = false;
  }
}
