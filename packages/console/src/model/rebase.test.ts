import type { FunctionWithId } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { type MergeSide, rebase } from './rebase.ts';

const property = (signCode: string, id?: string, max = 100): FunctionWithId => ({
  ...(id === undefined ? {} : { id }),
  signCode,
  functionName: signCode,
  functionType: 1,
  description: '',
  functionDefinition: { accessMode: 'rw', dataType: { type: 'integer', min: 0, max } },
});

const [a, b, c] = [property('a', '1'), property('b', '2'), property('c', '3')];
const words = (functions: FunctionWithId[]): string[] => functions.map(({ signCode }) => signCode);
const chosen = (key: string, side: MergeSide): ReadonlyMap<string, MergeSide> => new Map([[key, side]]);

describe('rebase', () => {
  it('combines functions that only one user changed', () => {
    const mine = property('a', '1', 10);
    const theirs = property('b', '2', 20);
    expect(rebase([a, b, c], [mine, b, c], [a, theirs, c])).toEqual({ functions: [mine, theirs, c], conflicts: [] });
  });

  it('keeps functions added by both users at their positions', () => {
    const { functions, conflicts } = rebase([a, b], [a, property('mine'), b], [a, b, property('theirs', '9')]);
    expect(words(functions)).toEqual(['a', 'mine', 'b', 'theirs']);
    expect(conflicts).toEqual([]);
  });

  it('removes functions that either user removed', () => {
    expect(rebase([a, b, c], [b, c], [a, b])).toEqual({ functions: [b], conflicts: [] });
  });

  it('finds no conflict if both made the same change', () => {
    const same = property('a', '1', 10);
    expect(rebase([a], [same], [same])).toEqual({ functions: [same], conflicts: [] });
    expect(rebase([a, b], [a], [a])).toEqual({ functions: [a], conflicts: [] });
  });

  it('reports a conflict if both changed the same function, and applies the choice', () => {
    const [mine, theirs] = [property('a', '1', 10), property('a', '1', 20)];
    const { conflicts, functions } = rebase([a, b], [mine, b], [theirs, b]);
    expect(conflicts).toEqual([{ key: '1', base: a, mine, theirs }]);
    expect(functions).toEqual([theirs, b]);
    expect(rebase([a, b], [mine, b], [theirs, b], chosen('1', 'mine')).functions).toEqual([mine, b]);
    expect(rebase([a, b], [mine, b], [theirs, b], chosen('1', 'theirs')).functions).toEqual([theirs, b]);
  });

  it('reports a conflict if one user removed what the other changed', () => {
    const changed = property('a', '1', 10);
    const removedByThem = rebase([a, b], [changed, b], [b]);
    expect(removedByThem.conflicts).toEqual([{ key: '1', base: a, mine: changed, theirs: null }]);
    expect(words(removedByThem.functions)).toEqual(['b']);
    expect(rebase([a, b], [b], [changed, b], chosen('1', 'mine')).functions).toEqual([b]);
    expect(rebase([a, b], [b], [changed, b], chosen('1', 'theirs')).functions).toEqual([changed, b]);
  });

  it('keeps my version of a deleted function without its id', () => {
    const changed = property('a', '1', 10);
    const { functions } = rebase([a, b], [changed, b], [b], chosen('1', 'mine'));
    expect(functions).toEqual([property('a', undefined, 10), b]);
  });

  it('reports a conflict if both added the same identifier', () => {
    const theirs = property('new', '7', 20);
    const { conflicts } = rebase([a], [a, property('new', undefined, 10)], [a, theirs]);
    expect(conflicts).toEqual([{ key: '7', base: null, mine: property('new', undefined, 10), theirs }]);
    const { functions } = rebase([a], [a, property('new', undefined, 10)], [a, theirs], chosen('7', 'mine'));
    expect(functions).toEqual([a, property('new', '7', 10)]);
  });

  it('adopts the ids that the hub assigned to functions that I added', () => {
    const { functions, conflicts } = rebase(
      [a, property('new')],
      [a, property('new'), property('x')],
      [a, property('new', '7')],
    );
    expect(conflicts).toEqual([]);
    expect(functions).toEqual([a, property('new', '7'), property('x')]);
  });

  it('matches a renamed function by its id', () => {
    const renamed = property('other', '1');
    expect(rebase([a, b], [renamed, b], [a, property('b', '2', 5)])).toEqual({
      functions: [renamed, property('b', '2', 5)],
      conflicts: [],
    });
  });

  it('distinguishes a renamed function from a new one with its old identifier', () => {
    const mine = [property('other', '1'), property('a')];
    expect(rebase([a], mine, [a])).toEqual({ functions: mine, conflicts: [] });
  });

  it('keeps my order if I changed it, otherwise theirs', () => {
    expect(words(rebase([a, b, c], [c, a, b], [a, b, c, property('d', '4')]).functions)).toEqual(['c', 'd', 'a', 'b']);
    expect(words(rebase([a, b, c], [a, b, c], [c, b, a]).functions)).toEqual(['c', 'b', 'a']);
  });
});
