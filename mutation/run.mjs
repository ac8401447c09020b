// node mutation/run.mjs [AREA[/FILE]…]  mutates the code of an area, one change at a time, and counts which its tests notice
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from '../scripts/lib/install.mjs';
import { findNode, nodeEnv } from '../scripts/lib/node.mjs';
import { inRoot } from '../scripts/lib/root.mjs';
import { fail, run } from '../scripts/lib/run.mjs';
import { areas } from './areas.mjs';

/** Of a hundred changes, as many must be noticed. */
const ENOUGH = 80;

const usage = `Usage: npm run test:mutation -- [AREA[/FILE]…]   areas: ${Object.keys(areas).join(', ')}`;
const asked = process.argv.slice(2);
if (asked.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
/** An area, or the one file of it that is named after it. */
const readArea = (name) => {
  const [areaName, part = ''] = name.split('/');
  const area = Object.hasOwn(areas, areaName) ? areas[areaName] : undefined;
  const mutate = area?.mutate.filter((file) => part === '' || file.endsWith(`/${part}.ts`)) ?? [];
  if (mutate.length === 0) fail(`There is no area ${name}.\n${usage}`);
  return { name: name.replace('/', '-'), mutate, tests: area.tests };
};
const chosen = (asked.length > 0 ? asked : Object.keys(areas)).map(readArea);

await ensureInstalled();
const stryker = inRoot('mutation', 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
if (!existsSync(stryker))
  await run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { cwd: inRoot('mutation') });

// Mutated in a copy, and there in place: packages find each other by links into the very folder that they are in.
const copy = mkdtempSync(join(tmpdir(), 'device-center-mutation-'));
const inCopy = (...parts) => join(copy, ...parts);
const told = [];
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
/** Links in place of copies where the file system has them: nobody writes into packages. */
const copyPackages = async () => {
  const { code } = await run('cp', ['-al', inRoot('node_modules'), inCopy('node_modules')], { capture: true });
  if (code !== 0) cpSync(inRoot('node_modules'), inCopy('node_modules'), { recursive: true, verbatimSymlinks: true });
};
await run('git', ['clone', '--quiet', inRoot(), copy]);
await copyPackages();

for (const { name, mutate, tests } of chosen) {
  const report = inRoot('mutation', 'reports', `${name}.json`);
  rmSync(report, { force: true });
  const vitest = `"${findNode()}" node_modules/vitest/vitest.mjs run --bail 1 --reporter dot`;
  const settings = {
    testRunner: 'command',
    commandRunner: { command: `${vitest} ${tests.join(' ')}` },
    mutate,
    inPlace: true,
    // Each run has a hub of its own in two processes.
    concurrency: 1,
    timeoutMS: 60_000,
    checkers: [],
    reporters: ['clear-text', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: report },
    tempDirName: inCopy('.stryker'),
  };
  writeFileSync(inCopy('stryker.config.json'), JSON.stringify(settings));
  process.stdout.write(`\n── ${name} ──\n`);
  const { code } = await run(findNode(), [stryker, 'run', 'stryker.config.json'], { cwd: copy, env: nodeEnv() });
  if (code !== 0 || !existsSync(report)) fail(`${name}: the tests did not run.`);
  const mutants = Object.values(JSON.parse(readFileSync(report, 'utf8')).files).flatMap((file) => file.mutants);
  const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const counted = mutants.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status)).length;
  told.push({ name, noticed, counted, percent: Math.floor((100 * noticed) / counted) });
}

process.stdout.write('\n| area | noticed | of | percent |\n| --- | ---: | ---: | ---: |\n');
for (const { name, noticed, counted, percent } of told)
  process.stdout.write(`| ${name} | ${noticed} | ${counted} | ${percent} |\n`);
process.exitCode = told.every(({ percent }) => percent >= ENOUGH) ? 0 : 1;
