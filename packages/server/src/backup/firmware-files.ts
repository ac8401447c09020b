import { readdir } from 'node:fs/promises';
import type { FilePart, Manifest } from './manifest.ts';

export const FIRMWARE = 'firmware/';
/** File names that the hub gives; other files in the folder are ignored. */
const HUB_FILE_NAME = /^[\w-][\w.-]*$/;

export const ignoreMissing = async <Found>(work: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

export const filesIn = async (folder: string): Promise<string[]> => {
  const entries = (await ignoreMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isFile() && HUB_FILE_NAME.test(entry.name)).map((entry) => entry.name);
};

export const firmwareIn = ({ files }: Manifest): FilePart[] => files.filter(({ file }) => file.startsWith(FIRMWARE));
