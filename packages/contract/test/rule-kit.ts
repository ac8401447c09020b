import type { z } from 'zod';
import type { FieldTextKey } from '../src/field-texts.ts';

/** One refused value: which sentence stands at the field, and the numbers in it. */
export type Refused = { value: unknown; says: FieldTextKey; limit?: { minimum?: number; maximum?: number } };

/** Where a form or call has the rule: `slice.call`, its field, and what an accepted value leads to. */
export type Place = { call: string; field: string; leadsTo?: string };

/** One rule of the spec, section 5: what it takes and what it refuses. The schemas, the hub and the forms are held to it. */
export type Rule = {
  rule: string;
  schema: z.ZodType;
  places: Place[];
  accepted: unknown[];
  refused: Refused[];
};

export const refuse = (says: FieldTextKey, ...values: unknown[]): Refused[] => values.map((value) => ({ value, says }));
/** An empty field says that it is empty, whatever it says of others. */
export const emptyOr = (says: FieldTextKey, ...values: unknown[]): Refused[] => [
  ...refuse('REQUIRED', ''),
  ...refuse(says, ...values),
];
export const at = (call: string, field: string, leadsTo?: string): Place => ({ call, field, leadsTo });
