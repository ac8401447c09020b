import { openPostgresTarget } from '../backup/postgres-rows.ts';
import { BackupError, copyRows } from '../backup/rows.ts';
import { openSqliteSource } from '../backup/sqlite-rows.ts';
import { readSettings } from '../platform/settings.ts';
import { runKeeping, say, sayCopied } from './run-backup.ts';

/** `npm run move-to-postgres`: all rows of DATA_DIR into the empty database of DATABASE_URL; the files stay. */
await runKeeping(async () => {
  const { DATABASE_URL, DATA_DIR } = readSettings(process.env);
  if (!DATABASE_URL) throw new BackupError('say where: set DATABASE_URL to an empty PostgreSQL database');
  const source = openSqliteSource(DATA_DIR, { alone: true });
  try {
    const target = await openPostgresTarget(DATABASE_URL, { replace: false });
    try {
      const copied = await copyRows(source, target);
      await target.finish();
      sayCopied(copied);
    } catch (error) {
      await target.abandon();
      throw error;
    }
  } finally {
    await source.close();
  }
  say('moved; start the hub with this DATABASE_URL and the same DATA_DIR, where its key and firmware stay');
});
