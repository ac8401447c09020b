import { z } from 'zod';
import { boundedList, readJson } from '../bounded.ts';
import { BATCH_MAX, id } from '../fields.ts';
import { chosenBy, type ModelFunction, modelFunction } from '../model/function-definition.ts';

export type FunctionOrReference = { id: string } | ModelFunction;

const reference: z.ZodType<{ id: string }> = z.strictObject({ id: id() });

const isReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'id' in value && !('functionDefinition' in value);

/** `functions` of the bulk calls: complete functions, or `{ id }` of a category function to copy. */
export const functionsOrReferences = () =>
  boundedList(
    chosenBy<FunctionOrReference, unknown>((value) => (isReference(value) ? reference : modelFunction)),
    { min: 1, tooFew: 'NO_FUNCTION', max: BATCH_MAX, tooMany: 'TOO_MANY_FUNCTIONS', read: readJson },
  );
