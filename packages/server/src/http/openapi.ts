import { allCalls, type Call, type NamedCall } from '@device-center/contract';
import { type Components, type Json, schemaOf } from './openapi/schemas.ts';
import { sliceTags } from './openapi/slices.ts';
import { uploadPaths } from './openapi/upload.ts';

const REJECTED = 'Rejected or failed; `code` tells why';

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
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name) && !('default' in schema),
    ...(description ? { description } : {}),
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

/** OpenAPI 3.1 cannot describe the events of a stream by a schema, so this text does. */
const STREAM = `Server-sent events until the caller disconnects. \`event\` is one of \`kinds\`, \`id\` is a value for \`cursor\`, \`data\` is JSON: a MessageRecord (message), DeviceLogLine (log), LatestValue with deviceId (value), or an object with the device and what happened (presence, event), counts (count), or a list of tasks (upgrade).`;

const answer = ({ slice, name, call }: NamedCall, components: Components): Json => {
  if (call.answersStream)
    return { description: STREAM, content: { 'text/event-stream': { schema: { type: 'string' } } } };
  if (call.answersFile)
    return { description: 'The file', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
  const data = schemaOf(call.output, 'output', `${slice}.${name}`, components);
  return { description: 'Done', content: { 'application/json': { schema: envelope(data) } } };
};

const failureContent = ({ slice, name, call }: NamedCall, components: Components): Json => {
  if (!call.failureData) return { $ref: '#/components/schemas/Failure' };
  const data = schemaOf(call.failureData, 'output', `${slice}.${name}.failure`, components);
  return failure({ anyOf: [data, { type: 'null' }] });
};

const BEARER = { bearer: [] };
/** Devices use these calls before they have a token. */
const BEFORE_TOKEN = ['loginDevice', 'getFirmwareKey'];

const securityOf = ({ slice, name, call }: NamedCall): Json[] => {
  // Some brokers send no header: their key is in the URL.
  if (slice === 'brokerAuth') return [BEARER, {}];
  const isOpen = call.access === 'public' && (!call.forDevices || BEFORE_TOKEN.includes(name));
  return isOpen ? [] : [BEARER];
};

const operation = (entry: NamedCall, components: Components): Json => {
  const { slice, name, call } = entry;
  const input = schemaOf(call.input, 'input', `${slice}.${name}`, components);
  const inQuery = call.method === 'GET' || call.method === 'DELETE';
  const rejected = {
    description: REJECTED,
    content: { 'application/json': { schema: failureContent(entry, components) } },
  };
  return {
    operationId: `${slice}.${name}`,
    tags: [slice],
    summary: call.summary.en_US,
    security: securityOf(entry),
    'x-access': call.access,
    ...(call.platformOnly ? { 'x-platform-only': true } : {}),
    ...(call.requiresUserSession ? { 'x-person-only': true } : {}),
    ...(inQuery ? { parameters: queryParameters(input) } : { requestBody: requestBody(call, input) }),
    responses: { 200: answer(entry, components), '4XX': rejected, default: rejected },
  };
};

/** OpenAPI 3.1, generated from the contract; only uploads are described by hand. */
export const openapi = (version: string): Json => {
  const paths = new Map<string, Json>();
  const components: Components = new Map([['Failure', failure({ type: 'null' })]]);
  for (const entry of allCalls) {
    const { path, method } = entry.call;
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: operation(entry, components) });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Device Center', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'The hub that served this document' }],
    tags: sliceTags,
    paths: { ...Object.fromEntries(paths), ...uploadPaths },
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, or the token of a login (of a user, or for devices of a device): `Authorization: Bearer …`. A token is also accepted without the word Bearer.',
        },
      },
    },
  };
};
