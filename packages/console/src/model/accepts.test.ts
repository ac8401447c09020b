import { type FunctionWithId, PRODUCT_FUNCTIONS_MAX, submittedFunction } from '@device-center/contract';
import { anyFunction, anyModel, RUNS } from '@device-center/contract/test/arbitrary-model.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFormStore, valueAt } from './form-store.ts';
import { type FunctionForm, formOf, rawOf } from './function-form.ts';
import { readModelList, textOfModel } from './model-text.ts';

const TIMEOUT = 120_000;

/** Paths of all text values. */
const textPaths = (value: unknown, path: string[] = []): string[] => {
  if (typeof value === 'string') return [path.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([step, inner]) =>
    step === 'key' || step === 'id' ? [] : textPaths(inner, [...path, step]),
  );
};

const typed = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', ' ', '0', '-1', '1.50', '1.5', '-0.00', '99999999999', '9223372036854775808', '513', '10241'),
    fc.constantFrom('a', 'a.b', 'set', 'restart', 'online', '__proto__', '中文', '中'.repeat(40), 'a'.repeat(60)),
    fc.string({ maxLength: 60 }),
    fc.integer().map(String),
  );

type Typing = { form: FunctionForm; path: string; text: string };

const typing = (): fc.Arbitrary<Typing> =>
  anyFunction().chain((fn) => {
    const form = formOf(fn);
    return fc.record({
      form: fc.constant(form),
      path: fc.constantFrom(
        ...textPaths(form).filter((path) => !/\.?(type|accessMode|callType|eventType)$/.test(path)),
      ),
      text: typed(),
    });
  });

describe('function editor validation', () => {
  it(
    'accepts every function that the contract accepts, unchanged',
    () => {
      fc.assert(
        fc.property(anyFunction(), (fn: FunctionWithId) => {
          const store = createFormStore(formOf(fn), new Set());
          expect([...store.getState().problems]).toEqual([]);
          expect(store.getState().finish()).toEqual(fn);
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );

  // Spec 5.25, 5.27, 5.28, 5.32
  it(
    'accepts exactly what the contract accepts, and shows each error at a field of the form',
    () => {
      fc.assert(
        fc.property(typing(), ({ form, path, text }) => {
          const store = createFormStore(form, new Set());
          store.getState().set(path, text);
          const { form: now, problems, finish } = store.getState();
          const parsed = submittedFunction.safeParse(rawOf(now));
          expect(finish()).toEqual(parsed.data);
          expect(problems.size === 0).toBe(parsed.success);
          for (const wrong of problems.keys()) expect(valueAt(now, wrong)).toBeDefined();
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );

  it(
    'accepts every valid model as JSON and keeps the ids',
    () => {
      fc.assert(
        fc.property(anyModel(), (model: FunctionWithId[]) => {
          const functions = model.map((fn, index) => ({ ...fn, id: String(index) }));
          expect(readModelList(textOfModel(functions), [], PRODUCT_FUNCTIONS_MAX)).toEqual({ functions: model });
          expect(readModelList(textOfModel(functions), functions, PRODUCT_FUNCTIONS_MAX)).toEqual({
            functions: functions,
          });
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );
});
