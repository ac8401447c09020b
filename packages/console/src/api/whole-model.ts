import { bareFunction, type KeptFunction } from '@device-center/contract';

const TRIES = 5;

/**
 * Reads an owner, its functions, and the owner again, until nobody has changed the model meanwhile. Should that never
 * be so, the older version is answered: saving on top of it is refused, and nothing of anybody is lost.
 */
export const readConsistently = async <Owner extends { modelVersion: number }, Functions>(
  readOwner: () => Promise<Owner>,
  readFunctions: () => Promise<Functions>,
): Promise<{ owner: Owner; functions: Functions }> => {
  let owner = await readOwner();
  for (let left = TRIES; ; left--) {
    const functions = await readFunctions();
    const now = await readOwner();
    if (now.modelVersion === owner.modelVersion || left === 1) return { owner, functions };
    owner = now;
  }
};

type Listed = Pick<
  KeptFunction,
  'signCode' | 'functionName' | 'functionType' | 'description' | 'functionDefinition'
> & { id: string };

/** As an answer lists it, without what only its list knows. */
export const keptOf = (entry: Listed): KeptFunction => ({ ...bareFunction(entry as KeptFunction), id: entry.id });
