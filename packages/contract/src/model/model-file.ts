import { z } from 'zod';
import { readJson } from '../bounded.ts';
import type { FieldError } from '../envelope.ts';
import { fieldErrors } from '../field-path.ts';
import type { FieldTextKey } from '../field-texts.ts';
import type { Language, Text } from '../language.ts';
import {
  bareFunction,
  type FunctionWithId,
  type ModelFunction,
  model,
  modelFunction,
  PRODUCT_FUNCTIONS_MAX,
} from './function-definition.ts';
import { fromTsl, isTsl } from './tsl/from-tsl.ts';

/** Something that an import or export could not convert exactly, and how it was converted. */
export type ModelNote = { place: string; text: Text };

export const MODEL_FORMAT = 'device-center-model';

export type ModelFile = {
  format: typeof MODEL_FORMAT;
  formatVersion: 1;
  name: string;
  functions: ModelFunction[];
};

/** Content of an exported file. Omits ids, which are meaningless for another product. */
export const modelFile = (name: string, functions: ModelFunction[]): ModelFile => ({
  format: MODEL_FORMAT,
  formatVersion: 1,
  name,
  functions: functions.map(bareFunction),
});

export type ModelRead =
  | { ok: true; format: 'json' | 'tsl'; functions: ModelFunction[]; notes: ModelNote[] }
  | { ok: false; problems: FieldError[] };

const notJson: Text = { zh_CN: '不是有效的 JSON', en_US: 'Not valid JSON' };

const functionsOf = (value: unknown): unknown[] | null => {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || !('functions' in value)) return null;
  return Array.isArray(value.functions) ? value.functions : null;
};

const withoutId = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { id: _id, ...rest } = value as Record<string, unknown>;
  return rest;
};

const TSL_LISTS = ['properties', 'events', 'services'] as const;
/** TSL lists its three property calls as functions too; the import skips them. */
const TSL_ENTRIES_MAX = PRODUCT_FUNCTIONS_MAX + 3;

const entriesOf = (tsl: unknown): number =>
  TSL_LISTS.reduce((count, name) => {
    const list = (tsl as Record<string, unknown>)[name];
    return count + (Array.isArray(list) ? list.length : 0);
  }, 0);

const functionList = model(modelFunction, PRODUCT_FUNCTIONS_MAX);

type Issue = z.core.$ZodIssue;
type ReadFunctions = { format: 'json' | 'tsl'; functions: ModelFunction[]; notes: ModelNote[] };

const tooBigIssue = (message: FieldTextKey, path: string[]): { issues: Issue[] } => ({
  issues: [{ code: 'too_big', origin: 'array', maximum: PRODUCT_FUNCTIONS_MAX, message, path, input: undefined }],
});

/** Checks the number of entries before parsing them, to reject huge files early. */
const parseModel = (value: unknown): ReadFunctions | { issues: Issue[] } => {
  const tsl = isTsl(value);
  const given = tsl ? null : functionsOf(value);
  if (!tsl && !given) return tooBigIssue('NOT_A_MODEL', []);
  if (tsl ? entriesOf(value) > TSL_ENTRIES_MAX : (given?.length ?? 0) > PRODUCT_FUNCTIONS_MAX)
    return tooBigIssue('ENTRIES_MANY', ['functions']);
  const { functions, notes } = tsl ? fromTsl(value) : { functions: given?.map(withoutId), notes: [] };
  const parsed = functionList.safeParse(functions, { reportInput: true });
  if (parsed.success) return { format: tsl ? 'tsl' : 'json', functions: parsed.data, notes };
  return { issues: parsed.error.issues.map((issue) => ({ ...issue, path: ['functions', ...issue.path] })) };
};

/** Reads a model from parsed JSON: an export of this platform, a list of functions, or TSL. */
export const readModel = (value: unknown, language: Language): ModelRead => {
  const read = parseModel(value);
  if ('issues' in read) return { ok: false, problems: fieldErrors(read.issues, language) };
  return { ok: true, ...read };
};

/** Schema of a model file, as JSON or its text. */
export const modelContent = () =>
  z.transform<object | string, ReadFunctions>((value, { issues }) => {
    const read = parseModel(readJson(value));
    if (!('issues' in read)) return read;
    for (const issue of read.issues) issues.push({ ...issue, path: [...issue.path] } as never);
    return z.NEVER;
  });

export const readModelText = (text: string, language: Language): ModelRead => {
  try {
    return readModel(JSON.parse(text), language);
  } catch {
    return { ok: false, problems: [{ field: '', message: notJson[language] }] };
  }
};

/** A function with the same identifier and type keeps its id; with another type it is a new function. */
const withIdOf = (present: FunctionWithId[], entry: ModelFunction): FunctionWithId => {
  const was = present.find(
    ({ signCode, functionType }) => signCode === entry.signCode && functionType === entry.functionType,
  );
  return was?.id === undefined ? entry : { ...entry, id: was.id };
};

/** Imports the functions of a file into a model: replaces the model, or merges by identifier. */
export const mergeModels = (
  present: FunctionWithId[],
  read: ModelFunction[],
  mode: 'replace' | 'merge',
): FunctionWithId[] => {
  if (mode === 'replace') return read.map((entry) => withIdOf(present, entry));
  const incoming = new Map(read.map((entry) => [entry.signCode, entry]));
  const known = new Set(present.map(({ signCode }) => signCode));
  return [
    ...present.map((entry) => {
      const changed = incoming.get(entry.signCode);
      return changed ? withIdOf(present, changed) : entry;
    }),
    ...read.filter(({ signCode }) => !known.has(signCode)),
  ];
};
