import { describe, expect, it } from 'vitest';
import { differencesOf } from './difference.ts';

describe('differencesOf', () => {
  it('returns added, changed and removed fields, and omits unchanged ones', () => {
    const before = { name: 'Ann', phone: '1', email: 'a@example.com' };
    const after = { name: 'Ann', phone: '2', enabled: 1 };
    expect(differencesOf(before, after)).toEqual([
      { field: 'phone', kind: 'changed', before: '1', after: '2' },
      { field: 'email', kind: 'removed', before: 'a@example.com' },
      { field: 'enabled', kind: 'added', after: 1 },
    ]);
  });

  it('compares a list of ids as a whole, and objects by path', () => {
    expect(
      differencesOf({ menus: [1, 2], node: { host: 'a', port: 1 } }, { menus: [1, 3], node: { host: 'a', port: 2 } }),
    ).toEqual([
      { field: 'menus', kind: 'changed', before: [1, 2], after: [1, 3] },
      { field: 'node.port', kind: 'changed', before: 1, after: 2 },
    ]);
    expect(differencesOf({ nodes: [{ host: 'a' }] }, { nodes: [{ host: 'b' }, { host: 'c' }] })).toEqual([
      { field: 'nodes.0.host', kind: 'changed', before: 'a', after: 'b' },
      { field: 'nodes.1.host', kind: 'added', after: 'c' },
    ]);
  });

  it('reports a creation as added, a deletion as removed and a login as unchanged', () => {
    expect(differencesOf({}, { name: 'Ann' })).toEqual([{ field: 'name', kind: 'added', after: 'Ann' }]);
    expect(differencesOf({ name: 'Ann' }, {})).toEqual([{ field: 'name', kind: 'removed', before: 'Ann' }]);
    expect(differencesOf({}, {})).toEqual([]);
    expect(differencesOf(null, null)).toEqual([]);
  });
});
