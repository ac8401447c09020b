import { checkValue, type DataType, type ModelFunction, type Param, type ValueProblem } from '@device-center/contract';

/** A value while it is being typed: what is in the fields, right or wrong. */
export type Draft =
  | { kind: 'text'; text: string }
  | { kind: 'flag'; on: boolean }
  | { kind: 'fields'; fields: ReadonlyMap<string, FieldDraft> }
  | { kind: 'list'; entries: readonly ListEntry[] };

/** An optional field may be left out, which is not the same as empty. */
export type FieldDraft = { included: boolean; draft: Draft };
/** Entries are told apart by a number of their own, since two may hold the same. */
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

/** What the fields show for a value; for one that does not fit, or none, they are empty. */
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

/** What is no number stays as it was typed, so that the model's rule refuses it in its own words. */
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

/** What would be sent; undefined where nothing was typed. */
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

/** A function that can be sent: a property by its data type, a service by its input. */
export type Sendable = ModelFunction & { functionType: 1 | 32 };

/** A service's input is filled in like an object. */
export const typeToFill = (entry: Sendable): DataType =>
  entry.functionType === 1
    ? entry.functionDefinition.dataType
    : { type: 'json', fields: entry.functionDefinition.input };

/** What a device says of a function: a property's value, an event's or a service's output. */
export const typeSaid = (entry: ModelFunction): DataType =>
  entry.functionType === 1
    ? entry.functionDefinition.dataType
    : { type: 'json', fields: entry.functionDefinition.output };

export const isWritable = (entry: ModelFunction): entry is Sendable =>
  entry.functionType === 32 || (entry.functionType === 1 && entry.functionDefinition.accessMode !== 'r');

export const isReadable = (entry: ModelFunction): boolean =>
  entry.functionType === 1 && entry.functionDefinition.accessMode !== 'w';

export const placeKey = (path: readonly (string | number)[]): string => JSON.stringify(path);

/** What is wrong, by place; the words are the model's own. */
export const problemsOf = (type: DataType, draft: Draft): Map<string, ValueProblem> => {
  const found = new Map<string, ValueProblem>();
  for (const problem of checkValue(type, valueFrom(type, draft))) {
    const key = placeKey(problem.path);
    if (!found.has(key)) found.set(key, problem);
  }
  return found;
};
