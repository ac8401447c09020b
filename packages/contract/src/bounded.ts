import { z } from 'zod';
import { type FieldTextKey, isEmptyInput } from './field-texts.ts';

/** Parses JSON text, as a form sends it; returns other values unchanged. */
export const readJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

/** Iterates level by level: recursion would overflow the stack on deeply nested input. */
export const isDeeperThan = (value: unknown, levels: number): boolean => {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  }
  return false;
};

type Bounds = {
  max: number;
  tooMany?: FieldTextKey;
  min?: number;
  tooFew?: FieldTextKey;
  /** Converts form input to a list. */
  read?: (value: unknown) => unknown;
};

const errorKey = (key: FieldTextKey | undefined) => (key === undefined ? {} : { error: key });

/**
 * A list whose length is checked before its entries. Zod validates every entry first: a million invalid ones would
 * block the process for seconds before the length is rejected.
 */
export const boundedList = <Item extends z.ZodType>(
  item: Item,
  { max, tooMany = 'TOO_MANY', min = 0, tooFew = 'TOO_FEW', read = (value) => value }: Bounds,
) =>
  z.pipe(
    z.transform<z.input<Item>[], unknown>((value, { issues }) => {
      const list = read(value);
      if (Array.isArray(list) && list.length > max)
        issues.push({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: list, message: tooMany });
      return list as z.input<Item>[];
    }),
    z
      // A missing list gets the same message as an empty one.
      .array(item, { error: ({ input }) => (min > 0 && isEmptyInput(input) ? tooFew : undefined) })
      .min(min, errorKey(tooFew))
      .max(max, errorKey(tooMany)),
  );

/** Nesting limit; deeper values are rejected as too large. */
const DEPTH_MAX = 100;

/** JSON, or its text in a form. Its size is checked before its content, for the same reason. */
export const boundedJson = <Read, Sent>(schema: z.ZodType<Read, Sent>, maxLength: number, tooLarge: FieldTextKey) =>
  z.pipe(
    z.transform<Sent, unknown>((value, { issues }) => {
      const read = readJson(value);
      const isTooLarge = isDeeperThan(read, DEPTH_MAX) || (JSON.stringify(read)?.length ?? 0) > maxLength;
      if (isTooLarge) issues.push({ code: 'custom', input: read, message: tooLarge });
      return read;
    }),
    schema as z.ZodType<Read, unknown>,
  );
