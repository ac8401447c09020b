import { expect, it } from 'vitest';
import { compareVersions, versionSortKey } from './version-number.ts';

it.each([
  ['1.0.0', '1.0.1'],
  ['1.9.0', '1.10.0'],
  ['2', '10'],
  ['1.0.0-rc1', '1.0.0'],
  ['1.0.0-rc.2', '1.0.0-rc.10'],
  ['1.0', '1.0.1'],
  ['1.a', '1.b'],
  ['0.9.9', '1.0.0-beta'],
])('%s is older than %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
  expect(versionSortKey(older) < versionSortKey(newer)).toBe(true);
});

it.each([
  ['1.0.0', '1.0.0'],
  ['1.0', '1.0.0'],
  ['1.0-a', '1.0-a'],
])('%s is as old as %s', (one, other) => {
  expect(Math.abs(compareVersions(one, other))).toBe(0);
  expect(versionSortKey(one)).toBe(versionSortKey(other));
});
