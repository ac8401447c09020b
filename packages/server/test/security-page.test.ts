import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const NAMED = /`([\w./-]+\.(?:test|spec)\.(?:tsx?|mjs))`/g;

const fileOf = (name: string): URL =>
  new URL(/^(e2e|packages|scripts)\//.test(name) ? name : `packages/server/test/${name}`, root);

describe.each(['docs/security.md', 'docs/asvs.md'])('%s', (page) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  const rows = text.split('\n').filter((line) => /^\|.*\.(test|spec)\.tsx?`/.test(line));
  const names = [...text.matchAll(NAMED)].map(([, name = '']) => name);

  it('names existing tests', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(names.filter((name) => !existsSync(fileOf(name)))).toEqual([]);
  });

  it('links to existing pages', () => {
    const links = [...text.matchAll(/\]\(([\w./-]+\.md)(?:#[\w-]+)?\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(new URL(`docs/${link}`, root)))).toEqual([]);
  });
});

it('has a test for each known attack on similar platforms', () => {
  const text = readFileSync(new URL('docs/security.md', root), 'utf8');
  const table = text.slice(text.lastIndexOf('| --- |')).split('\n').slice(1);
  expect(table.filter((line) => line.startsWith('|') && !/\.(test|spec)\./.test(line))).toEqual([]);
});
