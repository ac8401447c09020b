import { z } from 'zod';
import { boundedList, isDeeperThan, readJson } from '../bounded.ts';
import type { FieldTextKey } from '../field-texts.ts';
import { description, formOption, functionName, id, signCode } from '../fields.ts';
import { type DataType, DEPTH_MAX, dataType, type Param, params } from './data-type.ts';
import { systemSignCodes } from './system-functions.ts';

/** Spec §9: what a function is. The system's own (21, 31) are the hub's, and nobody adds to them. */
export const FunctionType = {
  property: 1,
  systemEvent: 21,
  event: 22,
  systemService: 31,
  service: 32,
} as const;
export type FunctionType = (typeof FunctionType)[keyof typeof FunctionType];
export type OwnFunctionType = 1 | 22 | 32;
export const ownFunctionTypes = [1, 22, 32] as const;

export const accessModes = ['rw', 'r', 'w'] as const;
export const callTypes = ['sync', 'async'] as const;
export const eventTypes = ['info', 'call', 'alarm'] as const;

export type PropertyDefinition = { accessMode: (typeof accessModes)[number]; dataType: DataType };
export type ServiceDefinition = { callType: (typeof callTypes)[number]; input: Param[]; output: Param[] };
export type EventDefinition = { eventType: (typeof eventTypes)[number]; output: Param[] };
export type FunctionDefinition = PropertyDefinition | ServiceDefinition | EventDefinition;

/** One function of a category or product. What it is, not where it is kept. */
export type ModelFunction = {
  signCode: string;
  functionName: string;
  description: string;
} & (
  | { functionType: 1; functionDefinition: PropertyDefinition }
  | { functionType: 32; functionDefinition: ServiceDefinition }
  | { functionType: 22; functionDefinition: EventDefinition }
);

export const DEFINITION_MAX_BYTES = 64 * 1024;
/** What a whole model may be on the wire. */
export const MODEL_MAX_BYTES = 8 * 1024 * 1024;
/** A category's functions are one page of getOpenFunctions. */
export const CATEGORY_FUNCTIONS_MAX = 200;
export const PRODUCT_FUNCTIONS_MAX = 500;

const property: z.ZodType<PropertyDefinition> = z.strictObject({ accessMode: z.enum(accessModes), dataType });

const service: z.ZodType<ServiceDefinition> = z
  .strictObject({
    callType: z.enum(callTypes),
    input: params(0).default([]),
    output: params(0).default([]),
  })
  .refine(({ input, output }) => input.length + output.length > 0, { error: 'NO_PARAMETER', path: ['input'] });

/** As an earlier version took it: without parameters too. */
const storedEvent: z.ZodType<EventDefinition> = z.strictObject({
  eventType: z.enum(eventTypes),
  output: params(0).default([]),
});

const event: z.ZodType<EventDefinition> = storedEvent.refine(({ output }) => output.length > 0, {
  error: 'EVENT_NO_PARAMETER',
  path: ['output'],
});

export const definitions = { 1: property, 22: event, 32: service } as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Told by what only this kind has; a definition of no kind at all is none. */
export const kindOf = (definition: unknown): OwnFunctionType | null => {
  if (!isObject(definition)) return null;
  if ('accessMode' in definition || 'dataType' in definition) return FunctionType.property;
  if ('callType' in definition || 'input' in definition) return FunctionType.service;
  return 'eventType' in definition || 'output' in definition ? FunctionType.event : null;
};

// A data type within a json field is four objects further down: fields, the parameter, its data type.
const DEPTH_OF_JSON = 4 + DEPTH_MAX * 3;

/** Looked at before anything else, level by level: a text of a thousand brackets must not exhaust the stack. */
const isTooDeep = (definition: unknown): boolean => isDeeperThan(definition, DEPTH_OF_JSON);

const depthOf = (type: DataType): number => {
  if (type.type === 'array') return 1 + depthOf(type.element);
  if (type.type === 'json') return 1 + Math.max(...type.fields.map((field) => depthOf(field.dataType)));
  return 1;
};

export const dataTypesOf = (definition: FunctionDefinition): DataType[] => {
  if ('dataType' in definition) return [definition.dataType];
  const input = 'input' in definition ? definition.input : [];
  return [...input, ...definition.output].map((entry) => entry.dataType);
};

/**
 * Chooses the schema by looking at the value, so that a refusal points into what was meant. A union would say of
 * every place that it is wrong.
 */
export const chosenBy = <Output, Sent>(choose: (value: unknown) => z.ZodType<Output> | FieldTextKey) =>
  z.transform<Sent, Output>((value, { issues }) => {
    const schema = choose(value);
    if (typeof schema === 'string') {
      issues.push({ code: 'custom', input: value, message: schema });
      return z.NEVER;
    }
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) issues.push({ ...issue, path: [...issue.path] } as never);
    return z.NEVER;
  });

