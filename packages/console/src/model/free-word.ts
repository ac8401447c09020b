const CHINESE = /[\u3400-\u9fff]/;

/** `level` → `level_2`, within the maximum length of an identifier. */
export const freeWord = (word: string, taken: ReadonlySet<string>): string => {
  const max = CHINESE.test(word) ? 25 : 50;
  const stem = word.replace(/_\d+$/, '');
  for (let number = 2; ; number++) {
    const tail = `_${number}`;
    const free = stem.slice(0, max - tail.length) + tail;
    if (!taken.has(free)) return free;
  }
};
