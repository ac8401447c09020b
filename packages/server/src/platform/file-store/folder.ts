import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, SettingsError } from '../settings.ts';

export type StoreSettings = Pick<Settings, 'FILE_STORE' | 'DATA_DIR'>;

/** The local folder of the file store; undefined for S3. */
export const folderOf = ({ FILE_STORE: location, DATA_DIR }: StoreSettings): string | undefined => {
  if (!location) return join(DATA_DIR, 'firmware');
  return location.kind === 'folder' ? location.path : undefined;
};

/** Runs at startup, so that a folder without write access fails then and not at the first upload. */
export const prepareFileStore = (settings: StoreSettings): void => {
  const folder = folderOf(settings);
  if (folder === undefined) return;
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new SettingsError(`FILE_STORE: ${(error as Error).message}`);
  }
};
