import {
  type DataType,
  type EnumItem,
  INT32_MAX,
  INT32_MIN,
  INT64_MAX,
  INT64_MIN,
  type Param,
} from '@device-center/contract';

export type Random = () => number;

/** Range of a value for which the model sets no limit. */
const USUAL_SPAN = 100;
/** Maximum change of a value, as a share of its range. */
const MAX_CHANGE = 0.02;
const FLIP_CHANCE = 0.05;
const OPTIONAL_CHANCE = 0.8;
const ENTRIES_MAX = 4;

const TEXTS = ['ok', 'idle', 'running', 'standby', 'charging', 'cooling', 'heating', 'door-open', 'door-closed'];

const pick = <Value>(list: readonly Value[], random: Random): Value | undefined =>
  list[Math.floor(random() * list.length)];

type Range = { min: number; max: number };

const rangeOf = (min: number | undefined, max: number | undefined, lowest: number, highest: number): Range => {
  if (min !== undefined && max !== undefined) return { min, max };
  if (min !== undefined) return { min, max: Math.min(highest, min + USUAL_SPAN) };
  return max === undefined ? { min: 0, max: USUAL_SPAN } : { min: Math.max(lowest, max - USUAL_SPAN), max };
};

/** Plausible ranges by unit, for models that allow far more. */
const usualRanges = new Map<string, Range>([
  ['℃', { min: 16, max: 28 }],
  ['°C', { min: 16, max: 28 }],
  ['%RH', { min: 35, max: 65 }],
  ['hPa', { min: 990, max: 1_030 }],
  ['ppm', { min: 400, max: 1_100 }],
  ['µg/m³', { min: 3, max: 70 }],
  ['μg/m³', { min: 3, max: 70 }],
  ['lx', { min: 50, max: 900 }],
  ['V', { min: 221, max: 237 }],
  ['A', { min: 0.2, max: 9 }],
  ['W', { min: 30, max: 1_800 }],
  ['kW', { min: 0.1, max: 6 }],
  ['Hz', { min: 49.9, max: 50.1 }],
  ['s', { min: 10, max: 300 }],
]);

const narrowed = (range: Range, unit: string | undefined): Range => {
  const known = usualRanges.get(unit ?? '');
  if (!known) return range;
  const [min, max] = [Math.max(range.min, known.min), Math.min(range.max, known.max)];
  return min < max ? { min, max } : range;
};

/** Random walk within the range; the first value lies in its middle half. */
const randomWalk = ({ min, max }: Range, previous: unknown, random: Random): number => {
  const span = max - min;
  const moved =
    typeof previous === 'number' && Number.isFinite(previous)
      ? previous + (random() * 2 - 1) * span * MAX_CHANGE
      : min + span * (0.25 + random() / 2);
  return Math.min(max, Math.max(min, moved));
};

type Limits = { min?: number; max?: number; unit?: string };

const nextInteger = (type: Limits, previous: unknown, random: Random): number => {
  const range = narrowed(rangeOf(type.min, type.max, INT32_MIN, INT32_MAX), type.unit);
  const moved = Math.round(randomWalk(range, previous, random));
  // In a narrow range rounding would keep the value constant: occasionally move by a whole step.
  const stepped = moved === previous && random() < FLIP_CHANCE ? moved + (random() < 0.5 ? 1 : -1) : moved;
  return Math.min(range.max, Math.max(range.min, stepped));
};

const nextDouble = (type: Limits, previous: unknown, random: Random): number => {
  const range = narrowed(rangeOf(type.min, type.max, -Number.MAX_VALUE, Number.MAX_VALUE), type.unit);
  const rounded = Math.round(randomWalk(range, previous, random) * 100) / 100;
  return Math.min(range.max, Math.max(range.min, rounded));
};

const LONG = /^-?\d{1,19}$/;

const between = (value: bigint, low: bigint, high: bigint): bigint => {
  if (value < low) return low;
  return value > high ? high : value;
};

const longRange = (min: string | undefined, max: string | undefined): [low: bigint, high: bigint] => {
  const span = BigInt(USUAL_SPAN);
  const low = min === undefined ? (max === undefined ? 0n : BigInt(max) - span) : BigInt(min);
  const high = max === undefined ? low + span : BigInt(max);
  return [between(low, INT64_MIN, INT64_MAX), between(high, INT64_MIN, INT64_MAX)];
};

const nextLong = (type: { min?: string; max?: string }, previous: unknown, random: Random): string => {
  const [low, high] = longRange(type.min, type.max);
  const start = typeof previous === 'string' && LONG.test(previous) ? BigInt(previous) : (low + high) / 2n;
  const share = BigInt(Math.round((random() * 2 - 1) * MAX_CHANGE * 10_000));
  return String(between(start + ((high - low) * share) / 10_000n, low, high));
};

/** Usually keeps the previous value, occasionally makes a new one. */
const keepOrReplace = <Value>(
  previous: unknown,
  isValue: (value: unknown) => value is Value,
  make: () => Value,
  random: Random,
) => (isValue(previous) && random() > FLIP_CHANCE ? previous : make());

const isTextOf =
  (length: number) =>
  (value: unknown): value is string =>
    typeof value === 'string' && [...value].length <= length;
const isItemOf =
  (items: EnumItem[]) =>
  (value: unknown): value is string =>
    items.some((item) => item.value === value);
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nextArray = (type: DataType & { type: 'array' }, previous: unknown, random: Random): unknown[] => {
  const known: unknown[] = Array.isArray(previous) ? previous : [];
  const count = Math.min(type.count, known.length || 1 + Math.floor(random() * ENTRIES_MAX));
  return Array.from({ length: count }, (_, index) => nextValue(type.element, known[index], random));
};

/** Next plausible value: near the previous one and valid by the model. */
export const nextValue = (type: DataType, previous: unknown, random: Random): unknown => {
  switch (type.type) {
    case 'integer':
      return nextInteger(type, previous, random);
    case 'double':
      return nextDouble(type, previous, random);
    case 'long':
      return nextLong(type, previous, random);
    case 'boolean':
      return keepOrReplace(previous, isFlag, () => (isFlag(previous) ? !previous : random() < 0.5), random);
    case 'enum':
      return keepOrReplace(previous, isItemOf(type.items), () => pick(type.items, random)?.value ?? '', random);
    case 'string':
      return keepOrReplace(
        previous,
        isTextOf(type.length),
        () => (pick(TEXTS, random) ?? '').slice(0, type.length),
        random,
      );
    case 'json':
      return nextParams(type.fields, previous, random);
    case 'array':
      return nextArray(type, previous, random);
  }
};

/** Values of parameters by identifier: all required ones and most of the others. */
export const nextParams = (params: Param[], previous: unknown, random: Random): Record<string, unknown> => {
  const known = isObject(previous) ? previous : {};
  const given = params.filter(({ required }) => required || random() < OPTIONAL_CHANCE);
  return Object.fromEntries(
    given.map(({ identifier, dataType }) => [identifier, nextValue(dataType, known[identifier], random)]),
  );
};
