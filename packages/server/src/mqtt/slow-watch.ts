import type { Clock } from './clock.ts';
import type { OutboundInflight } from './outbound-inflight.ts';
import type { WriteBuffer } from './write-buffer.ts';

/** Notices a client that takes nothing of what is sent to it. */
export class SlowWatch {
  readonly #clock: Clock;
  readonly #withinMs: number;
  #unsentBefore = 0;
  #unsentSince: number;

  constructor(clock: Clock, withinMs: number) {
    this.#clock = clock;
    this.#withinMs = withinMs;
    this.#unsentSince = clock.now;
  }

  takesNothing({ unsent, full }: WriteBuffer, downward: OutboundInflight): boolean {
    const { now } = this.#clock;
    if (!full || unsent < this.#unsentBefore) this.#unsentSince = now;
    this.#unsentBefore = unsent;
    const acknowledgesNothing = downward.full && now - downward.lastTaken > this.#withinMs;
    return acknowledgesNothing || now - this.#unsentSince > this.#withinMs;
  }
}
