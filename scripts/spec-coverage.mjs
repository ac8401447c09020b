// node scripts/spec-coverage.mjs           checks that each row of the specification has a test and that docs/spec-coverage.md is up to date
// node scripts/spec-coverage.mjs --write   writes that page
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findNode } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';
import { pageOf, parseRows, parseTags, problemsOf } from './lib/spec-coverage.mjs';

const PAGE = 'docs/spec-coverage.md';
const FOLDERS = ['packages', 'e2e'];
const TEST = /^(packages\/[^/]+\/(src|test)\/.*\.test\.tsx?|e2e\/.*\.spec\.ts)$/;
const read = (path) => readFileSync(inRoot(path), 'utf8');
const load = (path) => import(pathToFileURL(inRoot(path)).href);

const main = async () => {
  const sections = parseRows(read('docs/spec-rows.md'));
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  ).filter((path) => TEST.test(path));
  const tags = files.sort().flatMap((path) => parseTags(path, read(path)));
  const { allCalls } = await load('packages/contract/src/index.ts');
  const { pages } = await load('packages/console/src/app/pages.ts');
  const calls = allCalls.map(({ slice, name, call }) => ({
    name: `${slice}.${name}`,
    address: `${call.method} ${call.path}`,
  }));
  const page = pageOf(sections, tags, { calls, pages: pages.map(({ path }) => path) });
  const problems = problemsOf(sections, tags);
  if (process.argv.includes('--write')) writeFileSync(inRoot(PAGE), page);
  else if (read(PAGE) !== page) problems.push(`${PAGE} is out of date: node scripts/spec-coverage.mjs --write`);
  for (const problem of problems) console.error(problem);
  console.log(`${sections.flatMap(({ rows }) => rows).length} rows of the specification, ${problems.length} problems`);
  return problems.length ? 1 : 0;
};

// The contract is TypeScript, which Node before 22.18 does not load.
if (process.features.typescript) process.exitCode = await main();
else
  process.exitCode =
    spawnSync(findNode(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
