import type { FunctionWithId } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import {
  type Draft,
  type DraftEdit,
  differenceOf,
  draftOf,
  functionsOf,
  isDirty,
  keepIds,
  reduceDraft,
} from './draft.ts';

const property = (signCode: string, id?: string, functionName = signCode): FunctionWithId => ({
  ...(id === undefined ? {} : { id }),
  signCode,
  functionName,
  functionType: 1,
  description: '',
  functionDefinition: { accessMode: 'rw', dataType: { type: 'integer' } },
});

const start = (): Draft =>
  draftOf({ modelVersion: 3, functions: [property('a', '1'), property('b', '2'), property('c', '3')] });
const edit = (draft: Draft, change: DraftEdit): Draft => reduceDraft(draft, { do: 'edit', edit: change });
const keyAt = (draft: Draft, index: number): string => draft.entries[index]?.key ?? '';
const words = (draft: Draft): string[] => functionsOf(draft).map(({ signCode }) => signCode);

describe('the draft', () => {
  it('is clean until something changes, and again when the change is reverted by hand', () => {
    const draft = start();
    expect(isDirty(differenceOf(draft))).toBe(false);
    const changed = edit(draft, { do: 'change', key: keyAt(draft, 0), fn: property('a', '1', 'other') });
    expect(differenceOf(changed).changes).toMatchObject([{ kind: 'changed', signCode: 'a' }]);
    const back = edit(changed, { do: 'change', key: keyAt(draft, 0), fn: property('a', '1') });
    expect(isDirty(differenceOf(back))).toBe(false);
  });

  it('adds, removes and moves functions', () => {
    const draft = start();
    expect(words(edit(draft, { do: 'add', functions: [property('d')] }))).toEqual(['a', 'b', 'c', 'd']);
    expect(words(edit(draft, { do: 'remove', key: keyAt(draft, 1) }))).toEqual(['a', 'c']);
    const [first, last] = [keyAt(draft, 0), keyAt(draft, 2)];
    expect(words(edit(draft, { do: 'move', key: last, target: first, side: 'before' }))).toEqual(['c', 'a', 'b']);
    expect(words(edit(draft, { do: 'move', key: first, target: last, side: 'after' }))).toEqual(['b', 'c', 'a']);
    const moved = edit(draft, { do: 'move', key: first, target: last, side: 'before' });
    expect(words(moved)).toEqual(['b', 'a', 'c']);
    expect(differenceOf(moved)).toEqual({ changes: [], reordered: true });
  });

  it('duplicates a function after the original, with a new identifier and no id', () => {
    const draft = start();
    const twice = edit(edit(draft, { do: 'duplicate', key: keyAt(draft, 0) }), {
      do: 'duplicate',
      key: keyAt(draft, 0),
    });
    expect(words(twice)).toEqual(['a', 'a_3', 'a_2', 'b', 'c']);
    expect(functionsOf(twice)[1]?.id).toBeUndefined();
  });

  it('undoes and redoes edits', () => {
    const draft = start();
    const without = edit(draft, { do: 'remove', key: keyAt(draft, 0) });
    const undone = reduceDraft(without, { do: 'undo' });
    expect(words(undone)).toEqual(['a', 'b', 'c']);
    expect(words(reduceDraft(undone, { do: 'redo' }))).toEqual(['b', 'c']);
    const discarded = reduceDraft(without, { do: 'discard' });
    expect(words(discarded)).toEqual(['a', 'b', 'c']);
    expect(words(reduceDraft(discarded, { do: 'undo' }))).toEqual(['b', 'c']);
  });

  it('keeps the key of a row when the whole list is replaced', () => {
    const draft = start();
    const replaced = edit(draft, {
      do: 'replaceAll',
      functions: [property('c', '3', 'changed'), property('new'), property('renamed', '1')],
    });
    expect(replaced.entries.map(({ key }) => key)).toEqual([keyAt(draft, 2), expect.any(String), keyAt(draft, 0)]);
  });

  it('is clean after saving and adopts the assigned ids', () => {
    const draft = edit(start(), { do: 'add', functions: [property('d')] });
    const saved = reduceDraft(draft, { do: 'saved', state: { functions: functionsOf(draft), modelVersion: 4 } });
    expect(isDirty(differenceOf(saved))).toBe(false);
    expect(saved.base.modelVersion).toBe(4);
    const functions = [...functionsOf(start()), property('d', '4')];
    const taken = reduceDraft(saved, { do: 'adopt', state: { functions, modelVersion: 4 } });
    expect(functionsOf(taken).at(-1)?.id).toBe('4');
    expect(keyAt(taken, 3)).toBe(keyAt(draft, 3));
  });
});

describe('saving the draft', () => {
  it('keeps edits made while it is being saved', () => {
    const sent = edit(start(), { do: 'add', functions: [property('d')] });
    const later = edit(sent, { do: 'add', functions: [property('e')] });
    const saved = reduceDraft(later, { do: 'saved', state: { functions: functionsOf(sent), modelVersion: 4 } });
    expect(words(saved)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(differenceOf(saved).changes).toMatchObject([{ kind: 'added', signCode: 'e' }]);
  });
});

describe('keepIds', () => {
  const present = [property('a', '1'), property('b', '2')];

  it('matches functions by identifier at any position', () => {
    expect(keepIds(present, [property('b'), property('a'), property('c')])).toEqual([
      property('b', '2'),
      property('a', '1'),
      property('c'),
    ]);
  });

  it('treats another identifier at the same position as a renamed function', () => {
    expect(keepIds(present, [property('x'), property('b')])).toEqual([property('x', '1'), property('b', '2')]);
  });

  it('assigns no id twice', () => {
    const event: FunctionWithId = {
      signCode: 'a',
      functionName: 'a',
      functionType: 22,
      description: '',
      functionDefinition: { eventType: 'info', output: [] },
    };
    expect(keepIds(present, [property('b'), property('x')]).map(({ id }) => id)).toEqual(['2', undefined]);
    expect(keepIds(present, [event, property('b')]).map(({ id }) => id)).toEqual([undefined, '2']);
  });
});
