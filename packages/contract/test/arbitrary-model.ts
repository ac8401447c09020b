import { type Arbitrary, json } from 'fast-check';
import { runs } from './random.ts';

export { mutatedModel, mutatedValue } from './mutated-model.ts';
export {
  anyDataType,
  anyFunction,
  anyModel,
  dataTypeOf,
  functionName,
  identifier,
  valueThatFits,
} from './valid-model.ts';

/** Arbitrary JSON values. */
export const anyJson = (): Arbitrary<unknown> => json().map((text): unknown => JSON.parse(text));

/** Number of runs of a property. */
export const RUNS = runs(60, 10_000);
