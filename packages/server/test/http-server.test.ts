import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { allCalls, applicationCalls, type Failure, personalCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${hub.url}${path}`, { headers });
const me = personalCalls.getPersonalMessage.path;
const applications = applicationCalls.queryApplicationList.path;
const asAdmin = () => ({ Authorization: hub.admin.token });

const dial = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(hub.url);
    const socket = connect(Number(port), '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });

/** Raw requests that fetch would not send. */
const raw = async (text: string): Promise<string> => {
  const socket = await dial();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.write(text);
  await ended;
  return Buffer.concat(chunks).toString();
};

describe('health and metrics', () => {
  it('report liveness and readiness without login', async () => {
    const live = await get('/health/live');
    expect([live.status, await live.json()]).toEqual([200, { status: 'up' }]);
    const ready = await get('/health/ready');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ready',
      checks: { database: true, deviceProcess: true, writable: true },
    });
  });

  it('count each call by name and status', async () => {
    const count = async (status: number): Promise<number> => {
      const text = await (await get('/metrics')).text();
      const line = `http_request_duration_seconds_count{call="personal.getPersonalMessage",status="${status}"} `;
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.slice(line.length) ?? 0,
      );
    };
    const before = [await count(200), await count(401)];
    await get(me, asAdmin());
    await get(me, asAdmin());
    await get(me);
    expect([await count(200), await count(401)]).toEqual([(before[0] ?? 0) + 2, (before[1] ?? 0) + 1]);
    const metrics = await get('/metrics');
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await metrics.text()).toMatch(/^process_resident_memory_bytes \d+/m);
  });
});

describe('the API description', () => {
  type Operation = {
    operationId: string;
    security: unknown[];
    parameters?: { name: string; in: string; schema: unknown }[];
    requestBody?: { content: Record<string, { schema: { properties?: object } }> };
    responses: Record<string, { description: string; content: object }>;
  };
  type OpenApi = {
    openapi: string;
    info: { title: string; version: string };
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
  };

  it('is OpenAPI 3.1 with every call, and no other', async () => {
    const answer = await get('/openapi.json');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const text = await answer.text();
    const document = JSON.parse(text) as OpenApi;
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Device Center', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        // Uploads speak a protocol of their own.
        .filter(([, operation]) => !('x-protocol' in operation))
        .map(([method, operation]) => ({ path, method, operation })),
    );
    const named = operations.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`);
    const expected = allCalls.map(
      ({ slice, name, call }) => `${slice}.${name} ${call.method.toLowerCase()} ${call.path}`,
    );
    expect(named.sort()).toEqual(expected.sort());

    for (const { method, operation } of operations) {
      const { call } = allCalls.find(({ slice, name }) => `${slice}.${name}` === operation.operationId) ?? {};
      expect(Object.keys(operation.responses).sort()).toEqual(['200', '4XX', 'default']);
      for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('');
      if (call?.access !== 'public') expect(operation.security).toEqual([{ bearer: [] }]);
      const errors = JSON.stringify(operation.responses.default?.content);
      expect(errors.includes('/CommandResult')).toBe(call?.failureData !== undefined);
      const fields = Object.keys(call?.input.shape ?? {});
      if (method === 'get' || method === 'delete') {
        expect(operation.requestBody).toBeUndefined();
        expect(operation.parameters?.map((parameter) => parameter.name)).toEqual(fields);
        for (const parameter of operation.parameters ?? [])
          expect(parameter).toMatchObject({ in: 'query', schema: {} });
      } else {
        const types = [
          ...(call?.file ? [] : ['application/json', 'application/x-www-form-urlencoded']),
          ...(call?.file || call?.files ? ['multipart/form-data'] : []),
        ];
        expect(Object.keys(operation.requestBody?.content ?? {}).sort()).toEqual(types);
        const { schema } = operation.requestBody?.content[types[0] ?? ''] ?? {};
        expect(Object.keys(schema?.properties ?? {})).toEqual([...fields, ...(call?.file ? [call.file.field] : [])]);
      }
    }
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? ''));
    expect(references).toContain('#/components/schemas/Failure');
    for (const reference of references) {
      const name = /^#\/components\/schemas\/([\w.-]+)$/.exec(reference)?.[1] ?? reference;
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('is readable in both languages', async () => {
    const page = async (query: string, language: string) => {
      const answer = await get(`/docs${query}`, { 'Accept-Language': language });
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      return answer.text();
    };
    const [chinese, english] = [await page('', 'zh-CN'), await page('', 'en-US')];
    expect(chinese).toContain('<html lang="zh-CN">');
    expect(english).toContain('<html lang="en">');
    expect(await page('?language=en_US', 'zh-CN')).toBe(english);
    expect(await page('?language=zh_CN', 'en-US')).toBe(chinese);
    for (const text of [chinese, english]) {
      for (const { call } of allCalls) expect(text).toContain(`<code>${call.path}</code>`);
      // The page obeys the policy that it is sent with.
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    }
    expect(english.replaceAll('简体中文', '').replaceAll(/\\u[0-9a-f]{4}/g, '')).not.toMatch(/[一-鿿]/);
    expect((await get('/docs.css')).headers.get('content-type')).toMatch(/^text\/css/);
  });
});

