import { type Arbitrary, json } from 'fast-check';

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

// Named without the types of Node: the console's tests import this file too, and its code must not see them.
const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };

/** How often a property is tried. */
export const RUNS = process?.env.TEST_LONG ? 10_000 : 200;
