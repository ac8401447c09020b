import { openPostgresTarget } from '../backup/postgres-rows.ts';
import { BackupError, copyRows } from '../backup/rows.ts';
import { openSqliteSource } from '../backup/sqlite-rows.ts';
import { readSettings } from '../platform/settings.ts';
import { print, printCopied, runCli } from './run-cli.ts';

/** `npm run move-to-postgres`: copies all rows of DATA_DIR into the empty database of DATABASE_URL. Files stay. */
await runCli(async () => {
  const { DATABASE_URL, DATA_DIR } = readSettings(process.env);
  if (!DATABASE_URL) throw new BackupError('DATABASE_URL is missing; set it to an empty PostgreSQL database');
  const source = openSqliteSource(DATA_DIR, { exclusive: true });
  try {
    const target = await openPostgresTarget(DATABASE_URL, { replace: false });
    try {
      const copied = await copyRows(source, target);
      await target.finish();
      printCopied(copied);
    } catch (error) {
      await target.abandon();
      throw error;
    }
  } finally {
    await source.close();
  }
  print('moved; start the hub with this DATABASE_URL and the same DATA_DIR, which holds its key and firmware');
});
