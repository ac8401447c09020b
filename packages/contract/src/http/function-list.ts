import { z } from 'zod';
import { BATCH_MAX, id, readJson } from '../fields.ts';
import { chosenBy, type ModelFunction, modelFunction } from '../model/function-definition.ts';

export type CopiedOrWhole = { id: string } | ModelFunction;

const reference: z.ZodType<{ id: string }> = z.strictObject({ id: id() });

const isReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'id' in value && !('functionDefinition' in value);

/** The bulk calls' `functions`: whole functions, or `{ id }` of an open function to copy. */
export const copiedOrWhole = () =>
  z.pipe(
    z.transform<CopiedOrWhole[], unknown>(readJson),
    z
      .array(chosenBy<CopiedOrWhole, unknown>((value) => (isReference(value) ? reference : modelFunction)))
      .min(1, { error: 'NO_FUNCTION', abort: true })
      .max(BATCH_MAX, { error: 'TOO_MANY_FUNCTIONS' }),
  );
