// node scripts/spec-coverage.mjs           is every row of the specification shown by a test, and docs/spec-coverage.md as it should be?
// node scripts/spec-coverage.mjs --write   writes that page
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNode } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';
import { pageOf, problemsOf } from './lib/spec-coverage.mjs';
import { loadProduct } from './lib/spec-product.mjs';
import { sections } from './spec/index.mjs';

const PAGE = 'docs/spec-coverage.md';

const main = async () => {
  const product = await loadProduct();
  const problems = problemsOf(sections, product);
  for (const problem of problems) console.error(problem);
  const page = pageOf(sections, product);
  if (process.argv.includes('--write')) writeFileSync(inRoot(PAGE), page);
  else if (product.read(PAGE) !== page) problems.push(PAGE);
  const stale = problems.includes(PAGE);
  if (stale) console.error(`${PAGE} is not what the script makes: node scripts/spec-coverage.mjs --write`);
  const rows = sections.reduce((sum, section) => sum + section.rows.length, 0);
  console.log(`${rows} rows of the specification, ${problems.length} problems`);
  return problems.length ? 1 : 0;
};

// The contract is TypeScript, which older Nodes do not read.
if (process.features.typescript) process.exitCode = await main();
else
  process.exitCode =
    spawnSync(findNode(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
