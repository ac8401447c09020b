/** What took long to find is kept so many times as long: whoever watches never takes more than this share of the time. */
const COST_SHARE = 10;

/**
 * Answers what was found a moment ago, or finds it once for all who ask meanwhile: many may watch the same figures.
 * Failures are not kept.
 */
export const memoizeWithTtl = <Value>(ms: number, keysMax = 1_000) => {
  const kept = new Map<string, { until: number; value: Promise<Value> }>();
  return (key: string, find: () => Promise<Value>): Promise<Value> => {
    const began = Date.now();
    const known = kept.get(key);
    if (known && known.until > began) return known.value;
    if (kept.size >= keysMax) kept.clear();
    const entry = { until: Number.POSITIVE_INFINITY, value: find() };
    kept.set(key, entry);
    entry.value.then(
      () => {
        const now = Date.now();
        entry.until = now + Math.max(ms, (now - began) * COST_SHARE);
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key);
      },
    );
    return entry.value;
  };
};
