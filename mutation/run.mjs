// node mutation/run.mjs [AREA[/FILE]…]  mutation testing: mutates the code of an area, one mutant at a time, and counts
// the mutants that its tests kill
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from '../scripts/lib/install.mjs';
import { inRoot } from '../scripts/lib/root.mjs';
import { fail, run } from '../scripts/lib/run.mjs';
import { areas } from './areas.mjs';
import { plantMutants, readCoverage, tryMutants } from './trial.mjs';

/** Minimum percentage of killed mutants. */
const REQUIRED_PERCENT = 80;

const usage = `Usage: npm run test:mutation -- [AREA[/FILE]…]   areas: ${Object.keys(areas).join(', ')}`;
const names = process.argv.slice(2);
if (names.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
/** Parses AREA or AREA/FILE. */
const readArea = (name) => {
  const [areaName, part = ''] = name.split('/');
  const area = Object.hasOwn(areas, areaName) ? areas[areaName] : undefined;
  const mutate = area?.mutate.filter((file) => part === '' || file.endsWith(`/${part}.ts`)) ?? [];
  if (mutate.length === 0) fail(`Unknown area ${name}.\n${usage}`);
  return { name: name.replace('/', '-'), mutate, tests: area.tests };
};
const chosen = (names.length > 0 ? names : Object.keys(areas)).map(readArea);

await ensureInstalled();
if (!existsSync(inRoot('mutation', 'node_modules')))
  await run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { cwd: inRoot('mutation') });

// Mutates a copy: workspace packages resolve each other by links within their own folder.
const copy = mkdtempSync(join(tmpdir(), 'device-center-mutation-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
/** Uses hard links if the file system supports them: packages are not modified. */
const copyPackages = async () => {
  const to = join(copy, 'node_modules');
  const { code } = await run('cp', ['-al', inRoot('node_modules'), to], { capture: true });
  if (code !== 0) cpSync(inRoot('node_modules'), to, { recursive: true, verbatimSymlinks: true });
};
await run('git', ['clone', '--quiet', inRoot(), copy]);
await copyPackages();
mkdirSync(inRoot('mutation', 'reports'), { recursive: true });

const results = [];
for (const { name, mutate, tests } of chosen) {
  const since = performance.now();
  process.stdout.write(`\n── ${name} ──\n`);
  await run('git', ['checkout', '--quiet', '.'], { cwd: copy });
  const mutants = await plantMutants(copy, mutate);
  const coverage = await readCoverage(copy, tests).catch(({ message }) => fail(message));
  for (const { test, ms, reached } of coverage)
    process.stdout.write(`${test}: ${(ms / 1_000).toFixed(1)} s, reaches ${reached.size} of ${mutants.length}\n`);
  const tried = await tryMutants(copy, mutants, coverage, (count, { status, fileName, location, ...texts }) => {
    if (count % 50 === 0) process.stdout.write(`${count} of ${mutants.length}\n`);
    if (status === 'Survived' || status === 'NoCoverage')
      process.stdout.write(
        `${status} ${fileName}:${location.start.line + 1}\n  - ${texts.original}\n  + ${texts.replacement}\n`,
      );
  });
  writeFileSync(inRoot('mutation', 'reports', `${name}.json`), JSON.stringify(tried, null, 2));
  const killed = tried.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const minutes = Math.ceil((performance.now() - since) / 60_000);
  results.push({ name, killed, counted: tried.length, percent: Math.floor((100 * noticed) / tried.length), minutes });
}

process.stdout.write('\n| area | killed | of | percent | minutes |\n| --- | ---: | ---: | ---: | ---: |\n');
for (const { name, killed, counted, percent, minutes } of results)
  process.stdout.write(`| ${name} | ${killed} | ${counted} | ${percent} | ${minutes} |\n`);
process.exitCode = results.every(({ percent }) => percent >= REQUIRED_PERCENT) ? 0 : 1;
