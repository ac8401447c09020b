// Selects the hub's tests for a change. Imports do not tell: a test that starts a hub imports all of it.
import { posix } from 'node:path';
import { importsOf } from './imports.mjs';

const TESTS = 'packages/server/test/';
const isTest = (path) => path.startsWith(TESTS) && path.endsWith('.test.ts');
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The slice that a file of the hub or of the contract belongs to: role, api-key. */
const sliceOf = (path) =>
  /^packages\/server\/src\/features\/([^/]+)\//.exec(path)?.[1] ??
  /^packages\/contract\/src\/http\/([^/.]+)/.exec(path)?.[1];

/** Part of a name, whole words only: `role` is in `role-menus` and in `user-role`, and `ota` is not in `rotation`. */
const names = (file, word) => new RegExp(`(^|[-/.])${word}s?([-/.]|$)`).test(file);

const aboutSlice = (slice, { path, text }) =>
  names(path.slice(TESTS.length), slice) || new RegExp(`\\b${camel(slice)}Calls\\b`).test(text);

const importsFile = ({ path, text }, changed) =>
  importsOf(text).some(({ name }) => name.startsWith('.') && posix.join(posix.dirname(path), name) === changed);

/** The tests among `files` that import a file, directly or through fixtures of the test folder. */
const importers = (changed, files, seen = new Set()) => {
  for (const file of files)
    if (!seen.has(file.path) && importsFile(file, changed)) {
      seen.add(file.path);
      if (!isTest(file.path)) importers(file.path, files, seen);
    }
  return [...seen].filter(isTest);
};

/**
 * The tests for one changed file; `files` is the test folder, each with path and text. For a slice: tests named after it
 * and tests that use its calls. For other files of the hub: tests named after the file, and tests that import it
 * directly. For fixtures: all tests that import them.
 */
export const testsOf = (changed, files) => {
  if (isTest(changed)) return files.some(({ path }) => path === changed) ? [changed] : [];
  const tests = files.filter(({ path }) => isTest(path));
  const slice = sliceOf(changed);
  if (slice) return tests.filter((file) => aboutSlice(slice, file)).map(({ path }) => path);
  if (changed.startsWith(TESTS)) return importers(changed, files);
  if (!changed.startsWith('packages/server/src/')) return [];
  const word = posix.basename(changed).split('.')[0];
  return tests
    .filter((file) => names(file.path.slice(TESTS.length), word) || importsFile(file, changed))
    .map(({ path }) => path);
};
