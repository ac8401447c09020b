/// <reference types="node" />
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ModelFunction } from '../src/model/function-definition.ts';
import { anyModel } from './arbitrary-model.ts';
import { runs } from './random.ts';

/** A folder of generated files, and the compilers that check them. */
export const workshop = () => {
  const folder = mkdtempSync(join(tmpdir(), 'dc-generate-'));
  return {
    write: (file: string, text: string): string => {
      writeFileSync(join(folder, file), text);
      return file;
    },
    /** Output of the compiler: empty on success. */
    run: (program: string, args: string[]): string => {
      const { stdout, stderr, status, error } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
      return status === 0 ? `${stdout}${stderr}` : `status ${status}: ${error?.message ?? ''}${stdout}${stderr}`;
    },
    pathOf: (file: string): string => join(folder, file),
    close: (): void => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Model names that a generator must escape. */
export const awkwardNames = ['Lamp', '智能灯', '9 lives', '', 'int', 'a*/b', 'Ünïcode', '㐀鿿', '"'];

export const MODELS = runs(20, 2_500);
export const namedModels = (): { name: string; model: ModelFunction[] }[] =>
  fc
    .sample(anyModel(8), MODELS)
    .map((model, index) => ({ model, name: awkwardNames[index % awkwardNames.length] ?? '' }));
