import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRoot } from './lib/root.mjs';

const page = readFileSync(inRoot('docs', 'request-lifecycles.md'), 'utf8');
const steps = page.split('\n').flatMap((line) => {
  const step = /^\d+\. `(?<file>[^`]+)` — (?<names>(?:`\w+`(?:, )?)+): (?<text>.+)$/.exec(line)?.groups;
  return step ? [step] : [];
});
const inPackages = (file) => inRoot('packages', file);

describe('docs/request-lifecycles.md', () => {
  it('every numbered line is a step', () => {
    expect(steps).toHaveLength(page.match(/^\d+\. /gm).length);
    expect(page.match(/^## /gm)).toHaveLength(4);
  });

  it.each(steps.map(({ file, ...rest }) => [file, rest]))('%s', (file, { names, text }) => {
    const source = readFileSync(inPackages(file), 'utf8');
    for (const [, name] of names.matchAll(/`(\w+)`/g))
      expect(new RegExp(`\\b${name}\\b`).test(source), name).toBe(true);
    // A file named in the text is in the same folder, or is given with its full path.
    for (const [, other] of text.matchAll(/`([\w./-]+\.tsx?)`/g)) {
      const beside = join(dirname(inPackages(file)), basename(other));
      expect(existsSync(other.includes('/') ? inPackages(other) : beside), other).toBe(true);
    }
  });
});
