/** So much of its rate may be used at once after a pause. */
const BURST_MS = 10_000;

/** Gives turns at a rate, in the order in which they were asked for. */
export class Meter {
  #intervalMs: number;
  /** When the next turn is due; turns that were not used are saved up for BURST_MS. */
  #dueAt = 0;
  readonly #waiting = new Set<() => void>();
  /** Connections that it gives turns to. */
  users = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(perSecond: number) {
    this.#intervalMs = 1_000 / perSecond;
  }

  /** No connection has it, and a new one would be no slower. */
  get isUnused(): boolean {
    return this.users === 0 && this.#dueAt <= performance.now() - BURST_MS;
  }

  setRate(perSecond: number): void {
    const intervalMs = 1_000 / perSecond;
    if (intervalMs === this.#intervalMs) return;
    this.#intervalMs = intervalMs;
    this.#dueAt = Math.min(this.#dueAt, performance.now() + intervalMs);
    clearTimeout(this.#timer);
    this.#schedule();
  }

  take(): boolean {
    return this.#waiting.size === 0 && this.#takeTurn();
  }

  wait(turn: () => void): void {
    this.#waiting.add(turn);
    if (this.#waiting.size === 1) this.#schedule();
  }

  leave(turn: () => void): void {
    this.#waiting.delete(turn);
    if (this.#waiting.size === 0) clearTimeout(this.#timer);
  }

  #takeTurn(): boolean {
    const now = performance.now();
    const dueAt = Math.max(this.#dueAt, now - BURST_MS);
    if (dueAt > now) return false;
    this.#dueAt = dueAt + this.#intervalMs;
    return true;
  }

  #schedule(): void {
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.#giveTurns(), Math.max(1, Math.ceil(this.#dueAt - performance.now())));
  }

  #giveTurns(): void {
    for (const turn of this.#waiting) {
      if (!this.#takeTurn()) break;
      this.#waiting.delete(turn);
      turn();
    }
    this.#schedule();
  }
}
