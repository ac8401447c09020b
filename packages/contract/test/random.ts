import fc from 'fast-check';

// Declared without Node's types: the console's tests import this file too, and must compile without them.
const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };

/** Whether the long form of the tests runs. */
export const LONG = Boolean(process?.env.TEST_LONG);

/** Seed of random inputs. Fixed, so that failures are reproducible; TEST_SEED=2 tries other inputs. */
export const SEED = Number(process?.env.TEST_SEED ?? 1);

/** Number of runs of a property. */
export const runs = (short: number, long: number): number => (LONG ? long : short);

// Applies to all properties of a test file that imports this one.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
