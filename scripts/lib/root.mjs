import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder, wherever the command was called from. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export const inRoot = (...parts) => join(root, ...parts);

/** The container image holds what was installed and built, and nothing to do that again with. */
export const isImage = !existsSync(inRoot('package-lock.json'));
