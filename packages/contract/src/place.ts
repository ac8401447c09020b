import type { z } from 'zod';
import type { FieldError } from './envelope.ts';
import { issueText } from './field-texts.ts';
import type { Language } from './language.ts';

/** `input[2].dataType.max`: the exact place in what was sent. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`;
    return place === '' ? String(step) : `${place}.${String(step)}`;
  }, '');

/** What is wrong and where, in the reader's language. Parse with `reportInput: true`. */
export const fieldErrors = (
  issues: readonly z.core.$ZodIssue[],
  language: Language,
  within: readonly PropertyKey[] = [],
): FieldError[] =>
  issues.flatMap((issue) => {
    const message = issueText(issue, language);
    const path = [...within, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [{ field: placeOf(path), message }];
    return issue.keys.map((key) => ({ field: placeOf([...path, key]), message }));
  });
