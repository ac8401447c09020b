import { withPresentNames } from './platform/former-settings.ts';
import { processesOf, startSupervisor } from './supervisor.ts';

/** The hub's main program: supervisor, signals, exit codes and the ready line. */

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`Device Center needs Node 24 or newer; this is ${process.version}. Start it with: npm start\n`);
  process.exit(1);
}

if (process.argv.includes('--help')) {
  const { settingsHelp } = await import('./platform/settings.ts');
  process.stdout.write(
    `Device Center\n\n  --demo  adds two demonstration companies, once: 200 devices, a month of history, a simulated fleet\n  --help  prints this help\n\nSettings, from the environment [defaults]:\n${settingsHelp()}\n`,
  );
  process.exit(0);
}

const env = withPresentNames(process.env);
const supervisor = startSupervisor({
  processes: processesOf(env),
  execPath: process.execPath,
  env,
  args: process.argv.slice(2),
});
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, supervisor.stop);
process.on('SIGHUP', supervisor.reload);
process.exit(await supervisor.ended);
