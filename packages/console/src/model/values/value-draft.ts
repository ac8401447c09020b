import { checkValue, type DataType, type ModelFunction, type Param, type ValueProblem } from '@device-center/contract';

/** A value while it is being edited: the content of the fields, valid or not. */
export type Draft =
  | { kind: 'text'; text: string }
  | { kind: 'flag'; on: boolean }
  | { kind: 'fields'; fields: ReadonlyMap<string, FieldDraft> }
  | { kind: 'list'; entries: readonly ListEntry[] };

/** An optional field may be omitted, which differs from being empty. */
export type FieldDraft = { included: boolean; draft: Draft };
/** Entries have a unique key, since two may contain the same value. */
export type ListEntry = { key: number; draft: Draft };

let lastKey = 0;
export const newEntry = (draft: Draft): ListEntry => ({ key: ++lastKey, draft });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsDraft = (params: readonly Param[], value: unknown): Draft => {
  const known = isObject(value) ? new Map(Object.entries(value)) : new Map<string, unknown>();
  return {
    kind: 'fields',
    fields: new Map(
      params.map(({ identifier, dataType, required }) => [
        identifier,
        { included: required || known.has(identifier), draft: draftOf(dataType, known.get(identifier)) },
      ]),
    ),
  };
};

/** The draft of a value; empty fields if the value is missing or does not fit the type. */
export const draftOf = (type: DataType, value?: unknown): Draft => {
  switch (type.type) {
    case 'integer':
    case 'double':
      return { kind: 'text', text: typeof value === 'number' ? String(value) : '' };
    case 'long':
    case 'string':
    case 'enum':
      return { kind: 'text', text: typeof value === 'string' ? value : '' };
    case 'boolean':
      return { kind: 'flag', on: value === true };
    case 'json':
      return fieldsDraft(type.fields, value);
    case 'array':
      return {
        kind: 'list',
        entries: Array.isArray(value) ? value.map((entry: unknown) => newEntry(draftOf(type.element, entry))) : [],
      };
  }
};

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A text that is not a number is returned as typed, so that the model's validation reports it. */
const readNumber = (text: string): unknown => {
  const typed = text.trim();
  if (typed === '') return undefined;
  return NUMBER.test(typed) ? Number(typed) : typed;
};

const readText = (type: DataType, text: string): unknown => {
  if (type.type === 'integer' || type.type === 'double') return readNumber(text);
  if (type.type === 'long') return text.trim() === '' ? undefined : text.trim();
  if (type.type === 'enum') return text === '' ? undefined : text;
  return text;
};

const readFields = (params: readonly Param[], fields: ReadonlyMap<string, FieldDraft>): Record<string, unknown> =>
  Object.fromEntries(
    params.flatMap(({ identifier, dataType }): [string, unknown][] => {
      const field = fields.get(identifier);
      if (field?.included !== true) return [];
      const value = valueFrom(dataType, field.draft);
      return value === undefined ? [] : [[identifier, value]];
    }),
  );

/** The value to send; undefined if nothing was entered. */
export const valueFrom = (type: DataType, draft: Draft): unknown => {
  switch (draft.kind) {
    case 'text':
      return readText(type, draft.text);
    case 'flag':
      return draft.on;
    case 'fields':
      return type.type === 'json' ? readFields(type.fields, draft.fields) : undefined;
    case 'list':
      return type.type === 'array' ? draft.entries.map((entry) => valueFrom(type.element, entry.draft)) : undefined;
  }
};

/** A function that can be sent to a device: a property or a service. */
export type Sendable = ModelFunction & { functionType: 1 | 32 };

/** The type of the value to enter. A service's input is edited like an object. */
export const inputType = (entry: Sendable): DataType =>
  entry.functionType === 1
    ? entry.functionDefinition.dataType
    : { type: 'json', fields: entry.functionDefinition.input };

/** The type of the value that a device reports: a property's value, or the output of an event or service. */
export const outputType = (entry: ModelFunction): DataType =>
  entry.functionType === 1
    ? entry.functionDefinition.dataType
    : { type: 'json', fields: entry.functionDefinition.output };

export const isWritable = (entry: ModelFunction): entry is Sendable =>
  entry.functionType === 32 || (entry.functionType === 1 && entry.functionDefinition.accessMode !== 'r');

export const isReadable = (entry: ModelFunction): boolean =>
  entry.functionType === 1 && entry.functionDefinition.accessMode !== 'w';

export const pathKey = (path: readonly (string | number)[]): string => JSON.stringify(path);

/** The first problem of each path, with the texts of the model's validation. */
export const problemsOf = (type: DataType, draft: Draft): Map<string, ValueProblem> => {
  const found = new Map<string, ValueProblem>();
  for (const problem of checkValue(type, valueFrom(type, draft))) {
    const key = pathKey(problem.path);
    if (!found.has(key)) found.set(key, problem);
  }
  return found;
};
