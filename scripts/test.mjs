// npm test: runs all tests, without any preparation. Options: --only check,server,console,browser   --long
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureConsole, ensureServer } from './lib/builds.mjs';
import { runChecks } from './lib/checks.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode } from './lib/node.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { inRoot } from './lib/root.mjs';
import { atInterrupt, fail, run } from './lib/run.mjs';
import { scratchFolder } from './lib/scratch.mjs';
import { ensureSystemPackages, findChromium } from './lib/system.mjs';
import { testEnv } from './lib/test-env.mjs';
import { countPlaywright, countVitest, printSummary, processorSeconds, sumCounts } from './lib/test-report.mjs';

const names = ['check', 'server', 'console', 'browser'];
const usage = `Usage: npm test -- [--only ${names.join(',')}] [--long]`;

const readOptions = () => {
  try {
    const options = { only: { type: 'string' }, long: { type: 'boolean' }, help: { type: 'boolean' } };
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
};

const { only = names.join(','), long, help } = readOptions();
const stages = only.split(',');
const unknown = stages.filter((name) => !names.includes(name));
if (unknown.length) fail(`There is no stage ${unknown.join(', ')}.\n${usage}`);
if (help) {
  console.log(usage);
  process.exit(0);
}

await ensureInstalled();
await ensureSystemPackages(stages);

const folder = mkdtempSync(join(scratchFolder(), 'dc-test-'));
const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
// PostgreSQL, Vitest and Playwright put their temporary files there, too. PostgreSQL does not run as root.
process.env.TMPDIR = folder;
chmodSync(folder, 0o711);
atInterrupt(removeFolder);

const longEnv = long ? { TEST_LONG: '1' } : {};

const vitest = async (label, projects, more = {}) => {
  const file = join(folder, `${label}.json`);
  const args = [
    inRoot('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const { code } = await run(findNode(), args, { env: testEnv({ ...longEnv, ...more }) });
  return countVitest(file, code);
};

let postgres;
const postgresUrl = async () => {
  // A killed server still keeps all commits; only a machine crash loses some, and the server is temporary anyway. With
  // fsync, each dropped database would wait seconds for a busy disk.
  postgres ??= await startPostgres(['fsync=off']);
  return postgres.url;
};

const playwright = async () => {
  const file = join(folder, 'browser.json');
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  await Promise.all([ensureConsole(), ensureServer()]);
  const { code } = await run(
    findNode(),
    [cli, 'test', '-c', inRoot('e2e', 'playwright.config.ts'), '--reporter=list,json'],
    {
      env: testEnv({
        ...longEnv,
        // The screens do not depend on the engine: the short form uses SQLite, the long one PostgreSQL.
        ...(long ? { TEST_DATABASE_URL: await postgresUrl(), TEST_ENGINE: 'postgres' } : {}),
        TEST_BUNDLE: '1',
        CHROMIUM_PATH: findChromium(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      }),
    },
  );
  return countPlaywright(file, code);
};

const work = {
  check: runChecks,
  // On SQLite and, where a test depends on SQL, on PostgreSQL too: describeOnEachEngine in packages/server/test.
  server: async () => {
    // Some tests run `npm start`.
    await Promise.all([ensureConsole(), ensureServer()]);
    const env = { TEST_DATABASE_URL: await postgresUrl(), TEST_BUNDLE: '1' };
    const counts = [await vitest('server', ['contract', 'scripts', 'server'], env)];
    if (long) counts.push(await vitest('postgres', ['server'], { ...env, TEST_ENGINE: 'postgres' }));
    return sumCounts(counts);
  },
  console: async () => {
    await ensureServer();
    return vitest('console', ['console'], { TEST_BUNDLE: '1' });
  },
  browser: playwright,
};

const runStage = async (name) => {
  console.log(`\n── ${name} ──`);
  const start = performance.now();
  const before = processorSeconds();
  const counts = await work[name]().catch((error) => {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  });
  const note = counts.passed + counts.failed === 0 ? 'ran no tests' : '';
  const after = processorSeconds();
  const times = {
    seconds: (performance.now() - start) / 1_000,
    cpu: after.cpu - before.cpu,
    stolen: after.stolen - before.stolen,
  };
  return { name, ...times, ...counts, note };
};

const results = [];
for (const name of names.filter((one) => stages.includes(one))) results.push(await runStage(name));
await postgres?.stop();
removeFolder();

printSummary(results);
process.exit(results.some(({ failed, note }) => failed || note) ? 1 : 0);
