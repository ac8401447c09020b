import { cpSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { commandsOfPages, ROOT } from './commands.ts';

/** Every command that a page shows is run, as it stands there but for addresses, folders and keys. */
export const shown = commandsOfPages();
export const ran = new Set<string>();

/** A line of a page, noted as run, with what stands for the reader's own filled in. */
export const fromPage = (command: string, filled: Record<string, string> = {}): string => {
  expect([...shown.keys()], 'no page shows it').toContain(command);
  ran.add(command);
  return Object.entries(filled).reduce((line, [from, to]) => {
    expect(line).toContain(from);
    return line.replaceAll(from, to);
  }, command);
};

/** What a hub or a command printed for this account. */
export const passwordIn = (output: string, account: string): string =>
  new RegExp(`account {3}${account}\\n {2}password {2}(\\S+)`).exec(output)?.[1] ?? '';

export const expectReady = async (address: string) =>
  expect
    .poll(async () => (await fetch(`${address}/health/ready`).catch(() => undefined))?.status, { timeout: 30_000 })
    .toBe(200);

/** Some of the sources, where they may be written; what is only `read` is not copied. */
export const copyOf = (copy: string, parts: string[], read: string[] = []): string => {
  const left = new Set(['node_modules', 'dist', 'data', 'pictures', 'screenshots', '.results']);
  for (const part of parts)
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter: (path) => !left.has(basename(path)) });
  for (const part of ['node_modules', ...read]) symlinkSync(join(ROOT, part), join(copy, part));
  return copy;
};
