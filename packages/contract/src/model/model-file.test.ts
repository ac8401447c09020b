import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyJson, anyModel, mutatedModel, RUNS } from '../../test/arbitrary-model.ts';
import { languages } from '../language.ts';
import { modelOfProduct } from './function-definition.ts';
import { exportModel } from './generate/index.ts';
import { readModel, readModelText } from './model-file.ts';
import { fromTsl, isTsl } from './tsl/from-tsl.ts';

const LONG = 600_000;
const product = { productId: 'P1a2b3c4', productName: '智能灯' };

/** Round trip through JSON: removes undefined, functions and prototypes. */
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a model', () => {
  it.each(['json', 'tsl'] as const)(
    'comes back from its %s as it was, with nothing to note',
    (format) => {
      fc.assert(
        fc.property(anyModel(), (functions) => {
          const read = readModelText(exportModel(format, { ...product, functions }).text, 'en_US');
          expect(overTheWire(read)).toEqual({ ok: true, format, functions, notes: [] });
        }),
        { numRuns: RUNS },
      );
    },
    LONG,
  );

  it(
    'is read again as what it was read as',
    () => {
      fc.assert(
        fc.property(anyModel(), (functions) => {
          const once = modelOfProduct().parse(functions);
          expect(overTheWire(once)).toEqual(overTheWire(functions));
          expect(modelOfProduct().parse(overTheWire(once))).toEqual(once);
          expect(modelOfProduct().parse(JSON.stringify(once))).toEqual(once);
        }),
        { numRuns: RUNS },
      );
    },
    LONG,
  );

  it(
    'that somebody broke is refused with a place and a sentence, or read for good',
    () => {
      fc.assert(
        fc.property(mutatedModel(), (broken) => {
          const reads = languages.map((language) => readModel({ functions: broken }, language));
          for (const read of reads) {
            if (read.ok) {
              const again = readModel(overTheWire(read.functions), 'en_US');
              expect(again).toEqual(read);
            } else {
              expect(read.problems.length).toBeGreaterThan(0);
              for (const { message } of read.problems) expect(message).toMatch(/\S/);
            }
          }
          const [zh, en] = reads;
          expect(zh?.ok).toBe(en?.ok);
          if (zh && en && !zh.ok && !en.ok)
            expect(zh.problems.map(({ field }) => field)).toEqual(en.problems.map(({ field }) => field));
        }),
        { numRuns: RUNS },
      );
    },
    LONG,
  );
});

describe('whatever is brought in', () => {
  const element = fc.record(
    {
      identifier: anyJson(),
      name: anyJson(),
      desc: anyJson(),
      type: fc.oneof(fc.constantFrom('info', 'alert', 'error'), anyJson()),
      method: anyJson(),
      required: anyJson(),
      accessMode: anyJson(),
      callType: anyJson(),
      functionBlockId: anyJson(),
      dataType: fc.oneof(
        fc.record({
          type: fc.constantFrom('int', 'float', 'double', 'text', 'date', 'bool', 'enum', 'struct', 'array'),
          specs: anyJson(),
          'x-device-center': anyJson(),
        }),
        anyJson(),
      ),
      outputData: fc.oneof(fc.array(anyJson()), anyJson()),
      inputData: fc.oneof(fc.array(anyJson()), anyJson()),
    },
    { requiredKeys: [] },
  );
  const list = fc.oneof(fc.array(element, { maxLength: 4 }), anyJson());
  const nearlyTsl = fc.record({ properties: list, events: list, services: list, 'x-device-center': anyJson() });

  it(
    'is answered, never thrown at',
    () => {
      fc.assert(
        fc.property(fc.oneof(nearlyTsl, anyJson()), (value) => {
          expect(Array.isArray(fromTsl(value).functions)).toBe(true);
          expect(typeof readModel(value, 'zh_CN').ok).toBe('boolean');
        }),
        { numRuns: RUNS * 2 },
      );
    },
    LONG,
  );

  it('may be as deep as it likes', () => {
    const nest = (open: string, close: string, core: string) => open.repeat(50_000) + core + close.repeat(50_000);
    const bottomless = [
      nest('{"type":"array","specs":{"size":"2","item":', '}}', '{"type":"int"}'),
      nest('{"type":"struct","specs":[{"identifier":"a","name":"a","dataType":', '}]}', '{"type":"int"}'),
      nest('[', ']', ''),
      nest('{"a":', '}', '1'),
    ];
    for (const dataType of bottomless) {
      const property = `{"identifier":"a","name":"a","accessMode":"r","dataType":${dataType}}`;
      const tsl = JSON.parse(`{"properties":[${property}]}`) as unknown;
      expect(readModel(tsl, 'en_US')).toEqual({
        ok: false,
        problems: [expect.objectContaining({ field: expect.stringContaining('functions[0].functionDefinition') })],
      });
      for (const text of [dataType, `{"properties":${dataType}}`, `[${dataType}]`, `{"functions":[${dataType}]}`])
        expect(readModel(JSON.parse(text), 'en_US').ok).toBe(false);
    }
  });

  it('has no power over prototypes', () => {
    const text =
      '{"__proto__":{"functions":1},"properties":[{"__proto__":{"a":1},"identifier":"__proto__","name":"x","accessMode":"r","dataType":{"type":"enum","specs":{"__proto__":"x","1":"y"}}}]}';
    expect(readModelText(text, 'en_US')).toEqual({
      ok: false,
      problems: [{ field: 'functions[0].signCode', message: 'This identifier is reserved' }],
    });
    expect(({} as Record<string, unknown>).functions).toBeUndefined();
    expect(isTsl(JSON.parse('{"__proto__":{"properties":[]}}'))).toBe(false);
  });

  it('is told apart', () => {
    expect(readModelText('nonsense', 'en_US')).toEqual({
      ok: false,
      problems: [{ field: '', message: 'Not valid JSON' }],
    });
    for (const text of ['1', 'null', '"x"', '{}', '{"functions":1}'])
      expect(readModelText(text, 'zh_CN')).toEqual({
        ok: false,
        problems: [{ field: '', message: '不是物模型文件：应为本平台导出的 JSON、功能数组或 TSL' }],
      });
    expect(readModelText('[]', 'en_US')).toEqual({ ok: true, format: 'json', functions: [], notes: [] });
    expect(readModelText('{"events":[]}', 'en_US')).toEqual({ ok: true, format: 'tsl', functions: [], notes: [] });
  });
});
