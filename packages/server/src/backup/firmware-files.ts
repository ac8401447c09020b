import { readdir } from 'node:fs/promises';
import type { FilePart, Manifest } from './manifest.ts';

export const FIRMWARE = 'firmware/';
/** The hub's own names; nothing else that lies in the folder is its concern. */
const OURS = /^[\w-][\w.-]*$/;

export const unlessGone = async <Found>(work: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

export const filesIn = async (folder: string): Promise<string[]> => {
  const entries = (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isFile() && OURS.test(entry.name)).map((entry) => entry.name);
};

export const firmwareIn = ({ files }: Manifest): FilePart[] => files.filter(({ file }) => file.startsWith(FIRMWARE));
