import { restore } from '../backup/restore.ts';
import { BackupError } from '../backup/rows.ts';
import { readSettings } from '../platform/settings.ts';
import { pathOf, runKeeping, say, sayCopied } from './run-backup.ts';

/** `npm run restore -- FOLDER [--replace]`: a backup into this hub's place, on either engine. */
await runKeeping(async () => {
  const words = process.argv.slice(2);
  const [given, ...more] = words.filter((word) => word !== '--replace');
  if (!given || more.length > 0) throw new BackupError('say which: npm run restore -- FOLDER [--replace]');
  const folder = pathOf(given);
  const replace = words.includes('--replace');
  const { copied, manifest } = await restore({ settings: readSettings(process.env), folder, replace });
  sayCopied(copied);
  say('API keys, passwords and sessions are as they were then: what was revoked or changed since is valid again');
  say(`restored what was backed up at ${manifest.madeAt} (version ${manifest.version}); start the hub`);
});
