import { backUp } from '../backup/backup.ts';
import { BackupError } from '../backup/rows.ts';
import { readSettings } from '../platform/settings.ts';
import { pathOf, runKeeping, say, sayCopied } from './run-backup.ts';

/** `npm run backup -- FOLDER`: all of a hub, running or not, in a new folder. */
await runKeeping(async () => {
  const [given, ...more] = process.argv.slice(2);
  if (!given || more.length > 0) throw new BackupError('say where: npm run backup -- FOLDER');
  const folder = pathOf(given);
  const { copied, keyIncluded, firmwareFiles } = await backUp(readSettings(process.env), folder);
  sayCopied(copied);
  if (keyIncluded) say('  the key is in it: whoever has this backup can read the secrets of all devices');
  else say('  SECRET_KEY is not in it: keep it elsewhere, nothing can be restored without it');
  if (firmwareFiles === undefined) say('  firmware is not in it: it stays where FILE_STORE says');
  else say(`  firmware files: ${firmwareFiles}`);
  say(`backed up to ${folder}`);
});
