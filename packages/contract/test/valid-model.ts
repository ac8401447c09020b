import fc from 'fast-check';
import {
  ARRAY_MAX,
  type DataType,
  DEPTH_MAX,
  DOUBLE_LIMIT,
  INT32_MAX,
  INT32_MIN,
  INT64_MAX,
  INT64_MIN,
  type Param,
  STRING_MAX,
} from '../src/model/data-type.ts';
import { type ModelFunction, modelFunction } from '../src/model/function-definition.ts';

/**
 * The same arbitrary for the same argument: the types of all levels hold each other, so that their number doubles with
 * each level, and to create them takes longer than to draw models from them.
 */
const once = <Args extends (number | undefined)[], Made>(
  create: (...args: Args) => Made,
): ((...args: Args) => Made) => {
  const created = new Map<string, Made>();
  return (...args) => {
    const key = args.join();
    const made = created.get(key) ?? create(...args);
    created.set(key, made);
    return made;
  };
};

/** Identifiers that are keywords, or that are similar to each other. */
const TRICKY = [
  'constructor toString hasOwnProperty length name class int bool double new get_ readonly default typeof',
  '1 01 a A a_b a__b A_B _ __ __LINE__ INT32_MAX int32_t count items has_a a_2 NULL linux errno code min max',
  '中 中文 中文1 u4e2d 鿿 㐀',
]
  .join(' ')
  .split(' ');

export const identifier = once(
  (): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z0-9_]{1,12}$/) },
      { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9_]{50}$/) },
      { weight: 1, arbitrary: fc.stringMatching(/^[\u4e00-\u9fff]{1,25}$/) },
      { weight: 2, arbitrary: fc.constantFrom(...TRICKY) },
    ),
);

const CHARACTERS = [...'aZ09中 文*/\\"\'?<>{}$`&#@-_()=.,;:%℃μ😀é'];
const textOf = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...CHARACTERS), { minLength: min, maxLength: max }).map((characters) => characters.join(''));

export const functionName = (): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom('a', 'Z', '0', '中'), textOf(0, 30)).map((parts) => parts.join(''));

const itemName = once((): fc.Arbitrary<string> => fc.stringMatching(/^[\u4e00-\u9fffA-Za-z0-9@\-_()]{1,50}$/));

/** Description of at most 100 bytes, with unusual content such as line breaks and comment ends. */
const description = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', 'a\nb', '*/ int x; /*', '\u202e\u2028', '//', '*??/', '\\', '$x', '@ts-nocheck'),
    textOf(0, 25),
  );

const absent = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

const withoutAbsent = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Value;

type Limits<Of> = { min?: Of | undefined; max?: Of | undefined; step?: Of | undefined };

const limits = <Of extends number | bigint>(
  limit: fc.Arbitrary<Of>,
  steps: fc.Arbitrary<Of>,
  exceeds: (step: Of, min: Of, max: Of) => boolean,
): fc.Arbitrary<Limits<Of>> =>
  fc.record({ min: absent(limit), max: absent(limit), step: absent(steps) }).map(({ min, max, step }) => {
    if (min === undefined || max === undefined) return { min, max, step };
    const [low, high]: [Of, Of] = min <= max ? [min, max] : [max, min];
    const tooBig = step !== undefined && high > low && exceeds(step, low, high);
    return { min: low, max: high, step: tooBig ? undefined : step };
  });

const integerLimits = () =>
  limits(
    fc.oneof(fc.integer({ min: -100, max: 100 }), fc.integer({ min: INT32_MIN, max: INT32_MAX })),
    fc.integer({ min: 1, max: 100 }),
    (step, min, max) => step > max - min,
  );

const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 100 + 0);

const doubleLimits = () =>
  limits(
    fc.oneof(hundredths(-10_000, 10_000), hundredths(-DOUBLE_LIMIT * 100, DOUBLE_LIMIT * 100)),
    hundredths(1, 1_000),
    (step, min, max) => Math.round(step * 100) > Math.round(max * 100) - Math.round(min * 100),
  );

const longLimits = () =>
  limits(
    fc.oneof(fc.bigInt({ min: -100n, max: 100n }), fc.bigInt({ min: INT64_MIN, max: INT64_MAX })),
    fc.bigInt({ min: 1n, max: 1_000n }),
    (step, min, max) => step > max - min,
  ).map(({ min, max, step }) => ({ min: min?.toString(), max: max?.toString(), step: step?.toString() }));

const unit = () => fc.record({ unit: absent(textOf(1, 20)) });

const sized = (max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.integer({ min: 1, max: Math.min(max, 8) }), fc.integer({ min: 1, max }), fc.constant(max));

const plainType = once(
  (): fc.Arbitrary<DataType> =>
    fc.oneof(
      fc.tuple(integerLimits(), unit()).map(([range, more]) => withoutAbsent({ type: 'integer', ...range, ...more })),
      fc.tuple(longLimits(), unit()).map(([range, more]) => withoutAbsent({ type: 'long', ...range, ...more })),
      fc.tuple(doubleLimits(), unit()).map(([range, more]) => withoutAbsent({ type: 'double', ...range, ...more })),
      fc
        .uniqueArray(fc.oneof(fc.nat(20).map(String), fc.stringMatching(/^[A-Za-z0-9]{1,50}$/)), {
          minLength: 1,
          maxLength: 6,
        })
        .chain((values) => fc.tuple(...values.map((value) => itemName().map((text) => ({ value, description: text })))))
        .map((items) => ({ type: 'enum', items })),
      fc
        .record({ trueText: absent(textOf(1, 10)), falseText: absent(textOf(1, 10)) })
        .map((texts) => withoutAbsent({ type: 'boolean', ...texts })),
      sized(STRING_MAX).map((length) => ({ type: 'string', length })),
    ) as fc.Arbitrary<DataType>,
);

const paramList = once(
  (depth: number, min: 0 | 1): fc.Arbitrary<Param[]> =>
    fc.uniqueArray(
      fc.record({
        identifier: identifier(),
        name: functionName(),
        dataType: depth === 1 ? plainType() : fc.oneof({ weight: 3, arbitrary: plainType() }, dataTypeOf(depth)),
        required: fc.boolean(),
      }),
      { minLength: min, maxLength: 4, selector: (entry) => entry.identifier },
    ),
);

const arrayOf = (depth: number): fc.Arbitrary<DataType> =>
  fc
    .record({ element: dataTypeOf(depth - 1), count: sized(ARRAY_MAX) })
    .map(({ element, count }) => ({ type: 'array', element, count }));

/** A data type with at most the given nesting depth. */
export const dataTypeOf = once(
  (depth: number): fc.Arbitrary<DataType> =>
    depth === 1
      ? plainType()
      : fc.oneof(
          { weight: 2, arbitrary: plainType() },
          { weight: 1, arbitrary: paramList(depth - 1, 1).map((fields): DataType => ({ type: 'json', fields })) },
          { weight: 1, arbitrary: arrayOf(depth) },
        ),
);

