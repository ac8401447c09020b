import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { namedModels, workshop } from '../../../test/generate-fixtures.ts';
import { lamp } from '../../../test/lamp-model.ts';
import { typescriptOf } from './typescript.ts';

const LONG = 600_000;

describe('generated TypeScript', () => {
  it('says all that the model says', () => {
    expect(typescriptOf(lamp, 'smart lamp')).toBe(`/** smart lamp */

export interface SmartLampProperties {
  /**
   * 亮度 * / end
   * How bright
   * read and write
   * whole number, -2147483648..100, step 5, unit %"\\??/
   */
  level: number;
  /**
   * Mode
   * read only
   */
  readonly 模式:
    /** cool */
    | '0'
    /** 暖 */
    | 'a'
    /** warm */
    | 'A';
}

/** Move */
export type MoveInput = {
  /**
   * Whole
   * 64-bit whole number as text, -9223372036854775808..
   */
  int: string;
  /**
   * First
   * at most 3 entries, each: at most 10 characters
   */
  '1st'?: Array<string>;
  /** Place */
  at: {
    /**
     * X
     * -1.5..2
     */
    x: number;
  };
};

/** Move */
export type MoveOutput = Record<string, never>;

/** Burnt out */
export type BurntEvent = {
  /**
   * Since
   * true: 是, false: 否
   */
  since: boolean;
};

export interface SmartLampServices {
  /**
   * Move
   * async
   */
  move: { input: MoveInput; output: MoveOutput };
}

export interface SmartLampEvents {
  /**
   * Burnt out
   * alarm
   */
  burnt: BurntEvent;
}
`);
  });

  it(
    'compiles under the strictest rules, whatever the model',
    () => {
      const { write, run, close } = workshop();
      onTestFinished(close);
      const files = namedModels().map(({ model, name }, index) => write(`model${index}.ts`, typescriptOf(model, name)));
      const uses = `import type { MoveInput, SmartLampProperties } from './lamp.ts';
export const level: SmartLampProperties['level'] = 1;
export const mode: SmartLampProperties['模式'] = 'a';
export const input: MoveInput = { int: '1', at: { x: 1 } };
// @ts-expect-error: no such item
export const none: SmartLampProperties['模式'] = 'b';
`;
      write('lamp.ts', typescriptOf(lamp, 'smart lamp'));
      write('uses.ts', uses);
      const tsc = join(import.meta.dirname, '../../../../../node_modules/typescript/bin/tsc');
      // Do not check TypeScript's own library.
      const quick = ['--lib', 'es2022', '--skipLibCheck', '--checkers', '1'];
      const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', '', ...quick];
      const options = [...flags, '--allowImportingTsExtensions', '--noUnusedLocals', '--noCheck', 'false'];
      expect(run(process.execPath, [tsc, ...options, 'uses.ts', ...files])).toBe('');
    },
    LONG,
  );
});
