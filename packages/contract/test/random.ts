import fc from 'fast-check';

// Named without the types of Node: the console's tests import this file too, and its code must not see them.
const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };

/** Whether tests take minutes for what the short form tries a few times. */
export const LONG = Boolean(process?.env.TEST_LONG);

/** Where random inputs begin. Fixed, so that a failure in `npm test` fails again; TEST_SEED=2 tries others. */
export const SEED = Number(process?.env.TEST_SEED ?? 1);

/** How often a property is tried. */
export const runs = (short: number, long: number): number => (LONG ? long : short);

// For every property of a test file that imports this one, also where it does not name the seed.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
