const CHINESE = /[\u3400-\u9fff]/;

/** `level` → `level_2`, within the maximum length of an identifier. */
export const uniqueIdentifier = (identifier: string, taken: ReadonlySet<string>): string => {
  const max = CHINESE.test(identifier) ? 25 : 50;
  const stem = identifier.replace(/_\d+$/, '');
  for (let number = 2; ; number++) {
    const tail = `_${number}`;
    const candidate = stem.slice(0, max - tail.length) + tail;
    if (!taken.has(candidate)) return candidate;
  }
};