/** Any valid data type, up to the maximum depth. */
export const anyDataType = (): fc.Arbitrary<DataType> => dataTypeOf(DEPTH_MAX);

const common = () => ({ signCode: identifier(), functionName: functionName(), description: description() });

/** A valid function. */
export const anyFunction = once(
  (): fc.Arbitrary<ModelFunction> =>
    fc
      .oneof(
        fc.record({
          ...common(),
          functionType: fc.constant(1),
          functionDefinition: fc.record({ accessMode: fc.constantFrom('rw', 'r', 'w'), dataType: anyDataType() }),
        }),
        fc.record({
          ...common(),
          functionType: fc.constant(32),
          functionDefinition: fc
            .record({
              callType: fc.constantFrom('sync', 'async'),
              input: paramList(DEPTH_MAX, 0),
              output: paramList(DEPTH_MAX, 0),
            })
            .filter(({ input, output }) => input.length + output.length > 0),
        }),
        fc.record({
          ...common(),
          functionType: fc.constant(22),
          functionDefinition: fc.record({
            eventType: fc.constantFrom('info', 'call', 'alarm'),
            output: paramList(DEPTH_MAX, 1),
          }),
        }),
      )
      // A reserved identifier, or a definition that is too large.
      .filter((entry) => modelFunction.safeParse(entry).success) as fc.Arbitrary<ModelFunction>,
);

/** A model of at most the given number of functions. */
export const anyModel = once(
  (max: number = 8): fc.Arbitrary<ModelFunction[]> =>
    fc.uniqueArray(anyFunction(), { maxLength: max, selector: (entry) => entry.signCode }),
);

const between = (type: DataType & { type: 'long' }): fc.Arbitrary<string> =>
  fc.bigInt({ min: BigInt(type.min ?? INT64_MIN), max: BigInt(type.max ?? INT64_MAX) }).map(String);

const valuesOf = (params: Param[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(params.map(({ identifier: key, dataType }) => [key, valueThatFits(dataType)])), {
    noNullPrototype: true,
    requiredKeys: params.filter(({ required }) => required).map(({ identifier: key }) => key),
  });

/** A valid value. */
export const valueThatFits = (type: DataType): fc.Arbitrary<unknown> => {
  switch (type.type) {
    case 'integer':
      return fc.integer({ min: type.min ?? INT32_MIN, max: type.max ?? INT32_MAX });
    case 'long':
      return between(type);
    case 'double':
      return fc.double({ min: type.min ?? -1e300, max: type.max ?? 1e300, noNaN: true }).map((value) => value + 0);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textOf(0, Math.min(type.length, 40));
    case 'enum':
      return fc.constantFrom(...type.items.map(({ value }) => value));
    case 'json':
      return valuesOf(type.fields);
    case 'array':
      return fc.array(valueThatFits(type.element), { maxLength: Math.min(type.count, 3) });
  }
};
