import { type Call, everyCall, type NamedCall } from '@device-center/contract';
import { z } from 'zod';
import { uploadPaths } from './openapi-upload.ts';

type Json = Record<string, unknown>;

type Components = Map<string, unknown>;

/** A schema that refers to itself does so within its own $defs; in OpenAPI they stand among the components. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', name: string, components: Components): Json => {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', `"#/components/schemas/${name}.${io}.`);
  const { $schema: _dialect, $defs = {}, ...rest } = JSON.parse(text) as Json & { $defs?: Json };
  for (const [key, part] of Object.entries($defs)) components.set(`${name}.${io}.${key}`, part);
  return rest;
};

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'statusCode', 'message', 'data'],
  properties: {
    success: { const: true },
    statusCode: { const: 200 },
    message: { type: 'string' },
    data,
  },
});

const failure = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'statusCode', 'code', 'message', 'data', 'requestId'],
  properties: {
    success: { const: false },
    statusCode: { type: 'integer' },
    code: { type: 'string' },
    message: { type: 'string' },
    data,
    requestId: { type: 'string' },
    details: {
      type: 'array',
      items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
    },
  },
});

const queryParameters = (input: Json): Json[] => {
  const properties = (input.properties ?? {}) as Record<string, Json>;
  const required = (input.required ?? []) as string[];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && !('default' in schema),
    schema,
  }));
};

const requestBody = (call: Call, input: Json): Json => {
  if (call.file) {
    const properties = { ...(input.properties as Json), [call.file.field]: { type: 'string', format: 'binary' } };
    return { required: true, content: { 'multipart/form-data': { schema: { ...input, properties } } } };
  }
  const content = { schema: input };
  const withoutFiles = { 'application/x-www-form-urlencoded': content, 'application/json': content };
  if (call.files) {
    const { field, max } = call.files;
    const names = Array.from({ length: max }, (_, index) => field.replace('{index}', String(index)));
    const files = Object.fromEntries(names.map((name) => [name, { type: 'string', format: 'binary' }]));
    const schema = { ...input, properties: { ...(input.properties as Json), ...files } };
    return { required: true, content: { 'multipart/form-data': { schema }, ...withoutFiles } };
  }
  return { required: true, content: withoutFiles };
};

const answerContent = ({ slice, name, call }: NamedCall, components: Components): Json =>
  call.answersFile
    ? { '*/*': { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: envelope(schemaOf(call.output, 'output', `${slice}.${name}`, components)) } };

const failureContent = ({ slice, name, call }: NamedCall, components: Components): Json => {
  if (!call.failureData) return { $ref: '#/components/schemas/Failure' };
  const data = schemaOf(call.failureData, 'output', `${slice}.${name}.failure`, components);
  return failure({ anyOf: [data, { type: 'null' }] });
};

const operation = (entry: NamedCall, components: Components): Json => {
  const { slice, name, call } = entry;
  const input = schemaOf(call.input, 'input', `${slice}.${name}`, components);
  const inQuery = call.method === 'GET' || call.method === 'DELETE';
  return {
    operationId: `${slice}.${name}`,
    tags: [slice],
    summary: call.summary.en_US,
    security: call.access === 'public' ? [] : [{ token: [] }],
    'x-access': call.access,
    ...(call.platformOnly ? { 'x-platform-only': true } : {}),
    ...(call.personOnly ? { 'x-person-only': true } : {}),
    ...(inQuery ? { parameters: queryParameters(input) } : { requestBody: requestBody(call, input) }),
    responses: {
      200: { description: 'Done', content: answerContent(entry, components) },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: failureContent(entry, components) } },
      },
    },
  };
};

/** OpenAPI 3.1, made from the contract; there is no second description to keep in step but that of uploads. */
export const openapi = (version: string): Json => {
  const paths = new Map<string, Json>();
  const components: Components = new Map([['Failure', failure({ type: 'null' })]]);
  for (const entry of everyCall) {
    const { path, method } = entry.call;
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: operation(entry, components) });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Device Center', version, license: { name: 'Apache-2.0' } },
    paths: { ...Object.fromEntries(paths), ...uploadPaths },
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
  };
};
