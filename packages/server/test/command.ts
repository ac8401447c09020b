import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type Ran = { code: number; out: string; err: string };

/** Runs one of the hub's programs to its end, with these settings and none of the developer's. */
export const runCommand = (file: string, env: Record<string, string>, ...args: string[]): Promise<Ran> => {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], { env: { PATH, HOME, ...env } }, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err });
    });
  });
};
