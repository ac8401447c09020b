// npm run bench: runs all benchmarks and prints one table, with the reference of each from the same run.
// Options: --only NAME,…   --write (writes the table to docs/performance.md)
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchTable, intoPage } from './lib/bench-table.mjs';
import { ensureConsole } from './lib/builds.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { inRoot } from './lib/root.mjs';
import { fail, run } from './lib/run.mjs';
import { ensureSystemPackages } from './lib/system.mjs';

const SQLITE = 'SQLite';
const POSTGRES = 'PostgreSQL';

/** In the order of the table; browser benchmarks last. */
const all = [
  { name: 'start', file: 'start.ts', engines: [SQLITE] },
  { name: 'ingest', file: 'ingest/run.ts', engines: [SQLITE, POSTGRES] },
  { name: 'scale', file: 'scale.ts', engines: [POSTGRES] },
  { name: 'list', file: 'list.ts', engines: [SQLITE, POSTGRES] },
  { name: 'products', file: 'products.ts', engines: [SQLITE, POSTGRES] },
  { name: 'ota', file: 'ota.ts', engines: [SQLITE, POSTGRES] },
  { name: 'home', file: 'home.ts', engines: [SQLITE] },
  { name: 'first-page', file: 'first-page.ts', engines: [SQLITE] },
  { name: 'typing', file: 'typing.ts', engines: [SQLITE] },
  { name: 'live-log', file: 'live-log.ts', engines: [SQLITE] },
  { name: 'mock-panel', file: 'mock-panel.ts', engines: [SQLITE] },
  { name: 'journeys', file: 'journeys.ts', engines: [SQLITE] },
];
const names = all.map(({ name }) => name);

const usage = `Usage: npm run bench -- [--only ${names.join(',')}] [--write]`;

const readOptions = () => {
  try {
    const options = { only: { type: 'string' }, write: { type: 'boolean' }, help: { type: 'boolean' } };
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
};
const { only = names.join(','), write, help } = readOptions();
const chosen = only.split(',');
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) fail(`There is no measurement ${unknown.join(', ')}; there are ${names.join(', ')}.`);
if (write && chosen.length < names.length) fail('The page is written from all measurements, not from some.');
if (help) {
  console.log(usage);
  process.exit(0);
}

await ensureInstalled();
await ensureSystemPackages(['postgres', 'browser']);
await ensureConsole();

const folder = mkdtempSync(join(tmpdir(), 'dc-bench-'));

const measure = async ({ name, file }, engine) => {
  console.log(`\n${name}, ${engine}`);
  const rows = join(folder, `${name}-${engine}`);
  writeFileSync(rows, '');
  // A separate server for each: leftovers of one benchmark must not slow down the next.
  const postgres = engine === POSTGRES ? await startPostgres() : undefined;
  const env = nodeEnv({ BENCH_ROWS: rows, ...(postgres ? { BENCH_DATABASE_URL: postgres.url } : {}) });
  const { code } = await run(findNode(), [inRoot('bench', file)], { env });
  await postgres?.stop();
  const lines = readFileSync(rows, 'utf8').split('\n').filter(Boolean);
  return { code, rows: lines.map((line) => ({ bench: name, engine, ...JSON.parse(line) })) };
};

const results = [];
const failed = [];
for (const bench of all.filter(({ name }) => chosen.includes(name)))
  for (const engine of bench.engines) {
    const { code, rows } = await measure(bench, engine);
    results.push(...rows);
    if (code !== 0) failed.push(`${bench.name}, ${engine}`);
  }
rmSync(folder, { recursive: true, force: true });

// The product's Node, which may differ from this script's.
const { output: version } = await run(findNode(), ['--version'], { capture: true });
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${version.trim()}`;
const table = benchTable(results, machine);
console.log(`\n${table}`);
if (failed.length > 0) fail(`These did not come to an end: ${failed.join('; ')}`);
if (write) {
  const page = inRoot('docs', 'performance.md');
  writeFileSync(page, intoPage(readFileSync(page, 'utf8'), table));
}
