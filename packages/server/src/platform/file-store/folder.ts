import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, SettingsError } from '../settings.ts';

export type StoreSettings = Pick<Settings, 'FILE_STORE' | 'DATA_DIR'>;

/** Where files lie on this machine; nothing where they lie elsewhere. */
export const folderOf = ({ FILE_STORE: place, DATA_DIR }: StoreSettings): string | undefined => {
  if (!place) return join(DATA_DIR, 'firmware');
  return place.kind === 'folder' ? place.path : undefined;
};

/** At the start, so that a folder that cannot be written to is told then and not at the first upload. */
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
