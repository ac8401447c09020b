import { execFile } from 'node:child_process';
import { cleanEnv, programPath } from './hub-process.ts';

export type Ran = { code: number; out: string; err: string };

/** Runs a command line program of the hub to its end, with these settings and none of the developer's. */
export const runCli = (file: string, env: Record<string, string>, ...args: string[]): Promise<Ran> => {
  const path = programPath(file);
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], { env: { ...cleanEnv(), ...env } }, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err });
    });
  });
};
