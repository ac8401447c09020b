import { type DataType, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, type Param } from '../data-type.ts';
import type { ModelFunction } from '../function-definition.ts';

export type JsonSchema = Record<string, unknown>;

/** As strict as `checkValue`: no leading zeros, no plus sign, no -0. */
const LONG_PATTERN = '^(?:0|-?[1-9][0-9]{0,18})$';

const without = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined && value !== ''));

const described = (...sentences: (string | undefined)[]): string | undefined =>
  sentences.filter((sentence) => sentence).join('; ') || undefined;

const guide = ({ step, unit }: { step?: number | string | undefined; unit?: string | undefined }) =>
  described(unit === undefined ? '' : `unit: ${unit}`, step === undefined ? '' : `step: ${step}`);

const objectOf = (params: Param[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    params.map(({ identifier, name, dataType }) => [identifier, { title: name, ...jsonSchemaOfDataType(dataType) }]),
  ),
  required: params.filter(({ required }) => required).map(({ identifier }) => identifier),
  additionalProperties: false,
});

/**
 * Schema of one value, without title and description. JSON Schema cannot compare numbers in text, so the limits of a
 * long are in `x-minimum` and `x-maximum`.
 */
export const jsonSchemaOfDataType = (type: DataType): JsonSchema => {
  switch (type.type) {
    case 'integer':
      return without({
        type: 'integer',
        minimum: type.min ?? INT32_MIN,
        maximum: type.max ?? INT32_MAX,
        description: guide(type),
      });
    case 'long':
      return without({
        type: 'string',
        pattern: LONG_PATTERN,
        'x-minimum': type.min ?? String(INT64_MIN),
        'x-maximum': type.max ?? String(INT64_MAX),
        description: guide(type),
      });
    case 'double':
      return without({ type: 'number', minimum: type.min, maximum: type.max, description: guide(type) });
    case 'enum':
      return {
        type: 'string',
        enum: type.items.map(({ value }) => value),
        description: type.items.map(({ value, description }) => `${value}: ${description}`).join('; '),
      };
    case 'boolean':
      return without({
        type: 'boolean',
        description: described(
          type.trueText === undefined ? '' : `true: ${type.trueText}`,
          type.falseText === undefined ? '' : `false: ${type.falseText}`,
        ),
      });
    case 'string':
      return { type: 'string', maxLength: type.length };
    case 'json':
      return objectOf(type.fields);
    case 'array':
      return { type: 'array', items: jsonSchemaOfDataType(type.element), maxItems: type.count };
  }
};

/** The values of a function, by the words of their path. */
const partsOf = (entry: ModelFunction): [part: string, schema: JsonSchema][] => {
  if (entry.functionType === 1) return [['value', jsonSchemaOfDataType(entry.functionDefinition.dataType)]];
  if (entry.functionType === 22) return [['output', objectOf(entry.functionDefinition.output)]];
  const { input, output } = entry.functionDefinition;
  return [
    ['input', objectOf(input)],
    ['output', objectOf(output)],
  ];
};

const definitionName = (entry: ModelFunction, part: string): string => {
  if (entry.functionType === 1) return `property.${entry.signCode}`;
  return entry.functionType === 22 ? `event.${entry.signCode}` : `service.${entry.signCode}.${part}`;
};

const reference = (entry: ModelFunction, part: string): JsonSchema => ({
  $ref: `#/$defs/${encodeURIComponent(definitionName(entry, part))}`,
});

const closed = (properties: JsonSchema): JsonSchema => ({ type: 'object', properties, additionalProperties: false });

const calls = (entry: ModelFunction): JsonSchema => ({
  ...closed({ input: reference(entry, 'input'), output: reference(entry, 'output') }),
  title: entry.functionName,
});

/** Generates one document with the schema of each property, service and event, and of all of them together. */
export const jsonSchemaOf = (functions: ModelFunction[], title: string): JsonSchema => {
  const listed = (functionType: number, schemaOf: (entry: ModelFunction) => JsonSchema): JsonSchema =>
    closed(
      Object.fromEntries(
        functions
          .filter((entry) => entry.functionType === functionType)
          .map((entry) => [entry.signCode, schemaOf(entry)]),
      ),
    );
  const definitions = functions.flatMap((entry) =>
    partsOf(entry).map(([part, schema]) => {
      const description = described(entry.description, schema.description as string | undefined);
      return [definitionName(entry, part), without({ title: entry.functionName, ...schema, description })];
    }),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...closed({
      properties: listed(1, (entry) => reference(entry, 'value')),
      services: listed(32, calls),
      events: listed(22, (entry) => reference(entry, 'output')),
    }),
    $defs: Object.fromEntries(definitions),
  };
};
