import { z } from 'zod';
import { boundedList } from '../bounded.ts';
import type { FieldTextKey } from '../field-texts.ts';
import { blankable, formInt, functionName, identifier, name } from '../fields.ts';

/** Data type of a value. Omitted limits do not apply; `long` limits are text, since 64 bits exceed a JSON number. */
export type DataType =
  | { type: 'integer' | 'double'; min?: number; max?: number; step?: number; unit?: string }
  | { type: 'long'; min?: string; max?: string; step?: string; unit?: string }
  | { type: 'enum'; items: EnumItem[] }
  | { type: 'boolean'; trueText?: string; falseText?: string }
  | { type: 'string'; length: number }
  | { type: 'json'; fields: Param[] }
  | { type: 'array'; element: DataType; count: number };

export type EnumItem = { value: string; description: string };
export type Param = { identifier: string; name: string; dataType: DataType; required: boolean };

export const dataTypeKinds = ['integer', 'long', 'double', 'enum', 'boolean', 'string', 'json', 'array'] as const;
export type DataTypeKind = (typeof dataTypeKinds)[number];

export const INT32_MIN = -2147483648;
export const INT32_MAX = 2147483647;
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;
/** Above this, a double cannot represent two decimals exactly. */
export const DOUBLE_LIMIT = 1e12;
export const STRING_MAX = 10_240;
export const ARRAY_MAX = 512;
export const ENUM_MAX = 100;
export const PARAMS_MAX = 50;
/** Maximum nesting depth of data types. */
export const DEPTH_MAX = 5;

const errorKey = (key: FieldTextKey): { error: FieldTextKey } => ({ error: key });

// Form fields are text; an empty one means that there is no limit.

/** Converts -0 to 0, since JSON does not distinguish them. */
const plain = (value: number): number => value + 0;

const int32 = (min: number) =>
  z.pipe(
    formInt(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    z
      .number()
      .overwrite(plain)
      .refine((value) => value >= min && value <= INT32_MAX, errorKey('OUT_OF_RANGE')),
  );

const readLong = (value: unknown): unknown => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^-?\d{1,25}$/.test(text.trim()) ? String(BigInt(text)) : value;
};

const long = (min: bigint) =>
  z.pipe(
    z.transform<string | number, unknown>(readLong),
    z
      .string(errorKey('NOT_A_NUMBER'))
      .regex(/^-?\d+$/, { error: 'NOT_A_NUMBER', abort: true })
      .refine((value) => BigInt(value) >= min && BigInt(value) <= INT64_MAX, errorKey('OUT_OF_RANGE')),
  );

const readDouble = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}\.\d{2}$/.test(value.trim()) ? Number(value) : value;

/** A form requires exactly two decimals; a JSON number may have at most two. */
const double = (min: number) =>
  z.pipe(
    z.transform<string | number, unknown>(readDouble),
    z
      .number(errorKey('DOUBLE'))
      .overwrite(plain)
      .refine((value) => Math.abs(value) <= DOUBLE_LIMIT && value >= min, errorKey('OUT_OF_RANGE'))
      .refine((value) => Number(value.toFixed(2)) === value, errorKey('DOUBLE')),
  );

const shortText = (max: number, key: FieldTextKey) =>
  blankable(z.string().regex(new RegExp(`^[^\\p{C}\\p{Zl}\\p{Zp}]{1,${max}}$`, 'u'), errorKey(key)));

const unit = () => shortText(20, 'UNIT');

type Range = {
  min?: number | string | undefined;
  max?: number | string | undefined;
  step?: number | string | undefined;
};

const inOrder = ({ value, issues }: z.core.ParsePayload<Range>): void => {
  const [min, max, step] = [value.min, value.max, value.step].map((limit) =>
    typeof limit === 'string' ? BigInt(limit) : limit,
  );
  if (min === undefined || max === undefined) return;
  const wrong = (path: string, message: FieldTextKey) =>
    issues.push({ code: 'custom', input: value, path: [path], message });
  if (max < min) wrong('max', 'MIN_ABOVE_MAX');
  else if (step !== undefined && max > min && exceeds(step, min, max)) wrong('step', 'STEP_TOO_BIG');
};

const exceeds = (step: number | bigint, min: number | bigint, max: number | bigint): boolean =>
  typeof step === 'bigint'
    ? step > BigInt(max) - BigInt(min)
    : hundredths(step) > hundredths(Number(max)) - hundredths(Number(min));

/** Compares in whole hundredths: 0.3 - 0.1 is slightly less than 0.2 in floating point. */
const hundredths = (value: number): number => Math.round(value * 100);

const range = <Limit extends z.ZodType>(limit: (min: never) => Limit, lowest: unknown, step: unknown) => ({
  min: blankable(limit(lowest as never)),
  max: blankable(limit(lowest as never)),
  step: blankable(limit(step as never)),
  unit: unit(),
});

const entries = <Item extends z.ZodType>(item: Item, max: number) =>
  boundedList(item, { min: 1, tooFew: 'ENTRIES_FEW', max, tooMany: 'ENTRIES_MANY' });

/** Reports the second of two items with the same key. */
const unique =
  <Item>(key: keyof Item & string) =>
  ({ value, issues }: z.core.ParsePayload<Item[]>): void => {
    const seen = new Set<unknown>();
    for (const [index, item] of value.entries()) {
      if (seen.has(item[key])) issues.push({ code: 'custom', input: item, path: [index, key], message: 'DUPLICATE' });
      seen.add(item[key]);
    }
  };

const enumItem = z.strictObject({
  value: z
    .string()
    .min(1, { error: 'REQUIRED', abort: true })
    .regex(/^[A-Za-z0-9]{1,50}$/, errorKey('ENUM_VALUE')),
  description: name(),
});

const readFlag = (value: unknown): unknown => (value === 1 ? true : value === 0 ? false : value);

export const param: z.ZodType<Param> = z.strictObject({
  identifier: identifier(),
  name: functionName(),
  dataType: z.lazy(() => dataType),
  required: z.pipe(z.transform<boolean, unknown>(readFlag), z.boolean()).default(true),
}) as never;

export const params = (min: 0 | 1) => {
  const list =
    min === 1 ? entries(param, PARAMS_MAX) : boundedList(param, { max: PARAMS_MAX, tooMany: 'ENTRIES_MANY' });
  return list.check(unique<Param>('identifier'));
};

const kinds = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('integer'), ...range(int32, INT32_MIN, 1) }).check(inOrder),
    z.strictObject({ type: z.literal('long'), ...range(long, INT64_MIN, 1n) }).check(inOrder),
    z.strictObject({ type: z.literal('double'), ...range(double, -DOUBLE_LIMIT, 0.01) }).check(inOrder),
    z.strictObject({
      type: z.literal('enum'),
      items: entries(enumItem, ENUM_MAX).check(unique<EnumItem>('value')),
    }),
    z.strictObject({
      type: z.literal('boolean'),
      trueText: shortText(10, 'BOOLEAN_TEXT'),
      falseText: shortText(10, 'BOOLEAN_TEXT'),
    }),
    z.strictObject({ type: z.literal('string'), length: formInt(1, STRING_MAX) }),
    z.strictObject({ type: z.literal('json'), fields: z.lazy(() => params(1)) }),
    z.strictObject({ type: z.literal('array'), element: z.lazy(() => dataType), count: formInt(1, ARRAY_MAX) }),
  ],
  { error: ({ input }) => (input === undefined ? 'REQUIRED' : 'NOT_AN_OPTION') },
);

export const dataType: z.ZodType<DataType> = kinds as never;
