import fc from 'fast-check';
import type { DataType } from '../src/model/data-type.ts';
import { anyModel, valueThatFits } from './valid-model.ts';

type Step = string | number;

const placesOf = (value: unknown, path: Step[] = []): Step[][] => {
  if (typeof value !== 'object' || value === null) return [path];
  const steps: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...steps.flatMap(([step, inner]) => placesOf(inner, [...path, step]))];
};

/** Copies a value with another value at one path; `undefined` removes it. */
const changed = (value: unknown, [step, ...rest]: Step[], change: (value: unknown) => unknown): unknown => {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((entry: unknown, index) => {
      const now = index === step ? changed(entry, rest, change) : entry;
      return now === undefined ? [] : [now];
    });
  }
  const entries = Object.entries(value as object).map(([key, entry]): [string, unknown] => [
    key,
    key === step ? changed(entry, rest, change) : entry,
  ]);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
};

const deep = (value: unknown, levels: number): unknown =>
  levels === 0 ? value : { type: 'array', element: deep(value, levels - 1), count: 1 };

const WRONG = [
  null,
  '',
  ' ',
  true,
  0,
  -1,
  1.005,
  2147483648,
  -2147483649,
  1e13,
  '9223372036854775808',
  '1.50',
  '1.5',
  '-0',
  'set',
  'restart',
  'online',
  '__proto__',
  'a.b',
  '中'.repeat(26),
  'a'.repeat(51),
  '\u0000',
  '*/',
  'rw',
  'sync',
  'alarm',
  'integer',
  [],
  {},
  [[]],
];

/** Mutations of the value at one path; some leave the model valid. */
const changes: fc.Arbitrary<(value: unknown) => unknown> = fc.oneof(
  fc.constantFrom(...WRONG).map((wrong) => () => wrong),
  fc.constant(() => undefined),
  // As a form sends it.
  fc.constant((value: unknown) => (typeof value === 'number' ? String(value) : JSON.stringify(value))),
  fc.constant((value: unknown) => (Array.isArray(value) ? [...value, ...value] : value)),
  fc.constant((value: unknown) => (Array.isArray(value) ? value.toReversed() : [value])),
  fc
    .constantFrom('unknown', 'id', 'min', 'max', 'length', 'dataType', 'input', 'constructor')
    .chain((key) => fc.constantFrom(...WRONG).map((wrong) => ({ key, wrong })))
    .map(
      ({ key, wrong }) =>
        (value: unknown) =>
          typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, [key]: wrong } : wrong,
    ),
  fc.integer({ min: 1, max: 30 }).map((levels) => (value: unknown) => deep(value, levels)),
  fc.integer({ min: -3, max: 3 }).map((by) => (value: unknown) => (typeof value === 'number' ? value + by : value)),
);

const mutated = (source: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(source, fc.array(fc.tuple(fc.nat(), changes), { minLength: 1, maxLength: 3 })).map(([start, steps]) =>
    steps.reduce<unknown>((value, [at, change]) => {
      const places = placesOf(value);
      return changed(value, places[at % places.length] ?? [], change) ?? [];
    }, start),
  );

/** A valid model with one to three mutations, possibly still valid: all validators must agree on it. */
export const mutatedModel = (max = 4): fc.Arbitrary<unknown> => mutated(anyModel(max));

/** A valid value with mutations, possibly still valid. */
export const mutatedValue = (type: DataType): fc.Arbitrary<unknown> => mutated(valueThatFits(type));
