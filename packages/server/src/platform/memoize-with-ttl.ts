/**
 * A slow result is cached for this many times its duration, so that repeated queries take at most this share of the
 * time.
 */
const COST_SHARE = 10;

/**
 * Caches results by key, and shares one computation among concurrent callers: many users may watch the same statistics.
 * Failures are not cached.
 */
export const memoizeWithTtl = <Value>(ms: number, keysMax = 1_000) => {
  const cache = new Map<string, { until: number; value: Promise<Value> }>();
  return (key: string, find: () => Promise<Value>): Promise<Value> => {
    const startedAt = Date.now();
    const hit = cache.get(key);
    if (hit && hit.until > startedAt) return hit.value;
    if (cache.size >= keysMax) cache.clear();
    const entry = { until: Number.POSITIVE_INFINITY, value: find() };
    cache.set(key, entry);
    entry.value.then(
      () => {
        const now = Date.now();
        entry.until = now + Math.max(ms, (now - startedAt) * COST_SHARE);
      },
      () => {
        if (cache.get(key) === entry) cache.delete(key);
      },
    );
    return entry.value;
  };
};
