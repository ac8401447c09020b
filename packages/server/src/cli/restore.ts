import { restore } from '../backup/restore.ts';
import { BackupError } from '../backup/rows.ts';
import { readSettings } from '../platform/settings.ts';
import { pathOf, print, printCopied, runCli } from './run-cli.ts';

/** `npm run restore -- FOLDER [--replace]`: restores a backup into this hub's database, SQLite or PostgreSQL. */
await runCli(async () => {
  const args = process.argv.slice(2);
  const [given, ...more] = args.filter((arg) => arg !== '--replace');
  if (!given || more.length > 0) throw new BackupError('usage: npm run restore -- FOLDER [--replace]');
  const folder = pathOf(given);
  const replace = args.includes('--replace');
  const { copied, manifest } = await restore({ settings: readSettings(process.env), folder, replace });
  printCopied(copied);
  print(
    'API keys, passwords and sessions are restored too: what was revoked or changed since the backup is valid again',
  );
  print(`restored the backup of ${manifest.madeAt} (version ${manifest.version}); start the hub`);
});
