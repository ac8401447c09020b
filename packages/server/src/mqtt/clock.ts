/**
 * The time by which deadlines are kept. It does not run while the process stands still (a long collection, a machine
 * that was suspended): what devices sent in the meantime is not read yet, and nobody is cut for the hub's own pause.
 */
export class Clock {
  now = 0;
  readonly #everyMs: number;
  #looked = performance.now();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  tick(): void {
    const looked = performance.now();
    this.now += Math.min(looked - this.#looked, 2 * this.#everyMs);
    this.#looked = looked;
  }
}
