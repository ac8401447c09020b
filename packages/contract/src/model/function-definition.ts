import { z } from 'zod';
import { boundedList, isDeeperThan, readJson } from '../bounded.ts';
import type { FieldTextKey } from '../field-texts.ts';
import { description, formOption, functionName, id, signCode } from '../fields.ts';
import { type DataType, DEPTH_MAX, dataType, type Param, params } from './data-type.ts';
import { systemSignCodes } from './system-functions.ts';

/** Function types of specification §9. The types 21 and 31 are system functions, defined by the hub. */
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

/** One function of a category or product, without storage fields. */
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
/** Size limit of a complete model in a request. */
export const MODEL_MAX_BYTES = 8 * 1024 * 1024;
/** All functions of a category must fit on one page of getOpenFunctions. */
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

/** Schema of stored events: earlier versions accepted events without parameters. */
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

/** Determines the function type from a key that only its definition has; null if there is none. */
export const kindOf = (definition: unknown): OwnFunctionType | null => {
  if (!isObject(definition)) return null;
  if ('accessMode' in definition || 'dataType' in definition) return FunctionType.property;
  if ('callType' in definition || 'input' in definition) return FunctionType.service;
  return 'eventType' in definition || 'output' in definition ? FunctionType.event : null;
};

// Each nested data type adds levels of objects: fields, the parameter, its data type.
const DEPTH_OF_JSON = 4 + DEPTH_MAX * 3;

/** Checked first, level by level: deeply nested brackets must not exhaust the stack. */
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
 * Selects the schema by the value, so that an error names the exact field. A union would report errors for every
 * alternative.
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

/** A definition, as JSON or as JSON text in a form. With `type`, it must be of that function type. */
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

/** The same for stored definitions, which an earlier version may have accepted. */
export const storedDefinition = () => functionDefinition(undefined, storedDefinitions);

export const functionFields = {
  signCode: signCode(),
  functionName: functionName(),
  functionType: formOption(ownFunctionTypes),
  description: description().default(''),
  functionDefinition: functionDefinition(),
};

type Checked = { signCode: string; functionType: OwnFunctionType; functionDefinition: FunctionDefinition };

/** Checks across fields: the definition must match the type, and the identifier must not be a system function's. */
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

/** A complete function, as in a file; same rules as the calls for single functions. */
export const modelFunction: z.ZodType<ModelFunction> = z.strictObject(functionFields).check(fits) as never;

/** A stored function, which has an id. */
export type FunctionWithId = ModelFunction & { id?: string | undefined };
const kept = z
  .strictObject({ id: id().optional(), ...functionFields, functionDefinition: storedDefinition() })
  .check(fits);

/** A function in a model received from a hub; accepts what earlier versions accepted. */
export const storedFunction: z.ZodType<FunctionWithId> = kept as never;

export const hasNoParameter = ({ functionType, functionDefinition: definition }: ModelFunction): boolean =>
  functionType === FunctionType.event && definition.output.length === 0;

/** A function with an id is already stored and may stay as an earlier version accepted it. */
export const submittedFunction: z.ZodType<FunctionWithId> = kept.check(({ value, issues }) => {
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

/** All functions of a category or product; identifiers are unique. */
export const model = <Fn extends ModelFunction>(item: z.ZodType<Fn>, max: number) =>
  boundedList(item, { max, tooMany: 'ENTRIES_MANY', read: readJson }).check(distinct as never);

export const modelOfProduct = () => model(submittedFunction, PRODUCT_FUNCTIONS_MAX);
export const storedModelOfProduct = () => model(storedFunction, PRODUCT_FUNCTIONS_MAX);
export const modelOfCategory = () => model(submittedFunction, CATEGORY_FUNCTIONS_MAX);

/** Removes storage fields. */
export const bareFunction = (entry: FunctionWithId): ModelFunction =>
  ({
    signCode: entry.signCode,
    functionName: entry.functionName,
    functionType: entry.functionType,
    description: entry.description,
    functionDefinition: entry.functionDefinition,
  }) as ModelFunction;
