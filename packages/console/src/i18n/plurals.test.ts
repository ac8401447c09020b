import { describe, expect, it } from 'vitest';

const files = import.meta.glob<Record<string, Record<string, string>>>('./en_US/*.ts', { eager: true });

/** Keys whose count is always above one or fixed, or is given as a part of another number. */
const NEVER_ONE = /Many(Title)?$|^(feedLatest|presetLarge|columnsHint|childrenOf|entriesOf|bytes|previewChecked)$/;
const COUNTS = /(?:\{\{count\}\}|of \{\{(?!name)\w+\}\}) (?:[a-z]+ )?[a-z]+s\b/;

const counting = Object.entries(files).flatMap(([file, exported]) =>
  Object.values(exported).flatMap((texts) =>
    Object.entries(texts)
      .filter(([key, text]) => COUNTS.test(text) && !key.endsWith('_one') && !NEVER_ONE.test(key))
      .map(([key]) => ({ place: `${file} ${key}`, one: texts[`${key}_one`] })),
  ),
);

describe('an English text', () => {
  it.each(counting)('with a count has a form for one: $place', ({ one }) => expect(one).toBeTruthy());

  it('with a count is found by this test', () => expect(counting.length).toBeGreaterThan(20));
});
