import { parse as parseQuery } from 'node:querystring';
import { type Call, type FieldError, fieldErrors, type Language } from '@device-center/contract';

/** A repeated key becomes a list. */
export const parseForm = (text: string): Record<string, unknown> => parseQuery(text, '&', '=', { maxKeys: 0 });

/** More details do not help, and a body of a megabyte may have a hundred thousand. */
export const DETAILS_MAX = 100;

export type ValidatedInput = { input: unknown } | { errors: FieldError[] };

// Unknown fields are dropped from a form and rejected in JSON.
const strictSchemas = new WeakMap<Call, Call['input']>();
const strictOf = (call: Call): Call['input'] => {
  const strict = strictSchemas.get(call) ?? call.input.strict();
  strictSchemas.set(call, strict);
  return strict;
};

export const validateInput = async (
  call: Call,
  sent: unknown,
  { isJson, language }: { isJson: boolean; language: Language },
): Promise<ValidatedInput> => {
  const parsed = await (isJson ? strictOf(call) : call.input).safeParseAsync(sent, { reportInput: true });
  if (parsed.success) return { input: parsed.data };
  return { errors: fieldErrors(parsed.error.issues, language).slice(0, DETAILS_MAX) };
};

/** Merges with a Map: keys are untrusted, and a plain object would treat `__proto__` specially. */
export const mergeInputs = (...sources: unknown[]): Record<string, unknown> => {
  const merged = new Map<string, unknown>();
  for (const source of sources) {
    if (typeof source !== 'object' || source === null) continue;
    for (const [key, value] of Object.entries(source)) merged.set(key, value);
  }
  return Object.fromEntries(merged);
};
