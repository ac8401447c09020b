import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretBox, KEY_FILE } from '../platform/secret-box.ts';
import { BackupError } from './rows.ts';

type KeySettings = { SECRET_KEY: string | undefined; DATA_DIR: string };

export const keyFileOf = ({ DATA_DIR }: KeySettings): string => join(DATA_DIR, KEY_FILE);

/** Nothing where there is no key: none is made here. */
export const keyCheckOf = (settings: KeySettings): string | undefined => {
  if (settings.SECRET_KEY === undefined && !existsSync(keyFileOf(settings))) return undefined;
  return createHash('sha256').update(createSecretBox(settings).keyFor('backup')).digest('hex');
};

/** Secrets are of no use without the key they were sealed with, so its absence is told before anything is done. */
export const refuseOtherKey = (settings: KeySettings, wanted: string, inBackup: boolean, replace: boolean): void => {
  const present = keyCheckOf(settings);
  if (present === wanted) return;
  if (settings.SECRET_KEY !== undefined)
    throw new BackupError('SECRET_KEY is not the one that the hub of this backup had; set that one');
  if (!inBackup)
    throw new BackupError('the key is not in this backup, since it was given as SECRET_KEY; set the same one');
  if (present !== undefined && !replace)
    throw new BackupError(`${keyFileOf(settings)} is another key than the backup's; --replace replaces it`);
};

/** Puts the backup's key into its place; a key that was there is kept beside it. Answers how to undo that. */
export const placeKey = (settings: KeySettings, from: string): (() => void) => {
  const file = keyFileOf(settings);
  const old = `${file}.replaced`;
  const content = readFileSync(from, 'utf8');
  const hadOne = existsSync(file);
  if (hadOne && readFileSync(file, 'utf8') === content) return () => undefined;
  if (hadOne) renameSync(file, old);
  writeFileSync(file, content, { mode: 0o600, flush: true });
  return () => {
    rmSync(file);
    if (hadOne) renameSync(old, file);
  };
};
