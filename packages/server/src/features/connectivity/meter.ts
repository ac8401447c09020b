/** Burst size: this much unused rate accumulates. */
const BURST_MS = 10_000;

/** Rate limiter: grants turns at a rate, in FIFO order. */
export class Meter {
  #intervalMs: number;
  /** When the next turn is due; unused turns accumulate for BURST_MS. */
  #dueAt = 0;
  readonly #waiting = new Set<() => void>();
  /** Number of connections that use it. */
  users = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(perSecond: number) {
    this.#intervalMs = 1_000 / perSecond;
  }

  /** No connection uses it, and a new instance would grant turns at the same times. */
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

  tryTake(): boolean {
    return this.#waiting.size === 0 && this.#tryTakeTurn();
  }

  wait(turn: () => void): void {
    this.#waiting.add(turn);
    if (this.#waiting.size === 1) this.#schedule();
  }

  leave(turn: () => void): void {
    this.#waiting.delete(turn);
    if (this.#waiting.size === 0) clearTimeout(this.#timer);
  }

  #tryTakeTurn(): boolean {
    const now = performance.now();
    const dueAt = Math.max(this.#dueAt, now - BURST_MS);
    if (dueAt > now) return false;
    this.#dueAt = dueAt + this.#intervalMs;
    return true;
  }

  #schedule(): void {
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.#grantTurns(), Math.max(1, Math.ceil(this.#dueAt - performance.now())));
  }

  #grantTurns(): void {
    for (const turn of this.#waiting) {
      if (!this.#tryTakeTurn()) break;
      this.#waiting.delete(turn);
      turn();
    }
    this.#schedule();
  }
}
