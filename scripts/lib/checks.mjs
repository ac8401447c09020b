import { readFileSync } from 'node:fs';
import { checkLicences } from './licences.mjs';
import { findNode, nodeEnv } from './node.mjs';
import { inRoot } from './root.mjs';
import { run } from './run.mjs';
import { checkTypes, programs } from './types.mjs';
import { checkKnownFaults } from './vulnerabilities.mjs';

const node = (...args) => run(findNode(), args, { capture: true, env: nodeEnv({ FORCE_COLOR: '0' }) });
const bin = (...path) => inRoot('node_modules', ...path);

/** A registry address in the lock file would work only on the machine where it was written. */
const lockFile = async () => {
  const packages = ['package-lock.json', 'mutation/package-lock.json'].flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(inRoot(file), 'utf8')).packages),
  );
  const tied = packages.filter(([, { resolved }]) => /^(git\+)?https?:/.test(resolved ?? ''));
  const output = tied.map(([path, { resolved }]) => `${path}: ${resolved}\n`).join('');
  return { code: tied.length ? 1 : 0, output: output && `${output}A lock file must name no address.\n` };
};

const steps = () => [
  ...programs().map((program) => ({ name: `tsc ${program.folders.join(' ')}`, work: () => checkTypes(program) })),
  {
    name: 'biome',
    work: () => node(bin('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '--error-on-warnings', '.'),
  },
  { name: 'row types', work: () => node(inRoot('packages', 'server', 'row-types.ts')) },
  { name: 'imports', work: () => node(inRoot('scripts', 'check-imports.mjs')) },
  { name: 'names', work: () => node(inRoot('scripts', 'check-names.mjs')) },
  { name: 'specification', work: () => node(inRoot('scripts', 'spec-coverage.mjs')) },
  { name: 'lock file', work: lockFile },
  { name: 'licences', work: checkLicences },
  { name: 'known faults', work: () => checkKnownFaults() },
];

/** Runs all static checks concurrently and prints each result. Returns the number of passed and failed checks. */
export const runChecks = async () => {
  const results = await Promise.all(
    steps().map(async ({ name, work }) => {
      const start = performance.now();
      const { code, output, notAsked } = await work();
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      if (code) console.error(`\n${output.trimEnd()}\n✗ ${name} (${seconds} s)\n`);
      else console.log(notAsked ? `- ${name}: skipped, ${notAsked}` : `✓ ${name} (${seconds} s)`);
      return { name, ok: code === 0, notAsked };
    }),
  );
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length)
    console.error(`Failed: ${failed.map(({ name }) => name).join(', ')}. npm run format fixes what Biome can.`);
  const notAsked = results.filter((result) => result.notAsked);
  return { passed: results.length - failed.length - notAsked.length, failed: failed.length };
};