describe('every response', () => {
  it.each([
    ['a call', me],
    ['a refusal', '/iot-hub/admin/none'],
    ['the documentation', '/docs'],
    ['the health', '/health/live'],
    ['the root', '/'],
  ])('has restrictive headers: %s', async (_what, path) => {
    const { headers } = await get(path, { ...asAdmin(), Accept: 'text/html' });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('of a call must not be cached', async () => {
    for (const headers of [asAdmin(), {}])
      expect((await get(me, headers)).headers.get('cache-control')).toBe('no-store');
  });

  it('to an unknown call is the envelope, in the caller’s language', async () => {
    for (const [language, message] of [
      ['en-US', 'Endpoint does not exist'],
      ['zh-CN', '接口不存在'],
    ] as const) {
      const answer = await get('/iot-hub/admin/none', { 'Accept-Language': language, Accept: 'text/html' });
      expect(answer.status).toBe(404);
      const { requestId, ...rest } = (await answer.json()) as Failure;
      expect(rest).toEqual({ success: false, statusCode: 404, code: 'ENDPOINT_NOT_FOUND', message, data: null });
      expect(requestId).toBe(answer.headers.get('x-request-id'));
    }
  });

  it('to a page’s address is the console, when it is built', async () => {
    const answer = await get('/systemConfig/roleList', { Accept: 'text/html,*/*' });
    const text = await answer.text();
    if (existsSync(new URL('../../console/dist/index.html', import.meta.url))) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toMatch(/^<!doctype html>/i);
      expect(answer.headers.get('content-security-policy')).toMatch(/style-src 'self' 'nonce-[\w+/=]{24}'/);
    } else {
      expect(answer.status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ code: 'ENDPOINT_NOT_FOUND' });
    }
    const program = await get('/systemConfig/roleList', { Accept: 'application/json' });
    expect([program.status, await program.json()]).toMatchObject([404, { code: 'ENDPOINT_NOT_FOUND' }]);
  });
});

describe('malformed requests', () => {
  const putApplication = (type: string, body: string, query = '') =>
    fetch(`${hub.url}${applicationCalls.addApplication.path}${query}`, {
      method: 'PUT',
      headers: { ...asAdmin(), 'Content-Type': type },
      body,
    });
  const made = (name: string) =>
    hub.db.selectFrom('application').selectAll().where('application_name', '=', name).execute();

  it('cannot reach a prototype by JSON', async () => {
    const name = unique('app');
    for (const poison of [
      '"__proto__":{"enabled":0,"polluted":1}',
      '"constructor":{"prototype":{"polluted":1}}',
      '"constructor":"x"',
      '"a":{"__proto__":{"polluted":1}}',
      '"prototype":{"polluted":1}',
    ]) {
      const answer = await putApplication('application/json', `{"applicationName":"${name}",${poison}}`);
      expect(answer.status).toBe(400);
      expect(['MALFORMED_BODY', 'BAD_INPUT']).toContain(((await answer.json()) as Failure).code);
    }
    expect(await made(name)).toEqual([]);
  });

  it('cannot reach a prototype by form or query', async () => {
    const name = unique('app');
    const poison = '__proto__=x&__proto__[polluted]=1&constructor[prototype][polluted]=1&constructor=y&toString=z';
    const form = 'application/x-www-form-urlencoded';
    const answer = await putApplication(form, `applicationName=${name}&${poison}`, `?${poison}`);
    expect(answer.status).toBe(200);
    expect(await made(name)).toMatchObject([{ enabled: 1, tenancy_id: '1', creator: 'admin' }]);
    const later = await (await get(`${applications}?${poison}`, asAdmin())).text();
    expect(later).not.toContain('polluted');
    expect(JSON.parse(later)).toMatchObject({ success: true, data: { pageIndex: 1, pageSize: 10 } });
  });

  it('cannot crash the hub by query strings', async () => {
    const status = async (query: string) => (await get(`${applications}?${query}`, asAdmin())).status;
    expect(await status('pageIndex=1&pageIndex=2')).toBe(400);
    expect(await status('pageIndex[]=1')).toBe(200);
    expect(await status('pageSize=')).toBe(400);
    expect(await status('&&&=&=x&?&a[b]=1&%20=%20')).toBe(200);
    expect(await status(Array.from({ length: 2_000 }, (_, index) => `k${index}=`).join('&'))).toBe(200);
    expect(await status(`searchValue=${'x'.repeat(101)}`)).toBe(400);
    expect([200, 400]).toContain(await status('searchValue=%00'));
    expect([200, 400]).toContain(await status('searchValue=%E0%A4%A'));
    expect([200, 400]).toContain(await status('searchValue=%FF%FE'));
    const huge = `GET ${applications}?x=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: hub\r\n\r\n`;
    expect(await raw(huge)).toMatch(/^HTTP\/1\.1 431 /);
    expect(await raw('GET / HTTP/9.9\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('\x16\x03\x01\x02nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await status('pageIndex=1')).toBe(200);
  });

  it('that are incomplete do not block others', async () => {
    const halves = await Promise.all(Array.from({ length: 100 }, dial));
    for (const [index, socket] of halves.entries()) {
      const put = `PUT ${applicationCalls.addApplication.path} HTTP/1.1\r\nHost: hub\r\n`;
      const headers = `${put}Authorization: ${hub.admin.token}\r\nContent-Type: application/json\r\n`;
      socket.write(index % 2 ? put : `${headers}Content-Length: 1000\r\n\r\n{"applicationName":`);
    }
    const started = Date.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(me, asAdmin())));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(Date.now() - started).toBeLessThan(20_000);
    for (const socket of halves) socket.destroy();
    expect((await get('/health/ready')).status).toBe(200);
  });
});
