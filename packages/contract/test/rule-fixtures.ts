import type { z } from 'zod';
import type { FieldTextKey } from '../src/field-texts.ts';

/** One rejected value: the expected message at the field, and its parameters. */
export type Refused = { value: unknown; says: FieldTextKey; limit?: { minimum?: number; maximum?: number } };

/** Where a rule applies: `slice.call`, its field, and the response to an accepted value. */
export type Place = { call: string; field: string; leadsTo?: string };

/** One rule of specification §5: accepted and rejected values. Tests apply it to the schemas, the hub and the forms. */
export type Rule = {
  rule: string;
  schema: z.ZodType;
  places: Place[];
  accepted: unknown[];
  refused: Refused[];
};

export const refuse = (says: FieldTextKey, ...values: unknown[]): Refused[] => values.map((value) => ({ value, says }));
/** An empty field is reported as REQUIRED, whatever the rule. */
export const emptyOr = (says: FieldTextKey, ...values: unknown[]): Refused[] => [
  ...refuse('REQUIRED', ''),
  ...refuse(says, ...values),
];
export const at = (call: string, field: string, leadsTo?: string): Place => ({ call, field, leadsTo });
