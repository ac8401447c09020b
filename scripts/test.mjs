// npm test: everything, from nothing. Options: --only check,sqlite,postgres,console,browser   --long
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChecks } from './lib/checks.mjs';
import { ensureConsole } from './lib/console-build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { inRoot } from './lib/root.mjs';
import { atInterrupt, fail, run } from './lib/run.mjs';
import { ensureSystemPackages, findChromium } from './lib/system.mjs';
import { countPlaywright, countVitest, printSummary } from './lib/test-report.mjs';

const names = ['check', 'sqlite', 'postgres', 'console', 'browser'];
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

const folder = mkdtempSync(join(tmpdir(), 'dc-test-'));
const removeFolder = () => rmSync(folder, { recursive: true, force: true });
atInterrupt(removeFolder);

// The tests' own settings only: a developer's DATABASE_URL must never meet a test.
const testEnv = (more) => {
  const env = nodeEnv(long ? { TEST_LONG: '1' } : {});
  for (const name of Object.keys(env)) {
    if (/^(PG[A-Z]+|DATABASE_URL|TEST_DATABASE_URL|DATA_DIR|PORT|HOST|MQTT_PORT|SECRET_KEY|SMTP_URL)$/.test(name))
      delete env[name];
  }
  return { ...env, ...more };
};

const vitest = async (label, projects, more = {}, options = []) => {
  const file = join(folder, `${label}.json`);
  const args = [
    inRoot('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...options,
  ];
  const { code } = await run(findNode(), args, { env: testEnv(more) });
  return countVitest(file, code);
};

let postgres;
const postgresUrl = async () => {
  postgres ??= await startPostgres();
  return postgres.url;
};

const playwright = async () => {
  const file = join(folder, 'browser.json');
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  await ensureConsole();
  const { code } = await run(
    findNode(),
    [cli, 'test', '-c', inRoot('e2e', 'playwright.config.ts'), '--reporter=list,json'],
    {
      env: testEnv({
        TEST_DATABASE_URL: await postgresUrl(),
        CHROMIUM_PATH: findChromium(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      }),
    },
  );
  return countPlaywright(file, code);
};

const work = {
  check: runChecks,
  sqlite: () => vitest('sqlite', ['contract', 'scripts', 'server']),
  // The gateway by itself knows no database.
  postgres: async () =>
    vitest('postgres', ['server'], { TEST_DATABASE_URL: await postgresUrl() }, ['--exclude', '**/mqtt-*.test.ts']),
  console: () => vitest('console', ['console']),
  browser: playwright,
};

const runStage = async (name) => {
  console.log(`\n── ${name} ──`);
  const start = performance.now();
  const counts = await work[name]().catch((error) => {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  });
  const note = counts.passed + counts.failed === 0 ? 'ran no tests' : '';
  return { name, seconds: (performance.now() - start) / 1_000, ...counts, note };
};

const results = [];
for (const name of names.filter((one) => stages.includes(one))) results.push(await runStage(name));
await postgres?.stop();
removeFolder();

printSummary(results);
process.exit(results.some(({ failed, note }) => failed || note) ? 1 : 0);
