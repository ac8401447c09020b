import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { type NodeTest, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, startMosquitto, type TestBroker } from './broker-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub, startHub } from './in-process-hub.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createAuthority, innerNode, NEAR, sendParts, zoneFields } from './zone-fixtures.ts';

const PASSWORD = 'Broker-pass1';
const KEY = `dck_${'k'.repeat(43)}`;
const authority = createAuthority(temporaryFolder('node-test-'));
const { at } = authority;
const ports = { plain: 0, tls: 0, named: 0, client: 0 };
let hub: Hub;
let broker: TestBroker;
let page: Server;
let pagePort = 0;

const answers: Record<string, RequestListener> = {
  '/ok/api/bucket/sync': (request, reply) => reply.end(JSON.stringify({ asked: request.headers.authorization })),
  '/moved/api/bucket/sync': (_request, reply) => reply.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
  '/unknown/api/bucket/sync': (_request, reply) => reply.writeHead(401).end('secret of another machine'),
  '/endless/api/bucket/sync': (_request, reply) => reply.end('x'.repeat(1_000_000)),
};

beforeAll(async () => {
  hub = await startHub(NEAR);
  authority.issue('near');
  authority.issue('far', { names: 'DNS:elsewhere.example.com' });
  authority.issue('hub');
  authority.authority('foreign');
  [ports.named, ports.client] = [await freePort(), await freePort()];
  const filesOf = (name: string) => ({ ca: at('ca.crt'), cert: at(`${name}.crt`), key: at(`${name}.key`) });
  const listener = (port: number, { cert, key }: ReturnType<typeof filesOf>): string[] => [
    `listener ${port} 127.0.0.1`,
    `certfile ${cert}`,
    `keyfile ${key}`,
  ];
  broker = await startMosquitto({
    tls: filesOf('near'),
    accounts: { hub: PASSWORD, mute: PASSWORD, deaf: PASSWORD },
    acl: 'user hub\ntopic readwrite plant/#\nuser mute\ntopic read plant/#\nuser deaf\ntopic write plant/#\n',
    more: [
      ...listener(ports.named, filesOf('far')),
      ...[...listener(ports.client, filesOf('near')), `cafile ${at('ca.crt')}`, 'require_certificate true'],
    ],
  });
  [ports.plain, ports.tls] = [broker.port, broker.tlsPort];
  page = createServer((request, reply) => {
    const answer = answers[request.url?.split('?')[0] ?? ''];
    if (answer) answer(request, reply);
    else reply.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => page.once('listening', resolve));
  pagePort = (page.address() as { port: number }).port;
});
afterAll(async () => {
  await broker.dispose();
  page.close();
  await hub.close();
});

const test = async (node: object, files: Record<string, Buffer> = {}, language = 'en-US'): Promise<NodeTest> => {
  const sent = { zoneType: 1, routeKey: 'plant', ...innerNode({ hostName: '127.0.0.1', ...node }) };
  const parts = Object.entries(files).map(([name, bytes]) => ['certificate', { name, bytes }]);
  const answer = await sendParts(hub.admin, zoneCalls.testZoneNode, sent, Object.fromEntries(parts), language);
  if (!answer.success) throw new Error(JSON.stringify(answer));
  return zoneCalls.testZoneNode.output.parse(answer.data);
};

const stepsOf = ({ steps }: NodeTest) => steps.map(({ step, ok }) => `${step} ${ok}`);
const CA = () => ({ 'ca.crt': readFileSync(at('ca.crt')) });

describe('the test of a broker', () => {
  it('succeeds after login, subscription and publication', async () => {
    const result = await test({ port: ports.plain });
    expect(result).toMatchObject({ ok: 1, problem: null, message: '' });
    expect(stepsOf(result)).toEqual(['address 1', 'connect 1', 'login 1', 'subscribe 1', 'publish 1']);
    expect(result.steps.map(({ note }) => note)).toMatchObject([
      '127.0.0.1',
      '',
      'MQTT 5',
      'plant/dc-test/#',
      /^plant/,
    ]);
  });

  it('accepts TLS with the given certificate', async () => {
    const result = await test({ port: ports.tls }, CA());
    expect(result).toMatchObject({ ok: 1 });
    expect(stepsOf(result).slice(0, 3)).toEqual(['address 1', 'connect 1', 'tls 1']);
    const own = Buffer.concat(['hub.crt', 'hub.key', 'ca.crt'].map((name) => readFileSync(at(name))));
    expect(await test({ port: ports.client }, { 'hub.pem': own })).toMatchObject({ ok: 1 });
  });

  it.each([
    ['a name that there is not', () => ({ hostName: 'no-such-name.invalid' }), {}, 'nameNotFound', 'address'],
    ['nobody there', async () => ({ port: await freePort() }), {}, 'refused', 'connect'],
    ['no TLS where some is wanted', () => ({ port: ports.plain, tls: 1 }), {}, 'tls', 'tls'],
    ['a certificate that nobody trusts', () => ({ port: ports.tls, tls: 1 }), {}, 'certificate', 'tls'],
    ['another authority', () => ({ port: ports.tls }), { 'x.crt': 'foreign.crt' }, 'certificate', 'tls'],
    ['the certificate of another', () => ({ port: ports.named }), { 'ca.crt': 'ca.crt' }, 'certificateName', 'tls'],
    [
      'no certificate of one’s own',
      () => ({ port: ports.client }),
      { 'ca.crt': 'ca.crt' },
      'clientCertificate',
      'login',
    ],
    ['a wrong password', () => ({ port: ports.plain, password: 'Wrong-pass1' }), {}, 'credentials', 'login'],
    // Mosquitto grants any subscription and sends nothing.
    ['no right to read', () => ({ port: ports.plain, username: 'deaf' }), {}, 'topic', 'publish'],
    ['no right to write', () => ({ port: ports.plain, username: 'mute' }), {}, 'topic', 'publish'],
    ['TLS where none is used', () => ({ port: ports.tls }), {}, 'tlsExpected', 'login'],
    ['HTTP in place of MQTT', () => ({ port: pagePort }), {}, 'protocol', 'login'],
  ] as const)('reports a broker with %s', async (_case, node, files, problem, step) => {
    const read = Object.entries(files).map(([name, from]) => [name, readFileSync(at(from as string))]);
    const result = await test(await node(), Object.fromEntries(read));
    expect(result, JSON.stringify(result)).toMatchObject({ ok: 0, problem });
    expect(result.steps.at(-1)).toMatchObject({ step, ok: 0, note: result.message });
    expect(result.message).not.toBe('');
  });

  it('times out for a silent broker', async () => {
    const silent = createTcpServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    expect(await test({ port }, {}, 'zh-CN')).toMatchObject({
      problem: 'timeout',
      message: `127.0.0.1:${port} 未在规定时间内响应`,
    });
    silent.close();
  }, 30_000);

  it('of a zone uses its stored secrets, which are not in the request', async () => {
    const address = { hostName: '127.0.0.1', port: ports.plain };
    const { id } = await hub.admin.ok(zoneCalls.addZone, zoneFields({ nodes: [innerNode(address)] }) as never, {
      as: 'json',
    });
    const [node] = (await hub.admin.ok(zoneCalls.getZoneDetail, { id })).nodes;
    const sent = { zoneType: 1, routeKey: 'plant', ...address, serverType: 1 };
    const stored = await hub.admin.send(zoneCalls.testZoneNode, { ...sent, nodeId: node?.nodeId, username: 'hub' });
    expect(stored).toMatchObject({ data: { ok: 1 } });
    expect(await hub.admin.send(zoneCalls.testZoneNode, { ...sent, username: 'hub' })).toMatchObject({
      data: { ok: 0, problem: 'credentials' },
    });
    expect(await hub.admin.send(zoneCalls.testZoneNode, { ...sent, nodeId: 'nobodyHasIt' })).toMatchObject({
      code: 'ZONE_NODE_NOT_FOUND',
    });
  });

  it('does not send stored secrets to another address', async () => {
    const heard: Buffer[] = [];
    const receiver = createTcpServer((socket) => socket.on('data', (bytes) => heard.push(bytes)).unref());
    receiver.listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    const { port } = receiver.address() as { port: number };
    const nodes = [innerNode({ hostName: '127.0.0.1', port: ports.plain })];
    const { id } = await hub.admin.ok(zoneCalls.addZone, zoneFields({ nodes }) as never, { as: 'json' });
    const [node] = (await hub.admin.ok(zoneCalls.getZoneDetail, { id })).nodes;
    const stored = { zoneType: 1, routeKey: 'plant', nodeId: node?.nodeId, username: 'hub', serverType: 1 };
    const at = { hostName: '127.0.0.1', port: ports.plain };
    for (const elsewhere of [
      { ...at, port },
      { ...at, hostName: 'localhost' },
      { ...at, tls: 1 },
    ])
      expect(await hub.admin.send(zoneCalls.testZoneNode, { ...stored, ...elsewhere })).toMatchObject({
        statusCode: 400,
        details: [{ field: 'password' }],
      });
    expect(heard).toEqual([]);
    receiver.close();
  });
});

describe('the test of another platform', () => {
  const ask = async (path: string, apiKey = ''): Promise<NodeTest> => {
    const bucketUrl = `http://127.0.0.1:${pagePort}${path}`;
    return hub.admin.ok(zoneCalls.testZoneNode, { zoneType: 2, bucketUrl, bucketZoneId: 7, apiKey });
  };

  it('asks for the target of deliveries', async () => {
    const result = await ask('/ok', KEY);
    expect(result).toMatchObject({ ok: 1 });
    expect(stepsOf(result)).toEqual(['address 1', 'connect 1', 'login 1']);
  });

  it.each([
    ['leads elsewhere', '/moved', KEY, 'redirect', 'The server sent a redirect, which is not followed'],
    ['does not know the key', '/unknown', KEY, 'httpStatus', 'status 401: it does not know the key or account'],
    ['wants a key that is missing', '/unknown', '', 'keyMissing', 'The server requires an API key or an account'],
    ['has no such thing', '/nothing', KEY, 'httpStatus', 'status 404: there is no synchronisation'],
    ['answers without end', '/endless', KEY, 'protocol', 'does not use the expected protocol'],
  ])('reports one that %s, without its text', async (_case, path, key, problem, words) => {
    const result = await ask(path, key);
    expect(result).toMatchObject({ ok: 0, problem });
    expect(result.message).toContain(words);
    expect(JSON.stringify(result)).not.toMatch(/secret|169\.254|xxx/);
  });

  it('uses https for an address without a scheme, and reports it', async () => {
    const sent = { zoneType: 2, bucketUrl: `127.0.0.1:${pagePort}`, bucketZoneId: 7 } as const;
    const result = await hub.admin.ok(zoneCalls.testZoneNode, sent);
    expect(result).toMatchObject({ ok: 0, problem: 'tls' });
    expect(result.message).toMatch(/the address has no http:\/\/ or https:\/\/, so https is assumed\)$/);
    expect(result.steps[0]?.note).toBe('127.0.0.1 (the address has no http:// or https://, so https is assumed)');
  });
});

