import { type KeptFunction, keptFunction, PRODUCT_FUNCTIONS_MAX } from '@device-center/contract';
import { anyFunction, anyModel, RUNS } from '@device-center/contract/test/arbitrary-model.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFormStore, valueAt } from './form-store.ts';
import { type FunctionForm, formOf, rawOf } from './function-form.ts';
import { readModelList, textOfModel } from './model-text.ts';

const TIMEOUT = 120_000;

/** Paths of all text values. */
const textPlaces = (value: unknown, path: string[] = []): string[] => {
  if (typeof value === 'string') return [path.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([step, inner]) =>
    step === 'key' || step === 'id' ? [] : textPlaces(inner, [...path, step]),
  );
};

const typed = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', ' ', '0', '-1', '1.50', '1.5', '-0.00', '99999999999', '9223372036854775808', '513', '10241'),
    fc.constantFrom('a', 'a.b', 'set', 'restart', 'online', '__proto__', '中文', '中'.repeat(40), 'a'.repeat(60)),
    fc.string({ maxLength: 60 }),
    fc.integer().map(String),
  );

type Typing = { form: FunctionForm; place: string; text: string };

const typing = (): fc.Arbitrary<Typing> =>
  anyFunction().chain((fn) => {
    const form = formOf(fn);
    return fc.record({
      form: fc.constant(form),
      place: fc.constantFrom(
        ...textPlaces(form).filter((place) => !/\.?(type|accessMode|callType|eventType)$/.test(place)),
      ),
      text: typed(),
    });
  });

describe('what the editor accepts', () => {
  it(
    'is every function that the contract accepts, unchanged',
    () => {
      fc.assert(
        fc.property(anyFunction(), (fn: KeptFunction) => {
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
    'is exactly what the contract accepts, whatever is typed; and each refusal has a place in the form',
    () => {
      fc.assert(
        fc.property(typing(), ({ form, place, text }) => {
          const store = createFormStore(form, new Set());
          store.getState().set(place, text);
          const { form: now, problems, finish } = store.getState();
          const judged = keptFunction.safeParse(rawOf(now));
          expect(finish()).toEqual(judged.data);
          expect(problems.size === 0).toBe(judged.success);
          for (const wrong of problems.keys()) expect(valueAt(now, wrong)).toBeDefined();
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );

  it(
    'is, as JSON, every model that the contract accepts, with the ids it had',
    () => {
      fc.assert(
        fc.property(anyModel(), (model: KeptFunction[]) => {
          const kept = model.map((fn, index) => ({ ...fn, id: String(index) }));
          expect(readModelList(textOfModel(kept), [], PRODUCT_FUNCTIONS_MAX)).toEqual({ functions: model });
          expect(readModelList(textOfModel(kept), kept, PRODUCT_FUNCTIONS_MAX)).toEqual({ functions: kept });
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );
});