const limited = (schema: z.ZodType<FunctionDefinition>): z.ZodType<FunctionDefinition> =>
  schema
    .refine((value) => dataTypesOf(value).every((type) => depthOf(type) <= DEPTH_MAX), { error: 'TOO_DEEP' })
    .refine((value) => JSON.stringify(value).length <= DEFINITION_MAX_BYTES, { error: 'DEFINITION_TOO_LARGE' });

const limitedDefinitions = { 1: limited(property), 22: limited(event), 32: limited(service) };
const storedDefinitions = { ...limitedDefinitions, 22: limited(storedEvent) };

/** A definition, as JSON or as JSON text in a form. With a type it must be of that type. */
export const functionDefinition = (type?: OwnFunctionType, schemas = limitedDefinitions) =>
  z.pipe(
    z.transform<FunctionDefinition, unknown>(readJson),
    chosenBy<FunctionDefinition, unknown>((value) => {
      if (value === undefined || value === null || value === '') return 'REQUIRED';
      if (isTooDeep(value)) return 'TOO_DEEP';
      if (JSON.stringify(value).length > DEFINITION_MAX_BYTES) return 'DEFINITION_TOO_LARGE';
      const kind = kindOf(value);
      if (kind === null || (type !== undefined && kind !== type)) return 'DEFINITION_KIND';
      return schemas[kind];
    }),
  );

/** The same as it was stored, perhaps by an earlier version. */
export const storedDefinition = () => functionDefinition(undefined, storedDefinitions);

export const functionFields = {
  signCode: signCode(),
  functionName: functionName(),
  functionType: formOption(ownFunctionTypes),
  description: description().default(''),
  functionDefinition: functionDefinition(),
};

type Checked = { signCode: string; functionType: OwnFunctionType; functionDefinition: FunctionDefinition };

/** What no single field can tell: the definition fits the type, and the word is not the system's. */
export const functionProblem = ({
  signCode: word,
  functionType,
  functionDefinition: definition,
}: Checked): { field: 'signCode' | 'functionDefinition'; key: FieldTextKey } | null => {
  if (systemSignCodes(functionType).has(word)) return { field: 'signCode', key: 'IDENTIFIER_RESERVED' };
  if (kindOf(definition) !== functionType) return { field: 'functionDefinition', key: 'DEFINITION_KIND' };
  return null;
};

const fits = ({ value, issues }: z.core.ParsePayload<Checked>): void => {
  const problem = functionProblem(value);
  if (problem) issues.push({ code: 'custom', input: value, path: [problem.field], message: problem.key });
};

/** A whole function, as in a file; the same rules as the single calls. */
export const modelFunction: z.ZodType<ModelFunction> = z.strictObject(functionFields).check(fits) as never;

/** A function that is kept somewhere keeps its id. */
export type KeptFunction = ModelFunction & { id?: string | undefined };
const kept = z
  .strictObject({ id: id().optional(), ...functionFields, functionDefinition: storedDefinition() })
  .check(fits);

/** What a hub sends of a model that it has stored: read with the rules of the version that took it. */
export const storedFunction: z.ZodType<KeptFunction> = kept as never;

export const hasNoParameter = ({ functionType, functionDefinition: definition }: ModelFunction): boolean =>
  functionType === FunctionType.event && definition.output.length === 0;

/** One that has an id is stored already, and may stay as an earlier version took it. */
export const keptFunction: z.ZodType<KeptFunction> = kept.check(({ value, issues }) => {
  const isNewWithout = value.id === undefined && hasNoParameter(value as ModelFunction);
  if (!isNewWithout) return;
  const path = ['functionDefinition', 'output'];
  issues.push({ code: 'custom', input: value.functionDefinition, path, message: 'EVENT_NO_PARAMETER' });
}) as never;

const distinct = ({ value, issues }: z.core.ParsePayload<{ signCode: string; id?: string | undefined }[]>): void => {
  for (const key of ['signCode', 'id'] as const) {
    const seen = new Set<string>();
    for (const [index, entry] of value.entries()) {
      const word = entry[key];
      if (word === undefined) continue;
      if (seen.has(word)) issues.push({ code: 'custom', input: entry, path: [index, key], message: 'DUPLICATE' });
      seen.add(word);
    }
  }
};

/** All functions of one owner; an identifier stands once. */
export const model = <Fn extends ModelFunction>(item: z.ZodType<Fn>, max: number) =>
  boundedList(item, { max, tooMany: 'ENTRIES_MANY', read: readJson }).check(distinct as never);

export const modelOfProduct = () => model(keptFunction, PRODUCT_FUNCTIONS_MAX);
export const storedModelOfProduct = () => model(storedFunction, PRODUCT_FUNCTIONS_MAX);
export const modelOfCategory = () => model(keptFunction, CATEGORY_FUNCTIONS_MAX);

/** Without what only its keeper knows. */
export const bareFunction = (entry: KeptFunction): ModelFunction =>
  ({
    signCode: entry.signCode,
    functionName: entry.functionName,
    functionType: entry.functionType,
    description: entry.description,
    functionDefinition: entry.functionDefinition,
  }) as ModelFunction;
