import {
  bareFunction,
  chosenBy,
  type FieldError,
  type FunctionWithId,
  fieldErrors,
  model,
  modelFunction,
} from '@device-center/contract';
import i18next from 'i18next';
import { z } from 'zod';
import { currentLanguage } from '../i18n/language.ts';
import { keepIds } from './draft.ts';

/** A model as editable JSON: only the functions, without the fields that the hub assigns. */
export const textOfModel = (functions: FunctionWithId[]): string =>
  JSON.stringify(functions.map(bareFunction), null, 2);

type ReadText = { functions: FunctionWithId[] } | { problems: FieldError[] };

const problem = (message: string): ReadText => ({ problems: [{ field: '', message }] });

const withoutId = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { id: _id, ...rest } = value as Record<string, unknown>;
  return rest;
};

/** Skips validation of unchanged functions: typically one of hundreds was edited. */
const listOf = (present: FunctionWithId[], max: number) => {
  const known = new Map(present.map((fn) => [JSON.stringify(bareFunction(fn)), fn]));
  const item = chosenBy<FunctionWithId, unknown>((value) => {
    const same = known.get(JSON.stringify(value));
    return same ? z.transform(() => same) : modelFunction;
  });
  return model(item, max);
};

export const readModelList = (text: string, present: FunctionWithId[], max: number): ReadText => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problem(i18next.t('model:jsonNotJson'));
  }
  if (!Array.isArray(value)) return problem(i18next.t('model:jsonNeedsList'));
  const parsed = listOf(present, max).safeParse(value.map(withoutId), { reportInput: true });
  if (parsed.success) return { functions: keepIds(present, parsed.data) };
  return { problems: fieldErrors(parsed.error.issues, currentLanguage(), ['functions']) };
};
