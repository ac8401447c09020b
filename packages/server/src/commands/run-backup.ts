import { resolve } from 'node:path';
import { BackupError, type Copied } from '../backup/rows.ts';
import { MigrationError } from '../db/migrate.ts';
import { createPrivately } from '../platform/private-files.ts';
import { SettingsError } from '../platform/settings.ts';

export const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** As whoever gave the command meant it: npm runs commands in the repository's own folder. */
export const pathOf = (text: string): string => resolve(process.env.INIT_CWD ?? '.', text);

const width = (copied: Copied[]): number => Math.max(...copied.map(({ table }) => table.length));

export const sayCopied = (copied: Copied[]): void => {
  const longest = width(copied);
  for (const { place, table, rows } of copied)
    if (rows > 0) say(`  ${place.padEnd(8)} ${table.padEnd(longest)} ${String(rows).padStart(12)}`);
};

/** A refusal is a sentence and exit code 1; anything else is a fault of ours, with all there is to know of it. */
export const runKeeping = async (work: () => Promise<void>): Promise<void> => {
  createPrivately();
  try {
    await work();
  } catch (error) {
    const refusal = [BackupError, MigrationError, SettingsError].some((kind) => error instanceof kind);
    process.stderr.write(`${refusal ? (error as Error).message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
};
