import { z } from 'zod';
import { entityNames, isEntity } from './entities.ts';
import { namesOf, numbersOf, variableName } from './enums.ts';
import { descriptionOf } from './fields.ts';

export type Json = Record<string, unknown>;
export type Components = Map<string, unknown>;
type Io = 'input' | 'output';

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds names and descriptions of enum numbers, for readers and generated code. */
const withNames = (field: string, schema: Json): Json => {
  const { enum: values } = schema;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'number')) return schema;
  const names = namesOf(field, values);
  if (!names) return schema;
  const enumeration = { 'x-enum-varnames': names.map(variableName), 'x-enum-descriptions': names };
  return { ...schema, ...(schema.type === 'number' ? { type: 'integer' } : {}), ...enumeration };
};

/** Also adds them to the items and alternatives of a schema. */
const withNamesInside = (field: string, schema: Json): Json => {
  const named = withNames(field, schema);
  const inside: Json = {};
  if (isJson(named.items)) inside.items = withNamesInside(field, named.items);
  for (const kind of ['anyOf', 'oneOf'])
    if (Array.isArray(named[kind]))
      inside[kind] = named[kind].map((one: unknown) => (isJson(one) ? withNamesInside(field, one) : one));
  return { ...named, ...inside };
};

/** `1 Home, 2 Building, …` for the field or its list items. */
const numbersIn = (schema: Json): string => {
  const { enum: values, 'x-enum-descriptions': names, items } = schema;
  if (isJson(items)) return numbersIn(items);
  if (!Array.isArray(values) || !Array.isArray(names) || names.includes('No')) return '';
  return values.map((value, index) => `${value} ${names[index]}`).join(', ');
};

/** Adds the description of a field. */
export const describeField = (field: string, schema: Json, within: string, io: Io): Json => {
  const described = withNamesInside(field, schema);
  const text = [descriptionOf(field, within, io), numbersOf(field) ?? numbersIn(described)].filter(Boolean).join(': ');
  return text === '' || 'description' in described ? described : { ...described, description: text };
};

/** Converts a record with fixed keys to an object with these properties. */
const withKeys = (schema: Json): Json => {
  const { propertyNames, additionalProperties, ...rest } = schema;
  const keys = isJson(propertyNames) ? propertyNames.enum : undefined;
  if (!Array.isArray(keys) || !isJson(additionalProperties)) return schema;
  return { ...rest, properties: Object.fromEntries(keys.map((key) => [key, additionalProperties])) };
};

/** Describes each field of a schema, recursively. */
const describe = (schema: unknown, within: string, io: Io): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => describe(one, within, io));
  if (!isJson(schema)) return schema;
  const described: Json = {};
  for (const [key, value] of Object.entries(withKeys(schema))) {
    if (key !== 'properties' || !isJson(value)) {
      // The values of these keys are data, even if they look like a schema.
      described[key] = ['default', 'enum', 'const', 'examples'].includes(key) ? value : describe(value, within, io);
      continue;
    }
    const fields = Object.entries(value).map(([field, inner]) => {
      const whole = describe(inner, within, io);
      return [field, isJson(whole) ? describeField(field, whole, within, io) : whole];
    });
    described.properties = Object.fromEntries(fields);
  }
  return described;
};

/** Component name of a definition: entities keep their name, others are prefixed with that of the call. */
const componentOf = (name: string, io: Io, part: string): string =>
  io === 'output' && isEntity(part) ? part : `${name}.${io}.${part}`;

/** The schema of a call. zod puts recursive and named schemas into $defs; they become components. */
export const schemaOf = (schema: z.ZodType, io: Io, name: string, components: Components): Json => {
  const jsonSchema = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    ...(io === 'output' ? { metadata: entityNames } : {}),
  });
  const text = JSON.stringify(jsonSchema).replaceAll(
    /"#\/\$defs\/([^"]+)"/g,
    (_whole, part: string) => `"#/components/schemas/${componentOf(name, io, part)}"`,
  );
  const { $schema: _dialect, $defs = {}, ...rest } = JSON.parse(text) as Json & { $defs?: Json };
  const call = name.split('.').at(-1) ?? '';
  for (const [part, definition] of Object.entries($defs))
    components.set(componentOf(name, io, part), describe(definition, isEntity(part) ? part : call, io));
  return describe(rest, call, io) as Json;
};
