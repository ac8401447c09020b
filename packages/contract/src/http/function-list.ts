import { z } from 'zod';
import { boundedList, readJson } from '../bounded.ts';
import { BATCH_MAX, id } from '../fields.ts';
import { chosenBy, type ModelFunction, modelFunction } from '../model/function-definition.ts';

export type CopiedOrWhole = { id: string } | ModelFunction;

const reference: z.ZodType<{ id: string }> = z.strictObject({ id: id() });

const isReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'id' in value && !('functionDefinition' in value);

/** The bulk calls' `functions`: whole functions, or `{ id }` of an open function to copy. */
export const copiedOrWhole = () =>
  boundedList(
    chosenBy<CopiedOrWhole, unknown>((value) => (isReference(value) ? reference : modelFunction)),
    { min: 1, tooFew: 'NO_FUNCTION', max: BATCH_MAX, tooMany: 'TOO_MANY_FUNCTIONS', read: readJson },
  );
