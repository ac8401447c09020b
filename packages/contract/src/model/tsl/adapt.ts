import { DESCRIPTION_MAX_BYTES, functionName, name, utf8Bytes } from '../../fields.ts';
import { DOUBLE_LIMIT, INT32_MAX, INT32_MIN } from '../data-type.ts';
import type { TakeNote } from './note-texts.ts';

// Each function converts a value of an imported file to one that our rules allow. Values of the wrong type stay as they
// are, so that the schema rejects them.

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
const FUNCTION_NAME_MAX = 31;
const NAME_MAX = 50;
/** Only the start of a long text is read: every rule allows less. */
const TEXT_READ_MAX = 1_000;

const characters = (value: string): string[] => [...value.slice(0, TEXT_READ_MAX)];
const fits = (schema: { safeParse: (value: string) => { success: boolean } }, value: string): boolean =>
  schema.safeParse(value).success;

const functionNameRule = functionName();
const nameRule = name();

const asFunctionName = (value: string): string => {
  const seen = characters(value.slice(0, TEXT_READ_MAX).replace(INVISIBLE, ''));
  const start = seen.findIndex((character) => fits(functionNameRule, character));
  return start < 0
    ? ''
    : seen
        .slice(start, start + FUNCTION_NAME_MAX)
        .join('')
        .trimEnd();
};

/** Removes invalid characters; uses the identifier if nothing remains. */
export const adaptFunctionName = (value: unknown, fallback: unknown, place: string, note: TakeNote): unknown => {
  if (typeof value !== 'string' || value === '' || fits(functionNameRule, value)) return value;
  const adapted = asFunctionName(value) || (typeof fallback === 'string' ? asFunctionName(fallback) : '');
  if (adapted === '') return value;
  note(place, 'NAME_CHANGED', { was: value, is: adapted });
  return adapted;
};

export const adaptEnumDescription = (value: unknown, fallback: string, place: string, note: TakeNote): unknown => {
  if (typeof value !== 'string' || fits(nameRule, value)) return value;
  const kept = characters(value.trim().replace(/\s+/gu, '_')).filter((character) => fits(nameRule, character));
  const adapted = kept.slice(0, NAME_MAX).join('') || fallback;
  note(place, 'TEXT_CHANGED', { was: value, is: adapted });
  return adapted;
};

export const adaptDescription = (value: unknown, place: string, note: TakeNote): unknown => {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || (utf8Bytes(value) <= DESCRIPTION_MAX_BYTES && !value.includes('\0'))) return value;
  let [adapted, bytes] = ['', 0];
  for (const character of characters(value.replaceAll('\0', ''))) {
    bytes += utf8Bytes(character);
    if (bytes > DESCRIPTION_MAX_BYTES) break;
    adapted += character;
  }
  note(place, 'DESCRIPTION_CUT', { is: adapted });
  return adapted;
};

/** Adapts a unit or a boolean label; an empty one is omitted. */
export const adaptShortText = (value: unknown, max: number, place: string, note: TakeNote): unknown => {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  const adapted = characters(value.slice(0, TEXT_READ_MAX).replace(INVISIBLE, '')).slice(0, max).join('');
  if (adapted === value) return value;
  if (adapted === '') note(place, 'TEXT_DROPPED', { was: value });
  else note(place, 'TEXT_CHANGED', { was: value, is: adapted });
  return adapted === '' ? undefined : adapted;
};

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const readNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : null;
};

type Scale = { lowest: number; highest: number; smallestStep: number; perUnit: 1 | 100 };
const scales = {
  integer: { lowest: INT32_MIN, highest: INT32_MAX, smallestStep: 1, perUnit: 1 },
  double: { lowest: -DOUBLE_LIMIT, highest: DOUBLE_LIMIT, smallestStep: 0.01, perUnit: 100 },
} satisfies Record<string, Scale>;

type Rounding = (value: number) => number;

const onScale = (value: number, { perUnit }: Scale, rounding: Rounding): number => {
  const nearest = Number(value.toFixed(perUnit === 1 ? 0 : 2));
  return (nearest === value ? value : rounding(value * perUnit) / perUnit) + 0;
};

const adaptLimit = (given: unknown, low: number, scale: Scale, rounding: Rounding, place: string, note: TakeNote) => {
  if (given === undefined || given === null || given === '') return undefined;
  const value = readNumber(given);
  if (value === null || Number.isNaN(value)) return given;
  const inside = Math.min(Math.max(value, low), scale.highest);
  const adapted = onScale(inside, scale, rounding);
  if (inside !== value) note(place, 'LIMIT_CUT', { was: String(given), is: adapted });
  else if (adapted !== value) note(place, 'LIMIT_ROUNDED', { was: String(given), is: adapted });
  return adapted;
};

/** Rounds limits outward, so that values valid before the import stay valid. */
export const adaptRange = (
  kind: keyof typeof scales,
  specs: Record<string, unknown>,
  place: string,
  note: TakeNote,
) => {
  const scale: Scale = scales[kind];
  const limit = (key: 'min' | 'max' | 'step', low: number, rounding: Rounding) =>
    adaptLimit(specs[key], low, scale, rounding, `${place}.${key}`, note);
  const min = limit('min', scale.lowest, Math.floor);
  const max = limit('max', scale.lowest, Math.ceil);
  const step = limit('step', scale.smallestStep, Math.round);
  const tooBig =
    typeof min === 'number' && typeof max === 'number' && typeof step === 'number' && max > min && step > max - min;
  // Floating-point subtraction of two decimals may be slightly off.
  if (!tooBig || Math.round((step - (max - min)) * scale.perUnit) <= 0) return { min, max, step };
  note(`${place}.step`, 'STEP_DROPPED', { was: step });
  return { min, max, step: undefined };
};

/** Adapts a length or a count. */
export const adaptSize = (given: unknown, max: number, place: string, note: TakeNote): unknown => {
  if (given === undefined || given === null || given === '') {
    note(place, 'SIZE_MISSING', { is: max });
    return max;
  }
  const value = readNumber(given);
  if (value === null || Number.isNaN(value)) return given;
  const adapted = Math.ceil(Math.min(Math.max(value, 1), max));
  if (adapted !== value) note(place, 'LIMIT_CUT', { was: String(given), is: adapted });
  return adapted;
};

/** Devices send these values, so two must not become equal: a clash is left as it is, and the schema rejects it. */
export const adaptEnumValues = (values: string[], place: string, note: TakeNote): string[] => {
  const taken = new Set(values);
  return values.map((value) => {
    const adapted = value
      .replace(/^[-−]/u, 'n')
      .replace(/[^A-Za-z0-9]/gu, '')
      .slice(0, NAME_MAX);
    if (adapted === value || adapted === '' || taken.has(adapted)) return value;
    taken.add(adapted);
    note(place, 'ENUM_VALUE_CHANGED', { was: value, is: adapted });
    return adapted;
  });
};
