// node scripts/check-names.mjs: finds names that docs/glossary.md has replaced.
import { readdirSync, readFileSync } from 'node:fs';
import { findRetiredNames } from './lib/retired-names.mjs';
import { inRoot } from './lib/root.mjs';

const FOLDERS = ['packages', 'e2e', 'bench', 'scripts', 'mutation', 'docs'];
const skipped = new Set(['node_modules', 'dist', 'data', 'reports', 'retired-names.mjs', 'check-names.test.mjs']);

const pathsUnder = (folder) =>
  readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name) || entry.name.startsWith('.')) return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return pathsUnder(path);
    return /\.([cm]?[jt]sx?|md|yaml)$/.test(entry.name) ? [path] : [];
  });

const paths = [...FOLDERS.flatMap(pathsUnder), 'README.md', 'CONTRIBUTING.md'];
const found = findRetiredNames(paths.map((path) => ({ path, text: readFileSync(inRoot(path), 'utf8') })));

for (const line of found) console.error(line);
console.log(`${paths.length} files, ${found.length} retired names`);
process.exit(found.length ? 1 : 0);
