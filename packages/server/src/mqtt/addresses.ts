import { callerNetwork } from '../platform/caller-network.ts';
import type { ServerLimits } from './server-types.ts';

const WINDOW_MS = 60_000;

/**
 * Limits what one address uses before authentication: pending connections, and failed CONNECTs per minute. Without
 * these limits a single address could occupy all pending connections of the server.
 */
export class Addresses {
  readonly #limits: ServerLimits;
  readonly #isProxy: (ip: string) => boolean;
  /** Open sockets without an accepted client, by address. */
  readonly #pending = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  #windowEnd = performance.now() + WINDOW_MS;

  /** Trusted proxies are exempt: one address carries the connections of many devices. */
  constructor(limits: ServerLimits, isProxy: (ip: string) => boolean) {
    this.#limits = limits;
    this.#isProxy = isProxy;
  }

  accept(ip: string): boolean {
    if (this.#isProxy(ip)) return true;
    const key = callerNetwork(ip);
    return (this.#pending.get(key) ?? 0) < this.#limits.pendingPerAddress && !this.#isOverFailureLimit(key);
  }

  /** +1 when a socket opens or an accepted client closes; -1 when a client is accepted or a socket closes. */
  count(ip: string, by: 1 | -1): void {
    const key = callerNetwork(ip);
    const pending = (this.#pending.get(key) ?? 0) + by;
    if (pending === 0) this.#pending.delete(key);
    else this.#pending.set(key, pending);
  }

  /** Counts a failed CONNECT. Returns true when this one reaches the limit per minute. */
  failed(ip: string): boolean {
    if (this.#isProxy(ip)) return false;
    const key = callerNetwork(ip);
    const before = this.#isOverFailureLimit(key);
    this.#failed.set(key, (this.#failed.get(key) ?? 0) + 1);
    return !before && this.#isOverFailureLimit(key);
  }

  #isOverFailureLimit(key: string): boolean {
    const now = performance.now();
    if (now > this.#windowEnd) {
      this.#failed.clear();
      this.#windowEnd = now + WINDOW_MS;
    }
    return (this.#failed.get(key) ?? 0) >= this.#limits.failedPerAddress;
  }
}
