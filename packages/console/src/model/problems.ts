import {
  type FieldError,
  type FunctionWithId,
  fieldPath,
  fieldTexts,
  issueText,
  submittedFunction,
} from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../i18n/language.ts';

/** Validation errors of a function by field path, such as `functionDefinition.dataType.max`. */
export type Problems = ReadonlyMap<string, string>;

export const NO_PROBLEMS: Problems = new Map();

/** Validates a function. Keeps the first of several errors of a field. */
export const problemsOf = (raw: unknown, taken: ReadonlySet<string>): Problems => {
  const parsed = submittedFunction.safeParse(raw, { reportInput: true });
  const problems = new Map<string, string>();
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.join('.');
    if (!problems.has(path)) problems.set(path, issueText(issue, currentLanguage()));
  }
  const word = typeof raw === 'object' && raw !== null && 'signCode' in raw ? raw.signCode : undefined;
  if (typeof word === 'string' && taken.has(word) && !problems.has('signCode'))
    problems.set('signCode', fieldTexts.DUPLICATE[currentLanguage()]);
  return problems;
};

const checked = new WeakMap<FunctionWithId, string>();

/** Functions in a draft are immutable, so each is validated once. */
const ownProblem = (fn: FunctionWithId): string => {
  const known = checked.get(fn);
  if (known !== undefined) return known;
  const issue = submittedFunction.safeParse(fn, { reportInput: true }).error?.issues[0];
  const text = issue ? `${fieldPath(issue.path)}: ${issueText(issue, currentLanguage())}` : '';
  checked.set(fn, text);
  return text;
};

/** The problem of each function of a model by index; '' if it is valid. */
export const rowProblems = (functions: FunctionWithId[]): string[] => {
  const seen = new Set<string>();
  return functions.map((fn) => {
    const again = seen.has(fn.signCode);
    seen.add(fn.signCode);
    if (!again) return ownProblem(fn);
    return `${i18next.t('model:signCode')}: ${fieldTexts.DUPLICATE[currentLanguage()]}`;
  });
};

/** The index of the first function that an error of the hub names, such as `functions[3].signCode`. */
export const rejectedIndex = (details: readonly FieldError[]): number | undefined => {
  const index = details.flatMap(({ field }) => /^functions\[(\d+)\]/.exec(field)?.[1] ?? []).map(Number)[0];
  return index;
};
