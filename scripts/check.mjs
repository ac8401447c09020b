// npm run check: formatting, lint, types, import directions, the tests of the specification's rows, lock file,
// licences, known vulnerabilities of libraries.
import { runChecks } from './lib/checks.mjs';
import { ensureInstalled } from './lib/install.mjs';

if (process.argv.includes('--help')) {
  console.log('Usage: npm run check');
  process.exit(0);
}
await ensureInstalled();
const { failed } = await runChecks();
process.exit(failed ? 1 : 0);
