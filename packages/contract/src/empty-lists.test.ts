import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allCalls } from './calls.ts';
import { issueText } from './field-texts.ts';

type Refusal = { code: string; text: string };

const refusalOf = (schema: z.ZodType, value: unknown): Refusal | undefined => {
  const [issue] = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  return issue && { code: issue.code, text: issueText(issue, 'en_US') };
};

/** All list fields that must not be empty. */
const lists = allCalls.flatMap(({ slice, name, call }) =>
  Object.entries(call.input instanceof z.ZodObject ? (call.input.shape as Record<string, z.ZodType>) : {}).flatMap(
    ([field, schema]) => {
      const empty = refusalOf(schema, []);
      return empty?.code === 'too_small' ? [{ place: `${slice}.${name} ${field}`, schema, empty }] : [];
    },
  ),
);

describe('a list that must not be empty', () => {
  it('is one of many', () => expect(lists.length).toBeGreaterThan(15));

  it.each(lists)('is told alike whether it is missing or empty: $place', ({ schema, empty }) => {
    const missing = refusalOf(schema, undefined);
    // Optional lists may be omitted.
    if (missing) expect(missing.text).toBe(empty.text);
    expect(refusalOf(schema, '')?.text ?? empty.text).toBe(empty.text);
  });
});
