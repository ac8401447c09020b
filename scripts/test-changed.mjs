// npm run test:changed [-- REF]: runs the tests that are related to changes since REF (HEAD), including untracked files.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { testsOf } from './lib/changed-tests.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { fail, run } from './lib/run.mjs';
import { testEnv } from './lib/test-env.mjs';

const usage = 'Usage: npm run test:changed [-- REF]';
const [ref = 'HEAD', ...more] = process.argv.slice(2);
if (ref === '--help') {
  console.log(usage);
  process.exit(0);
}
if (ref.startsWith('-') || more.length) fail(usage);

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) fail(`git ${args.join(' ')}: ${stderr}`);
  return stdout.split('\0').filter(Boolean);
};

await ensureInstalled();

const changed = [
  ...git('diff', '--name-only', '-z', ref, '--'),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
];
const files = readdirSync(inRoot('packages', 'server', 'test'), { recursive: true })
  .map((name) => `packages/server/test/${name.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(inRoot(path), 'utf8') }));

const selected = changed.map((path) => ({ path, tests: testsOf(path, files) }));
const unknown = selected.filter(({ path, tests }) => path.startsWith('packages/server/src/') && !tests.length);
const serverTests = [...new Set(selected.flatMap(({ tests }) => tests))].sort();

const vitest = async (...args) => {
  const cli = inRoot('node_modules', 'vitest', 'vitest.mjs');
  const { code } = await run(findNode(), [cli, 'run', '--passWithNoTests', ...args], { env: testEnv() });
  return code;
};

const projects = ['contract', 'scripts', 'console'].flatMap((name) => ['--project', name]);
const codes = [await vitest(...projects, '--changed', ref)];
console.log(`${serverTests.length} test files of the hub are related to the change`);
if (serverTests.length) codes.push(await vitest('--project', 'server', ...serverTests));
for (const { path } of unknown) console.log(`No test is named after ${path}: npm test -- --only server runs all.`);
process.exit(codes.find(Boolean) ?? 0);
