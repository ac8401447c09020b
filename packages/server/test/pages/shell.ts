import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'vitest';
import { LONG } from '../connectivity-fixtures.ts';
import { ROOT } from './commands.ts';

type Options = { env?: Record<string, string>; cwd?: string };

export type Running = {
  output: () => string;
  /** Resolves when the output matches; rejects with the whole output when the process ends before. */
  says: (what: RegExp) => Promise<RegExpExecArray>;
  exited: Promise<number | null>;
  /** Signals the process group, as a terminal does. */
  signal: (name: NodeJS.Signals) => Promise<number | null>;
};

const running = new Set<ChildProcess>();

/** Kills the processes that a failed test left running. */
export const endAll = (): void => {
  for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL');
};

/** Starts a shell command with these settings and none of the developer's. */
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
 * Without LONG, `node --run` runs the script of package.json instead of npm: npm takes longer to start than most of the
 * scripts. Commands that are ended by Ctrl-C, which npm forwards, are started unchanged by `start`.
 */
const withoutNpm = (line: string): string =>
  LONG ? line : line.replace(/(^| )npm (?:run )?([\w:-]+)/, '$1node --run $2');

/** Runs a command, expects it to succeed, and returns its output. */
export const run = async (line: string, options: Options = {}): Promise<string> => {
  const program = start(withoutNpm(line), options);
  expect(await program.exited, `${line}\n${program.output()}`).toBe(0);
  return program.output();
};
