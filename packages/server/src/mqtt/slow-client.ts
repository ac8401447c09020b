import type { Clock } from './clock.ts';
import type { OutboundInflight } from './outbound-inflight.ts';
import type { WriteBuffer } from './write-buffer.ts';

/** Detects a client that neither acknowledges nor reads what is sent to it. */
export class SlowClientDetector {
  readonly #clock: Clock;
  readonly #withinMs: number;
  #unsentBefore = 0;
  #unsentSince: number;

  constructor(clock: Clock, withinMs: number) {
    this.#clock = clock;
    this.#withinMs = withinMs;
    this.#unsentSince = clock.now;
  }

  isStalled({ unsent, full }: WriteBuffer, outbound: OutboundInflight): boolean {
    const { now } = this.#clock;
    if (!full || unsent < this.#unsentBefore) this.#unsentSince = now;
    this.#unsentBefore = unsent;
    const noAcknowledgement = outbound.full && now - outbound.lastAcknowledgedAt > this.#withinMs;
    return noAcknowledgement || now - this.#unsentSince > this.#withinMs;
  }
}
