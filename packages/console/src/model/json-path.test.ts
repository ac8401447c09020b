import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { spanOf, stepsOf } from './json-path.ts';

const text = '[{"a": 1}, {"functionDefinition": {"dataType": {"max": 12, "items": [{"value": "x"}]}}}]';

const textAt = (path: string, doc = text): string => {
  const state = EditorState.create({ doc, extensions: [json()] });
  const { from, to } = spanOf(state, path);
  return state.sliceDoc(from, to);
};

describe('JSON paths in the editor', () => {
  it('splits a path into steps', () => {
    expect(stepsOf('functions[3].functionDefinition.items[0].value')).toEqual([
      'functions',
      3,
      'functionDefinition',
      'items',
      0,
      'value',
    ]);
  });

  it('finds the value at a path', () => {
    expect(textAt('functions[1].functionDefinition.dataType.max')).toBe('12');
    expect(textAt('functions[1].functionDefinition.dataType.items[0].value')).toBe('"x"');
    expect(textAt('functions[0].a', '{"functions": [{"a": true}]}')).toBe('true');
  });

  it('finds a value at the end of a long text', () => {
    const entries = Array.from({ length: 2_000 }, (_, index) => ({ index, signCode: `f${index}` }));
    expect(textAt('functions[1999].signCode', JSON.stringify(entries))).toBe('"f1999"');
  });

  it('finds the nearest enclosing value of a missing path', () => {
    expect(textAt('functions[1].functionDefinition.dataType.min')).toBe('{');
    expect(textAt('functions[7].signCode')).toBe('[');
    expect(textAt('', '')).toBe('');
  });
});
