import { allCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedHub } from './in-process-hub.ts';

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  tags: string[];
  security: Json[];
  parameters?: { name: string; description?: string; schema: Json }[];
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
};
type Document = {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
};

let document: Document;
let operations: Operation[];
beforeAll(async () => {
  const { url } = await sharedHub();
  document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  operations = Object.values(document.paths).flatMap((verbs) => Object.values(verbs));
});

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every schema in the document, with the name of its field where it has one. */
const schemasIn = (part: unknown, field = ''): [string, Json][] => {
  if (!isJson(part)) return [];
  const named = isJson(part.schema) && typeof part.name === 'string' ? part.name : field;
  const inside = Object.entries(part).flatMap(([key, value]) =>
    key === 'properties' && isJson(value)
      ? Object.entries(value).flatMap(([name, schema]) => schemasIn(schema, name))
      : schemasIn(value, named),
  );
  return [[named, part], ...inside];
};

const operation = (operationId: string): Operation => {
  const [found] = operations.filter((one) => one.operationId === operationId);
  if (!found) throw new Error(`no ${operationId}`);
  return found;
};

describe('code generated from the API description', () => {
  it('has a method for each operation, in a documented group', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const groups = document.tags.map(({ name }) => name);
    expect(operations.flatMap(({ tags }) => tags).filter((tag) => !groups.includes(tag))).toEqual([]);
  });

  it('uses the server of the description', () => {
    expect(document.servers.map(({ url }) => new URL(url, 'https://iot.example.com/openapi.json').href)).toEqual([
      'https://iot.example.com/',
    ]);
  });

  it('has a name for each number of an enumeration', () => {
    const numbered = schemasIn(document).filter(
      ([, { enum: values }]) => Array.isArray(values) && values.every((value) => typeof value === 'number'),
    );
    const nameless = numbered.filter(([, { enum: values, 'x-enum-varnames': names }]) => {
      const list = Array.isArray(names) ? names : [];
      return list.length !== (values as number[]).length || new Set(list).size !== list.length || list.includes('');
    });
    expect(nameless).toEqual([]);
    expect(numbered.length).toBeGreaterThan(100);
    expect(document.components.schemas.Product).toMatchObject({
      properties: {
        classId: {
          enum: [1, 2, 3, 4, 5, 6, 7, 8],
          'x-enum-varnames': ['Home', 'Building', 'Industry', 'Energy', 'City', 'Agriculture', 'Health', 'Other'],
        },
        nodeType: { enum: [1, 2, 3], 'x-enum-varnames': ['Monomer', 'Gateway', 'Child'] },
        protocolId: { 'x-enum-varnames': ['WIFI', 'LoRaWAN', 'Ethernet', 'Cellular', 'Other'] },
      },
    });
    const { Role } = document.components.schemas;
    expect(Role).toMatchObject({ properties: { menus: { description: expect.stringMatching(/\b201 roleList\b/) } } });
  });

  it('has a type for each entity, which lists and details share', () => {
    const answersOf = (operationId: string) => JSON.stringify(operation(operationId).responses['200']?.content);
    for (const [entity, ...ids] of [
      ['Device', 'device.queryDeviceList', 'product.getProductDevices'],
      ['Product', 'product.queryDeviceProductList', 'product.getDeviceProductDetails'],
      ['UpgradeTask', 'ota.queryDeviceOtaTaskList'],
      ['MessageRecord', 'record.deviceMessageRecord'],
    ])
      for (const id of ids) expect(answersOf(id)).toContain(`"#/components/schemas/${entity}"`);
  });

  it('declares live events as a stream', () => {
    const streams = allCalls.filter(({ call }) => call.answersStream);
    expect(streams.length).toBeGreaterThan(0);
    for (const { slice, name } of streams) {
      const { content } = operation(`${slice}.${name}`).responses['200'] ?? {};
      expect(Object.keys(content ?? {})).toEqual(['text/event-stream']);
    }
  });

  it('declares where tokens of users, devices and API keys belong', () => {
    expect(document.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', description: expect.stringMatching(/API key.*Authorization: Bearer/) },
    });
    const open = operations.filter(({ security }) => security.length === 0).map(({ operationId }) => operationId);
    const publicCalls = allCalls.filter(({ slice, call }) => slice === 'account' && call.access === 'public');
    expect(open.sort()).toEqual(
      [
        ...publicCalls.map(({ slice, name }) => `${slice}.${name}`),
        ...['bucket.loginDevice', 'bucket.getFirmwareKey', 'firmware.uploadOptions', 'firmware.uploadOptionsOfFile'],
      ].sort(),
    );
  });
});
