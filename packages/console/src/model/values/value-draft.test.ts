import { checkFunctionValue, checkValue, type DataType, dataTypeKinds } from '@device-center/contract';
import { anyDataType, anyFunction, RUNS, valueThatFits } from '@device-center/contract/test/arbitrary-model.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Draft, draftOf, inputType, isWritable, newEntry, pathKey, problemsOf, valueFrom } from './value-draft.ts';

/** Texts of a field: numbers, near-numbers and arbitrary text. */
const typed = () =>
  fc.oneof(
    fc.constantFrom('', ' ', '0', '-0', '007', '1.5', '.5', '1e3', '1e999', '9223372036854775808', 'NaN', '0x10', '１'),
    fc.integer().map(String),
    fc.double({ noNaN: true }).map(String),
    fc.string(),
  );

/** Drafts of this type with arbitrary texts; optional fields may be included or not. */
const anyDraft = (type: DataType): fc.Arbitrary<Draft> => {
  switch (type.type) {
    case 'boolean':
      return fc.boolean().map((on) => ({ kind: 'flag', on }));
    case 'enum':
      return fc
        .constantFrom('', ...type.items.map((item) => item.value))
        .map((text): Draft => ({ kind: 'text', text }));
    case 'json':
      return fc
        .tuple(
          ...type.fields.map(({ identifier, dataType, required }) =>
            fc
              .tuple(required ? fc.constant(true) : fc.boolean(), anyDraft(dataType))
              .map(([included, draft]) => [identifier, { included, draft }] as const),
          ),
        )
        .map((fields) => ({ kind: 'fields', fields: new Map(fields) }));
    case 'array':
      return fc
        .array(anyDraft(type.element), { maxLength: 3 })
        .map((drafts) => ({ kind: 'list', entries: drafts.map(newEntry) }));
    default:
      // Random text rarely fits the type, so half of the values are valid.
      return fc.oneof(typed(), valueThatFits(type).map(String)).map((text) => ({ kind: 'text', text }));
  }
};

describe('the form of a function', () => {
  it('can hold every valid value and returns the same value', () => {
    const cases = anyDataType().chain((type) => fc.tuple(fc.constant(type), valueThatFits(type)));
    fc.assert(
      fc.property(cases, ([type, value]) => {
        expect(checkValue(type, value)).toEqual([]);
        const draft = draftOf(type, value);
        // Compare as on the wire: JSON has no -0.
        expect(JSON.stringify(valueFrom(type, draft))).toBe(JSON.stringify(value));
        expect(problemsOf(type, draft).size).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('accepts a draft if and only if the model accepts the value to send', () => {
    const seen = new Set<string>();
    const cases = anyFunction()
      .filter(isWritable)
      .chain((entry) => fc.tuple(fc.constant(entry), anyDraft(inputType(entry))));
    fc.assert(
      fc.property(cases, ([entry, draft]) => {
        const sent = valueFrom(inputType(entry), draft);
        const refused = checkFunctionValue(entry, sent).map(({ path }) => pathKey(path));
        expect([...problemsOf(inputType(entry), draft).keys()].sort()).toEqual([...new Set(refused)].sort());
        if (refused.length > 0) return;
        // An accepted value is sent as JSON and must still be valid after that.
        const arrived: unknown = JSON.parse(JSON.stringify(sent));
        expect(checkFunctionValue(entry, arrived)).toEqual([]);
        seen.add(inputType(entry).type);
      }),
      { numRuns: RUNS * 3 },
    );
    expect([...seen].sort()).toEqual([...dataTypeKinds].sort());
  });

  it('omits optional fields that are not included, and keeps included empty texts', () => {
    const text = { type: 'string', length: 5 } as const;
    const type: DataType = {
      type: 'json',
      fields: [
        { identifier: 'a', name: 'a', dataType: text, required: true },
        { identifier: 'b', name: 'b', dataType: text, required: false },
      ],
    };
    expect(valueFrom(type, draftOf(type))).toEqual({ a: '' });
    expect(valueFrom(type, draftOf(type, { a: 'x', b: '' }))).toEqual({ a: 'x', b: '' });
  });

  it('keeps all digits of a long', () => {
    const type: DataType = { type: 'long' };
    const draft: Draft = { kind: 'text', text: ' 9223372036854775807 ' };
    expect(valueFrom(type, draft)).toBe('9223372036854775807');
    expect(problemsOf(type, { kind: 'text', text: '9223372036854775808' }).get('[]')?.key).toBe('LONG');
  });
});
