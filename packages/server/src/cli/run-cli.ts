import { resolve } from 'node:path';
import { BackupError, type Copied } from '../backup/rows.ts';
import { MigrationError } from '../db/migrate.ts';
import { createPrivately } from '../platform/private-files.ts';
import { SettingsError } from '../platform/settings.ts';

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Relative to the folder where the operator ran npm, which itself runs scripts in the repository's folder. */
export const pathOf = (text: string): string => resolve(process.env.INIT_CWD ?? '.', text);

const longestName = (copied: Copied[]): number => Math.max(...copied.map(({ table }) => table.length));

export const printCopied = (copied: Copied[]): void => {
  const width = longestName(copied);
  for (const { databaseName, table, rows } of copied)
    if (rows > 0) print(`  ${databaseName.padEnd(8)} ${table.padEnd(width)} ${String(rows).padStart(12)}`);
};

/** Runs a command. An expected failure prints its message, any other error its stack; both exit with code 1. */
export const runCli = async (work: () => Promise<void>): Promise<void> => {
  createPrivately();
  try {
    await work();
  } catch (error) {
    const isExpected = [BackupError, MigrationError, SettingsError].some((type) => error instanceof type);
    process.stderr.write(`${isExpected ? (error as Error).message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
};
