import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LazyTexts, lazyTexts, loadLazyTexts } from './lazy.ts';

// Finds the texts of a page in its source and in all modules that it imports. A text that is not loaded in time shows
// as its key, but only if the page is the first one opened.
const src = join(import.meta.dirname, '..');
const keys = new Map<string, string[]>();

/** Namespaces in `model:listTitle`, `model:kind_${kind}` and `useTranslation('model')`, but not in permissions such as `device:read`. */
const textsIn = (source: string): string[] => {
  const named = [...source.matchAll(/['"`](\w+):(\w*)(\$\{)?/g)].filter(([, name = '', key = '', open]) =>
    keys.get(name)?.some((known) => (open ? known.startsWith(key) : known === key || known.startsWith(`${key}_`))),
  );
  const used = [...source.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(([, names = '']) => [
    ...names.matchAll(/'(\w+)'/g),
  ]);
  return [...named, ...used].map(([, name = '']) => name).filter((name) => keys.has(name));
};

const importsOf = (file: string, source: string): string[] =>
  [
    ...source.matchAll(/^(?:import|export)(?! type)[^;]*? from '(\.[^']+\.tsx?)'/gm),
    ...source.matchAll(/import\('(\.[^']+\.tsx?)'\)/g),
  ]
    .map(([, path = '']) => resolve(dirname(file), path))
    // A list of pages only links to them.
    .filter((path) => !path.startsWith(import.meta.dirname) && !path.endsWith('pages.ts'));

const namespacesUsedBy = (start: string): string[] => {
  const seen = new Set<string>();
  const used = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    for (const name of textsIn(source)) used.add(name);
    for (const path of importsOf(file, source)) visit(path);
  };
  visit(start);
  return [...used].sort();
};

/** Each page's lines in the `pages.ts` of its feature, with its module and the texts that are loaded with it. */
const entries = globSync('features/*/pages.ts', { cwd: src }).flatMap((list) =>
  readFileSync(join(src, list), 'utf8')
    .split(/^ {4}path: /m)
    .slice(1)
    .map((lines) => {
      const [, module = '', names = ''] = /load:[^']*import\('([^']+)'\)((?:,\s*'\w+')*)/.exec(lines) ?? [];
      const page = join(dirname(list), module);
      return { page, lines, come: [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name as LazyTexts) };
    }),
);

beforeAll(async () => {
  for (const name of lazyTexts) {
    await loadLazyTexts(name);
    keys.set(name, Object.keys(i18next.getResourceBundle(i18next.language, name)));
  }
});

describe('lazy texts', () => {
  it('are checked on every page', () => {
    expect(entries.length).toBeGreaterThan(30);
    expect(entries.filter(({ page }) => !/\.tsx$/.test(page))).toEqual([]);
  });

  it.each(entries)('include all namespaces that $page uses', ({ page, lines, come }) => {
    const used = new Set([...namespacesUsedBy(join(src, page)), ...textsIn(lines)]);
    expect([...used].filter((name) => !come.includes(name as LazyTexts))).toEqual([]);
  });

  it.each(['app/shell.tsx', 'app/not-found-page.tsx', 'main.tsx'])('are not needed by %s', (file) => {
    expect(namespacesUsedBy(join(src, file))).toEqual([]);
  });

  it('are not needed for the title of a page in the command palette', () => {
    const listed = entries.filter(({ lines }) => lines.includes('palette:'));
    expect(listed.flatMap(({ lines }) => textsIn(lines))).toEqual([]);
  });
});
