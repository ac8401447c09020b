import { bareFunction, type FunctionWithId } from '@device-center/contract';

const TRIES = 5;

/**
 * Reads an owner, its functions and the owner again, until the model version did not change in between. After the
 * last try it returns the older version: the hub rejects a save based on it, so no change of another user is lost.
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
  FunctionWithId,
  'signCode' | 'functionName' | 'functionType' | 'description' | 'functionDefinition'
> & { id: string };

/** A listed function without the fields that exist only in lists. */
export const storedFunctionOf = (entry: Listed): FunctionWithId => ({
  ...bareFunction(entry as FunctionWithId),
  id: entry.id,
});
