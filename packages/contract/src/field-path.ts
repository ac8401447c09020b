import type { z } from 'zod';
import type { FieldError } from './envelope.ts';
import { issueText } from './field-texts.ts';
import type { Language } from './language.ts';

/** Path of a value in the input, such as `input[2].dataType.max`. */
export const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`;
    return place === '' ? String(step) : `${place}.${String(step)}`;
  }, '');

/** Converts Zod issues to field errors in the given language. Parse with `reportInput: true`. */
export const fieldErrors = (
  issues: readonly z.core.$ZodIssue[],
  language: Language,
  within: readonly PropertyKey[] = [],
): FieldError[] =>
  issues.flatMap((issue) => {
    const message = issueText(issue, language);
    const path = [...within, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [{ field: fieldPath(path), message }];
    return issue.keys.map((key) => ({ field: fieldPath([...path, key]), message }));
  });
