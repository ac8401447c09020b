import { cpSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { commandsOfPages, ROOT } from './commands.ts';

/** Every command of the docs is run, with replaced addresses, folders and keys. */
export const shown = commandsOfPages();
export const ran = new Set<string>();

/** A command of the docs, recorded as run, with its placeholders replaced. */
export const fromPage = (command: string, filled: Record<string, string> = {}): string => {
  expect([...shown.keys()], 'no page shows it').toContain(command);
  ran.add(command);
  return Object.entries(filled).reduce((line, [from, to]) => {
    expect(line).toContain(from);
    return line.replaceAll(from, to);
  }, command);
};

/** The password that a hub or a command printed for this account. */
export const passwordIn = (output: string, account: string): string =>
  new RegExp(`account {3}${account}\\n {2}password {2}(\\S+)`).exec(output)?.[1] ?? '';

export const expectReady = async (address: string) =>
  expect
    .poll(async () => (await fetch(`${address}/health/ready`).catch(() => undefined))?.status, { timeout: 30_000 })
    .toBe(200);

/** A writable copy of some of the sources; the folders in `read` are symbolic links. */
export const copyOf = (copy: string, parts: string[], read: string[] = []): string => {
  const left = new Set(['node_modules', 'dist', 'data', 'pictures', 'screenshots', '.results']);
  for (const part of parts)
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter: (path) => !left.has(basename(path)) });
  for (const part of ['node_modules', ...read]) symlinkSync(join(ROOT, part), join(copy, part));
  return copy;
};
