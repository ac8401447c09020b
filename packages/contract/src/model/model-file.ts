import type { FieldError } from '../envelope.ts';
import type { Language, Text } from '../language.ts';
import { fieldErrors } from '../place.ts';
import {
  bareFunction,
  type KeptFunction,
  type ModelFunction,
  model,
  modelFunction,
  PRODUCT_FUNCTIONS_MAX,
} from './function-definition.ts';
import { fromTsl, isTsl } from './tsl/from-tsl.ts';

/** Something that could not be taken over as it was, and what became of it. */
export type ModelNote = { place: string; text: Text };

export const MODEL_FORMAT = 'device-center-model';

export type ModelFile = {
  format: typeof MODEL_FORMAT;
  formatVersion: 1;
  name: string;
  functions: ModelFunction[];
};

/** What an export holds. Ids stay at home: they mean nothing to another product. */
export const modelFile = (name: string, functions: ModelFunction[]): ModelFile => ({
  format: MODEL_FORMAT,
  formatVersion: 1,
  name,
  functions: functions.map(bareFunction),
});

export type ModelRead =
  | { ok: true; format: 'json' | 'tsl'; functions: ModelFunction[]; notes: ModelNote[] }
  | { ok: false; problems: FieldError[] };

const texts = {
  notJson: { zh_CN: '不是有效的 JSON', en_US: 'This is not JSON' },
  notAModel: {
    zh_CN: '不是物模型文件：应为本平台导出的 JSON、功能数组或 TSL',
    en_US: 'This is no model: an export of this platform, a list of functions or TSL is needed',
  },
} satisfies Record<string, Text>;

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

const functionList = model(modelFunction, PRODUCT_FUNCTIONS_MAX);

/** Reads a model from JSON already parsed: our own export, a bare list of functions, or TSL. */
export const readModel = (value: unknown, language: Language): ModelRead => {
  const tsl = isTsl(value);
  const { functions, notes } = tsl ? fromTsl(value) : { functions: functionsOf(value)?.map(withoutId), notes: [] };
  if (!functions) return { ok: false, problems: [{ field: '', message: texts.notAModel[language] }] };
  const parsed = functionList.safeParse(functions, { reportInput: true });
  if (parsed.success) return { ok: true, format: tsl ? 'tsl' : 'json', functions: parsed.data, notes };
  const problems = fieldErrors(parsed.error.issues, language, ['functions']);
  return { ok: false, problems };
};

export const readModelText = (text: string, language: Language): ModelRead => {
  try {
    return readModel(JSON.parse(text), language);
  } catch {
    return { ok: false, problems: [{ field: '', message: texts.notJson[language] }] };
  }
};

/** The same identifier of the same type is the same function; of another type it is a new one. */
const withIdOf = (present: KeptFunction[], entry: ModelFunction): KeptFunction => {
  const was = present.find(
    ({ signCode, functionType }) => signCode === entry.signCode && functionType === entry.functionType,
  );
  return was?.id === undefined ? entry : { ...entry, id: was.id };
};

/** Takes the functions of a file into a model: instead of it, or beside those that the file does not name. */
export const mergeModels = (
  present: KeptFunction[],
  read: ModelFunction[],
  mode: 'replace' | 'merge',
): KeptFunction[] => {
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
