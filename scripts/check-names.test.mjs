import { describe, expect, it } from 'vitest';
import { findRetiredNames } from './lib/retired-names.mjs';

const linesOf = (text) => findRetiredNames([{ path: 'a.ts', text }]);

describe('findRetiredNames', () => {
  it('names the place and the name to use', () => {
    expect(linesOf('const one = 1;\nthrow new KeepingError(wayTo(two));')).toEqual([
      'a.ts:2: KeepingError is retired, use BackupError',
      'a.ts:2: wayTo is retired, use nodeAccess',
    ]);
  });

  it('leaves longer names alone', () => {
    expect(linesOf('const wayToWork = myKeepingError;')).toEqual([]);
  });
});
