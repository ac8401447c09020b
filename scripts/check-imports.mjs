// node scripts/check-imports.mjs: checks that imports follow the directions in docs/ARCHITECTURE.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { violations } from './lib/imports.mjs';
import { inRoot } from './lib/root.mjs';

const skipped = new Set(['node_modules', 'dist', 'data']);

const sourcesUnder = (folder) =>
  readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : sourcesUnder(path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [{ path, text: readFileSync(inRoot(path), 'utf8') }] : [];
  });

const manifestAt = (...parts) => {
  const file = inRoot(...parts, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};

const packages = readdirSync(inRoot('packages'));
const manifests = Object.fromEntries(packages.map((name) => [name, manifestAt('packages', name)]));
const files = sourcesUnder('packages');
const found = violations(files, { ...manifests, root: manifestAt() });

for (const line of found) console.error(line);
console.log(`${files.length} files, ${found.length} imports in the wrong direction`);
process.exit(found.length ? 1 : 0);
