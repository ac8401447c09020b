import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anyModel, RUNS } from '../../../test/arbitrary-model.ts';
import { awkwardNames, MODELS, namedModels, workshop } from '../../../test/generate-fixtures.ts';
import { lamp } from '../../../test/lamp-model.ts';
import { cHeaderOf } from './c-header.ts';

const LONG = 600_000;

/** Names that a header declares: macros, types and constants by kind, members by struct. */
const declaredNames = (header: string): { outside: string[]; members: string[][] } => {
  const code = header.replace(/\/\*[\s\S]*?\*\//g, ' ');
  const macros = [...code.matchAll(/^#define\s+(\S+)/gm)].map(([, name]) => name ?? '');
  const plain = code.replace(/^#.*$/gm, '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const bodies = [...plain.matchAll(/typedef (struct|enum) \{([^{}]*)\} (\S+);/g)];
  const typedefs = [...plain.matchAll(/^(?:typedef [^{;]*?|\} )(\w+)(?:\[\d+\])*;$/gm)].map(([, name]) => name ?? '');
  const namesIn = (body: string, end: RegExp) => [...body.matchAll(end)].map(([, name]) => name ?? '');
  const constants = bodies.flatMap(([, kind, body]) => (kind === 'enum' ? namesIn(body ?? '', /(\S+) = \d+/g) : []));
  const members = bodies.flatMap(([, kind, body]) =>
    kind === 'struct' ? [namesIn(body ?? '', /(\S+?)(?:\[\d+\])*;/g)] : [],
  );
  return { outside: [...macros, ...typedefs, ...constants], members };
};

describe('a generated C header', () => {
  it('says all that the model says', () => {
    expect(cHeaderOf(lamp, 'Smart-Lamp')).toMatchInlineSnapshot(`
      "/*
       * Smart-Lamp
       * Values as devices and hub exchange them. Texts are UTF-8 and end in a NUL.
       * A long is a text of digits on the wire, an enum the text in its _VALUES.
       */
      #ifndef SMART_LAMP_MODEL_H
      #define SMART_LAMP_MODEL_H

      #include <stdbool.h>
      #include <stdint.h>

      /*
       * Property, read and write
       * 亮度 * / end
       * How bright
       */
      #define SMART_LAMP_LEVEL_CODE "level"
      #define SMART_LAMP_LEVEL_MIN (-INT32_C(2147483647) - 1)
      #define SMART_LAMP_LEVEL_MAX INT32_C(100)
      #define SMART_LAMP_LEVEL_STEP INT32_C(5)
      #define SMART_LAMP_LEVEL_UNIT "%\\"\\\\\\?\\?/"
      typedef int32_t smart_lamp_level_t;

      /*
       * Property, read only
       * Mode
       */
      #define SMART_LAMP_U6A21U5F0F_CODE "模式"
      #define SMART_LAMP_U6A21U5F0F_COUNT 3
      /* The texts used in messages, by index */
      #define SMART_LAMP_U6A21U5F0F_VALUES { "0", "a", "A" }
      typedef enum {
          SMART_LAMP_U6A21U5F0F_0 = 0, /* cool */
          SMART_LAMP_U6A21U5F0F_A = 1, /* 暖 */
          SMART_LAMP_U6A21U5F0F_A_2 = 2 /* warm */
      } smart_lamp_u6a21u5f0f_t;

      /*
       * Service, async
       * Move
       */
      #define SMART_LAMP_MOVE_CODE "move"
      #define SMART_LAMP_MOVE_INPUT_INT_MIN (-INT64_C(9223372036854775807) - 1)
      #define SMART_LAMP_MOVE_INPUT_1ST_MAX_COUNT 3
      #define SMART_LAMP_MOVE_INPUT_1ST_ITEM_MAX_CHARACTERS 10
      typedef struct {
          uint16_t count;
          char items[3][41];
      } smart_lamp_move_input_1st_t;
      #define SMART_LAMP_MOVE_INPUT_AT_X_MIN (-1.50)
      #define SMART_LAMP_MOVE_INPUT_AT_X_MAX 2.00
      typedef struct {
          double x; /* X */
      } smart_lamp_move_input_at_t;
      typedef struct {
          int64_t int_; /* Whole, "int" */
          bool has_m_1st;
          smart_lamp_move_input_1st_t m_1st; /* First, "1st" */
          smart_lamp_move_input_at_t at; /* Place */
      } smart_lamp_move_input_t;
      /* No output. */

      /*
       * Event, alarm
       * Burnt out
       */
      #define SMART_LAMP_BURNT_CODE "burnt"
      typedef struct {
          bool since; /* Since, 是 / 否 */
      } smart_lamp_burnt_output_t;

      #endif
      "
    `);
  });

  it(
    'gives each thing one name, which is a name of C',
    () => {
      fc.assert(
        fc.property(anyModel(8), fc.constantFrom(...awkwardNames), (model, name) => {
          const header = cHeaderOf(model, name);
          const { outside, members } = declaredNames(header);
          for (const list of [outside, ...members]) {
            expect(list.filter((word) => !/^[A-Za-z]\w*$/.test(word))).toEqual([]);
            expect(new Set(list.map((word) => word.toLowerCase())).size).toBe(list.length);
          }
          const types = model.reduce((count, { functionType, functionDefinition: definition }) => {
            if (functionType === 1) return count + 1;
            const lists = ['input', 'output'].map((key) => (definition as unknown as Record<string, []>)[key] ?? []);
            return count + lists.filter(({ length }) => length > 0).length;
          }, 0);
          const typedefs = header.match(/^(?:typedef .*;|\} .*;)$/gm) ?? [];
          expect(typedefs.length).toBeGreaterThanOrEqual(types);
        }),
        { numRuns: RUNS },
      );
    },
    LONG,
  );

  const compiler = ['/usr/bin/cc', '/usr/bin/gcc', '/usr/bin/clang'].find((path) => existsSync(path)) ?? 'cc';

  it(
    'is taken by a C compiler at its strictest',
    () => {
      const { write, run, pathOf, close } = workshop();
      onTestFinished(close);
      const written = namedModels().map(({ model, name }, index) =>
        write(`model${index}.h`, cHeaderOf(model, `${name} ${index}`)),
      );
      write('lamp.h', cHeaderOf(lamp, 'Smart-Lamp'));
      const files = [...written, 'lamp.h', 'lamp.h'];
      write(
        'all.c',
        `${files.map((file) => `#include "${file}"\n`).join('')}int main(void) {
    static const char *const modes[] = SMART_LAMP_U6A21U5F0F_VALUES;
    smart_lamp_move_input_t input = { .int_ = SMART_LAMP_MOVE_INPUT_INT_MIN, .has_m_1st = false };
    return modes[SMART_LAMP_U6A21U5F0F_A][0] == 'a' && input.int_ < 0 && SMART_LAMP_LEVEL_MIN < 0 ? 0 : 1;
}
`,
      );
      expect(files.length).toBe(MODELS + 2);
      const flags = ['-std=c99', '-Wall', '-Wextra', '-pedantic', '-Werror'];
      expect(run(compiler, [...flags, '-o', 'all', 'all.c'])).toBe('');
      expect(run(pathOf('all'), [])).toBe('');
    },
    LONG,
  );
});
