import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretBox, KEY_FILE } from '../platform/secret-box.ts';
import { BackupError } from './rows.ts';

type KeySettings = { SECRET_KEY: string | undefined; DATA_DIR: string };

export const keyFileOf = ({ DATA_DIR }: KeySettings): string => join(DATA_DIR, KEY_FILE);

/** Undefined when there is no key. Does not create one. */
export const keyCheckOf = (settings: KeySettings): string | undefined => {
  if (settings.SECRET_KEY === undefined && !existsSync(keyFileOf(settings))) return undefined;
  return createHash('sha256').update(createSecretBox(settings).keyFor('backup')).digest('hex');
};

/** Sealed secrets are useless without their key, so a wrong or missing key fails before anything is changed. */
export const assertSameKey = (settings: KeySettings, expected: string, inBackup: boolean, replace: boolean): void => {
  const present = keyCheckOf(settings);
  if (present === expected) return;
  if (settings.SECRET_KEY !== undefined)
    throw new BackupError('SECRET_KEY differs from the key of this backup; set the same one');
  if (!inBackup)
    throw new BackupError('the backup does not contain the key, which was set as SECRET_KEY; set the same one');
  if (present !== undefined && !replace)
    throw new BackupError(`${keyFileOf(settings)} differs from the key of the backup; --replace replaces it`);
};

/** Installs the key of the backup. An existing key is renamed to `.replaced`. Returns a function that undoes this. */
export const installKey = (settings: KeySettings, from: string): (() => void) => {
  const file = keyFileOf(settings);
  const old = `${file}.replaced`;
  const content = readFileSync(from, 'utf8');
  const existed = existsSync(file);
  if (existed && readFileSync(file, 'utf8') === content) return () => undefined;
  if (existed) renameSync(file, old);
  writeFileSync(file, content, { mode: 0o600, flush: true });
  return () => {
    rmSync(file);
    if (existed) renameSync(old, file);
  };
};
