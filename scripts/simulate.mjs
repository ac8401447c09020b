// npm run simulate -- --product KEY --secret SECRET …: simulates a fleet of devices; see --help.
import { spawn } from 'node:child_process';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';
import { exitCodeOf, fail } from './lib/run.mjs';

await ensureInstalled();
const main = inRoot('packages', 'simulator', 'src', 'main.ts');
const fleet = spawn(findNode(), [main, ...process.argv.slice(2)], { stdio: 'inherit', env: nodeEnv() });
// The fleet disconnects its devices and prints a summary before it exits, so this process waits for it.
process.on('SIGINT', () => fleet.kill('SIGINT'));
process.on('SIGTERM', () => fleet.kill('SIGTERM'));
fleet.on('error', (error) => fail(`cannot start the simulator: ${error.message}`));
fleet.on('exit', (code, signal) => process.exit(exitCodeOf(code, signal)));
