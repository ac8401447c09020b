import { callerNetwork } from '../platform/caller-network.ts';
import type { GatewayLimits } from './server-types.ts';

const WINDOW_MS = 60_000;

/**
 * What each address takes of the gateway before it has proven who it is: connections that are not admitted, and CONNECTs
 * that failed within a minute. Without a share one address could hold all places of the door.
 */
export class Addresses {
  readonly #limits: GatewayLimits;
  readonly #isProxy: (ip: string) => boolean;
  /** Sockets less those whose client is admitted. */
  readonly #pending = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  #windowEnd = performance.now() + WINDOW_MS;

  /** A trusted proxy speaks for many: it has no share of its own. */
  constructor(limits: GatewayLimits, isProxy: (ip: string) => boolean) {
    this.#limits = limits;
    this.#isProxy = isProxy;
  }

  accept(ip: string): boolean {
    if (this.#isProxy(ip)) return true;
    const key = callerNetwork(ip);
    return (this.#pending.get(key) ?? 0) < this.#limits.pendingPerAddress && !this.#isOver(key);
  }

  /** Called with 1 when a socket opens and when an admitted client has gone; with -1 the other way round. */
  count(ip: string, by: 1 | -1): void {
    const key = callerNetwork(ip);
    const pending = (this.#pending.get(key) ?? 0) + by;
    if (pending === 0) this.#pending.delete(key);
    else this.#pending.set(key, pending);
  }

  /** A CONNECT failed; true when this one used up what the address has a minute. */
  failed(ip: string): boolean {
    if (this.#isProxy(ip)) return false;
    const key = callerNetwork(ip);
    const before = this.#isOver(key);
    this.#failed.set(key, (this.#failed.get(key) ?? 0) + 1);
    return !before && this.#isOver(key);
  }

  #isOver(key: string): boolean {
    const now = performance.now();
    if (now > this.#windowEnd) {
      this.#failed.clear();
      this.#windowEnd = now + WINDOW_MS;
    }
    return (this.#failed.get(key) ?? 0) >= this.#limits.failedPerAddress;
  }
}
