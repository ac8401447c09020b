import { backUp } from '../backup/backup.ts';
import { BackupError } from '../backup/rows.ts';
import { readSettings } from '../platform/settings.ts';
import { pathOf, print, printCopied, runCli } from './run-cli.ts';

/** `npm run backup -- FOLDER`: backs up a running or stopped hub into a new folder. */
await runCli(async () => {
  const [given, ...more] = process.argv.slice(2);
  if (!given || more.length > 0) throw new BackupError('usage: npm run backup -- FOLDER');
  const folder = pathOf(given);
  const { copied, keyIncluded, firmwareFiles } = await backUp(readSettings(process.env), folder);
  printCopied(copied);
  if (keyIncluded) print('  contains the key: protect this backup, with it the secrets of all devices can be read');
  else print('  does not contain SECRET_KEY: keep it elsewhere, a restore needs it');
  if (firmwareFiles === undefined) print('  does not contain firmware: it stays in FILE_STORE');
  else print(`  firmware files: ${firmwareFiles}`);
  print(`backed up to ${folder}`);
});