describe('the address of a test', () => {
  it.each([
    ['169.254.169.254', 80],
    ['0.0.0.0', 1883],
    ['::ffff:169.254.169.254', 80],
    ['224.0.0.1', 1883],
    ['fe80::1', 1883],
  ])('%s is never requested', async (hostName, port) => {
    expect(await test({ hostName, port })).toMatchObject({ problem: 'addressForbidden', steps: [{ step: 'address' }] });
  });

  it('of the hub itself, its mail server or database is never requested, even on an allowed machine', async () => {
    const own = [hub.url, hub.env.SMTP_URL, hub.env.SMS_WEBHOOK_URL, hub.env.DATABASE_URL].filter(Boolean) as string[];
    expect(own.length).toBeGreaterThanOrEqual(3);
    for (const url of own) {
      const port = Number(new URL(url).port);
      expect(await test({ port, serverType: 2 })).toMatchObject({ problem: 'addressForbidden' });
      expect(await test({ hostName: '127.8.8.8', port })).toMatchObject({ problem: 'addressForbidden' });
    }
  });

  it.each(['0x7f.1', '2130706433', '017700000001', 'a..b', 'ftp://127.0.0.1', '127.0.0.1/path'])(
    'written as %s is rejected',
    async (hostName) => {
      expect(await test({ hostName, port: 1 })).toMatchObject({ problem: 'addressInvalid' });
    },
  );

  it('of this machine is rejected unless the operator allows it', async () => {
    const careful = await sharedHub();
    const sent = { zoneType: 1, hostName: 'localhost', port: ports.plain, serverType: 1 } as const;
    expect(await careful.admin.ok(zoneCalls.testZoneNode, sent)).toMatchObject({ problem: 'addressForbidden' });
    await careful.close();
  });
});
