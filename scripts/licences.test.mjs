import { expect, it } from 'vitest';
import { badLicences, fits } from './lib/licences.mjs';

it.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND ISC', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['UNLICENSED', false],
  ['no licence named', false],
])('%s fits: %s', (licence, expected) => {
  expect(fits(licence)).toBe(expected);
});

it('names each package whose licence does not fit, and none that is not installed', () => {
  const manifests = {
    'node_modules/a': { license: 'MIT' },
    'node_modules/b': { license: 'AGPL-3.0-only' },
    'node_modules/c': {},
    'node_modules/d': { licenses: [{ type: 'GPL-2.0' }, { type: 'MIT' }] },
  };
  const packages = { '': {}, 'packages/own': {}, 'node_modules/own': { link: true }, 'node_modules/e': {} };
  for (const path of Object.keys(manifests)) packages[path] = {};
  expect(badLicences(packages, (path) => manifests[path])).toEqual([
    'node_modules/b: AGPL-3.0-only',
    'node_modules/c: no licence named',
  ]);
});
