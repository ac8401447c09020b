/**
 * Answers what was found a moment ago, or finds it once for all who ask meanwhile: many may watch the same figures.
 * Failures are not kept.
 */
export const forAWhile = <Value>(ms: number, keysMax = 1_000) => {
  const kept = new Map<string, { until: number; value: Promise<Value> }>();
  return (key: string, find: () => Promise<Value>): Promise<Value> => {
    const now = Date.now();
    const known = kept.get(key);
    if (known && known.until > now) return known.value;
    if (kept.size >= keysMax) kept.clear();
    const value = find();
    const entry = { until: now + ms, value };
    kept.set(key, entry);
    value.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return value;
  };
};
