import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'vitest';
import { LONG } from '../connectivity-fixtures.ts';
import { ROOT } from './commands.ts';

type Options = { env?: Record<string, string>; cwd?: string };

export type Running = {
  output: () => string;
  /** Resolves when it has said so; rejects with all that was said when it ends without it. */
  says: (what: RegExp) => Promise<RegExpExecArray>;
  exited: Promise<number | null>;
  /** To all that it started, as a terminal does it. */
  signal: (name: NodeJS.Signals) => Promise<number | null>;
};

const running = new Set<ChildProcess>();

/** Whatever a failed test left behind. */
export const endAll = (): void => {
  for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL');
};

/** Starts a line of a page in a shell, with these settings and none of the developer's. */
export const start = (line: string, { env = {}, cwd = ROOT }: Options = {}): Running => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('/bin/sh', ['-c', line], {
    cwd,
    env: { PATH, HOME, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  let output = '';
  const looks = new Set<() => void>();
  const take = (bytes: Buffer): void => {
    output += bytes.toString();
    for (const look of looks) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  return {
    output: () => output,
    exited,
    says: (what) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = what.exec(output);
          if (found) resolve(found);
        };
        looks.add(look);
        look();
        void exited.then((code) => reject(new Error(`${line} ended with ${code}, having said:\n${output}`)));
      }),
    signal: (name) => {
      if (child.pid && running.has(child)) process.kill(-child.pid, name);
      return exited;
    },
  };
};

/**
 * In the quick form Node itself runs the script of package.json that npm would run: npm takes longer to start than most
 * of them. What people end by Ctrl-C, which npm passes on, is started by `start` as it stands.
 */
const withoutNpm = (line: string): string =>
  LONG ? line : line.replace(/(^| )npm (?:run )?([\w:-]+)/, '$1node --run $2');

/** Runs it to its good end and answers what it said. */
export const run = async (line: string, options: Options = {}): Promise<string> => {
  const program = start(withoutNpm(line), options);
  expect(await program.exited, `${line}\n${program.output()}`).toBe(0);
  return program.output();
};
