import { z } from 'zod';
import { type FieldTextKey, isEmptyInput } from './field-texts.ts';

/** A form sends an object as its text. */
export const readJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

/** Level by level: what is nested a hundred thousand times would overflow the stack of a recursive function. */
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
  /** Makes a list of what a form sends. */
  read?: (value: unknown) => unknown;
};

const says = (key: FieldTextKey | undefined) => (key === undefined ? {} : { error: key });

/**
 * A list whose length is judged before its entries. Zod judges every entry first: a million wrong ones keep the
 * process busy for seconds before they are found to be too many.
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
      // A missing list gets the same sentence as an empty one.
      .array(item, { error: ({ input }) => (min > 0 && isEmptyInput(input) ? tooFew : undefined) })
      .min(min, says(tooFew))
      .max(max, says(tooMany)),
  );

/** No value that is of any use is nested as deep. */
const DEPTH_MAX = 100;

/** JSON, or its text in a form. Its size is judged before its parts, for the same reason. */
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
