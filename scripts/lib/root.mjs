import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export const inRoot = (...parts) => join(root, ...parts);

/** The container image contains only installed packages and builds, not the sources to repeat them. */
export const isImage = !existsSync(inRoot('package-lock.json'));
