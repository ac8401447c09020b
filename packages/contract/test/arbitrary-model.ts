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

/** Whatever JSON can hold, also what nobody would write. */
export const anyJson = (): Arbitrary<unknown> => json().map((text): unknown => JSON.parse(text));

/** How often a property is tried. */
export const RUNS = runs(60, 10_000);
