import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { spanOf, stepsOf } from './json-place.ts';

const text = '[{"a": 1}, {"functionDefinition": {"dataType": {"max": 12, "items": [{"value": "x"}]}}}]';

const told = (place: string, doc = text): string => {
  const state = EditorState.create({ doc, extensions: [json()] });
  const { from, to } = spanOf(state, place);
  return state.sliceDoc(from, to);
};

describe('the place of a problem in the text', () => {
  it('reads a place as steps', () => {
    expect(stepsOf('functions[3].functionDefinition.items[0].value')).toEqual([
      'functions',
      3,
      'functionDefinition',
      'items',
      0,
      'value',
    ]);
  });

  it('finds the value', () => {
    expect(told('functions[1].functionDefinition.dataType.max')).toBe('12');
    expect(told('functions[1].functionDefinition.dataType.items[0].value')).toBe('"x"');
    expect(told('functions[0].a', '{"functions": [{"a": true}]}')).toBe('true');
  });

  it('finds a value far down in a long text', () => {
    const entries = Array.from({ length: 2_000 }, (_, index) => ({ index, signCode: `f${index}` }));
    expect(told('functions[1999].signCode', JSON.stringify(entries))).toBe('"f1999"');
  });

  it('finds the nearest around it when it is not there', () => {
    expect(told('functions[1].functionDefinition.dataType.min')).toBe('{');
    expect(told('functions[7].signCode')).toBe('[');
    expect(told('', '')).toBe('');
  });
});
