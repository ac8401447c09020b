/**
 * The clock of all deadlines. It stands still while the process is stalled (a long garbage collection, a suspended
 * machine): what clients sent in the meantime is still unread, so no client may time out because of it.
 */
export class Clock {
  now = 0;
  readonly #intervalMs: number;
  #lastTick = performance.now();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  tick(): void {
    const tick = performance.now();
    this.now += Math.min(tick - this.#lastTick, 2 * this.#intervalMs);
    this.#lastTick = tick;
  }
}
