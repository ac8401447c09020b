import { apiKeyCalls, type Call, brokerAuthCalls as calls, controlCalls, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logInWithoutConnecting } from './connectivity-fixtures.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { blockOf } from './pages/commands.ts';
import { innerNode, zoneFields } from './zone-fixtures.ts';

const PASSWORD = 'Broker-pass1';
let hub: Hub;
let key: string;
let fixture: ProductFixture;
let device: Awaited<ReturnType<typeof logInWithoutConnecting>>;
let deviceId: string;
const account = unique('hub');

beforeAll(async () => {
  hub = await sharedHub();
  ({ key } = await hub.admin.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), scope: 'broker' }));
  const { id } = await hub.admin.ok(
    zoneCalls.addZone,
    zoneFields({
      routeKey: 'plant/a',
      nodes: JSON.stringify([innerNode({ username: account })]),
    }) as never,
  );
  fixture = await createProductFixture(hub);
  deviceId = unique('dev');
  const who = { productId: fixture.productId, deviceId, secret: fixture.productSecret };
  await logInWithoutConnecting(hub, who);
  await hub.db.updateTable('device').set({ zone_id: id }).where('device_id', '=', deviceId).execute();
  device = await logInWithoutConnecting(hub, who);
});
afterAll(() => hub.close());

const post = (call: Call, sent: Record<string, string>, headers: Record<string, string>, as: 'json' | 'form') =>
  fetch(hub.url + call.path, {
    method: 'POST',
    headers: { ...headers, ...(as === 'json' ? { 'Content-Type': 'application/json' } : {}) },
    body: as === 'json' ? JSON.stringify(sent) : new URLSearchParams(sent),
  });

/** A request as of EMQX: JSON, the key in a header. */
const emqx = async (call: Call, sent: Record<string, string>): Promise<unknown> => {
  const answer = await post(call, sent, { Authorization: `Bearer ${key}` }, 'json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return ((await answer.json()) as { result: string }).result;
};

/** A request as of RabbitMQ: a form, the key in the URL. */
const rabbit = async (call: Call, sent: Record<string, string>): Promise<string> => {
  const answer = await fetch(`${hub.url}${call.path}?key=${key}`, { method: 'POST', body: new URLSearchParams(sent) });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  return answer.text();
};

const asDevice = () => ({ clientid: deviceId, username: deviceId, password: device.answer.token });
const up = () => device.bucket.topics.up;
const down = () => device.bucket.topics.down;

describe('EMQX authentication', () => {
  it('accepts a device by its token, as the hub itself does', async () => {
    expect(await emqx(calls.emqxAuthenticate, asDevice())).toBe('allow');
    for (const wrong of [{ password: 'wrong' }, { password: '' }, { clientid: 'other' }, { username: 'other' }])
      expect(await emqx(calls.emqxAuthenticate, { ...asDevice(), ...wrong }), JSON.stringify(wrong)).toBe('deny');
    expect(await emqx(calls.emqxAuthenticate, {})).toBe('deny');
  });

  it('rejects blacklisted devices', async () => {
    const other = unique('dev');
    const { answer } = await logInWithoutConnecting(hub, {
      productId: fixture.productId,
      deviceId: other,
      secret: fixture.productSecret,
    });
    const sent = { clientid: other, username: other, password: answer.token };
    expect(await emqx(calls.emqxAuthenticate, sent)).toBe('allow');
    await hub.admin.ok(controlCalls.markBlack, { idList: [other], op: 1 });
    expect(await emqx(calls.emqxAuthenticate, sent)).toBe('deny');
  });

  it('accepts the hub by the account of its node', async () => {
    const sent = { clientid: 'dc-hub-1', username: account, password: PASSWORD };
    expect(await emqx(calls.emqxAuthenticate, sent)).toBe('allow');
    expect(await emqx(calls.emqxAuthenticate, { ...sent, password: 'Broker-pass2' })).toBe('deny');
    // A client named like the account is treated as a device.
    expect(await emqx(calls.emqxAuthenticate, { ...sent, clientid: account })).toBe('deny');
  });

  it('allows a device its own two topics, and the hub those of its zone', async () => {
    expect(up()).toMatch(/^plant\/a\//);
    const verdicts: [who: Record<string, string>, action: string, topic: string, result: string][] = [
      [asDevice(), 'publish', up(), 'allow'],
      [asDevice(), 'subscribe', down(), 'allow'],
      [asDevice(), 'publish', down(), 'deny'],
      [asDevice(), 'subscribe', up(), 'deny'],
      [asDevice(), 'subscribe', 'plant/a/#', 'deny'],
      [asDevice(), 'publish', up().replace(deviceId, 'other'), 'deny'],
      [asDevice(), 'other', up(), 'deny'],
      [{ clientid: 'dc-hub-1', username: account }, 'subscribe', '$share/dc/plant/a/+/+/+/up', 'allow'],
      [{ clientid: 'dc-hub-1', username: account }, 'publish', down(), 'allow'],
      [{ clientid: 'dc-hub-1', username: account }, 'subscribe', 'plant/b/#', 'deny'],
      [{ clientid: 'dc-hub-1', username: account }, 'subscribe', '#', 'deny'],
      [{ clientid: account, username: account }, 'publish', down(), 'deny'],
      [{ clientid: 'x', username: 'nobody' }, 'publish', up(), 'deny'],
    ];
    for (const [{ password: _unsent, ...who }, action, topic, result] of verdicts)
      expect(await emqx(calls.emqxAuthorize, { ...who, action, topic }), `${action} ${topic}`).toBe(result);
  });

  it('works with the requests of the documented configuration', async () => {
    const shown = blockOf('docs/zones.md', 'hocon');
    const words = { ...asDevice(), topic: up(), action: 'publish' };
    const filled = shown.replaceAll(/\$\{(\w+)\}/g, (_name, word: keyof typeof words) => words[word]);
    const requests = [...filled.matchAll(/url = "https:\/\/[^/]+(\S+)"\n.*headers \{(.+)\}\n.*body \{(.+)\}/g)];
    const fieldsIn = (text = '') =>
      Object.fromEntries([...text.matchAll(/"?([\w-]+)"? = "([^"]*)"/g)].map(([, name, value]) => [name, value]));
    expect(requests.map(([, path]) => path)).toEqual([calls.emqxAuthenticate.path, calls.emqxAuthorize.path]);
    for (const [, path = '', headers = '', body] of requests) {
      const answer = await fetch(hub.url + path, {
        method: 'POST',
        headers: fieldsIn(headers.replace('dck_…', key)),
        body: JSON.stringify(fieldsIn(body)),
      });
      expect(await answer.json(), path).toMatchObject({ result: 'allow' });
    }
  });
});

describe('RabbitMQ authentication', () => {
  const vhost = '/';

  it('accepts devices and the hub, and no others', async () => {
    const { username, password } = asDevice();
    expect(await rabbit(calls.rabbitUser, { username, password })).toBe('allow');
    expect(await rabbit(calls.rabbitUser, { username, password: 'wrong' })).toBe('deny');
    expect(await rabbit(calls.rabbitUser, { username: account, password: PASSWORD })).toBe('allow');
    expect(await rabbit(calls.rabbitVhost, { username, vhost, ip: '127.0.0.1' })).toBe('allow');
    expect(await rabbit(calls.rabbitVhost, { username: 'nobody', vhost, ip: '127.0.0.1' })).toBe('deny');
  });

  it('allows each its own queue and topics', async () => {
    const resource = (username: string, kind: string, name: string, permission: string) =>
      rabbit(calls.rabbitResource, { username, vhost, resource: kind, name, permission });
    expect(await resource(deviceId, 'queue', `mqtt-subscription-${deviceId}qos1`, 'configure')).toBe('allow');
    expect(await resource(deviceId, 'queue', 'mqtt-subscription-otherqos1', 'read')).toBe('deny');
    expect(await resource(deviceId, 'exchange', 'amq.topic', 'write')).toBe('allow');
    expect(await resource(deviceId, 'exchange', 'amq.topic', 'configure')).toBe('deny');
    expect(await resource(deviceId, 'exchange', 'amq.direct', 'write')).toBe('deny');
    expect(await resource(account, 'queue', 'mqtt-subscription-dc-hub-1qos1', 'configure')).toBe('allow');

    const topic = (username: string, permission: string, routing_key: string) =>
      rabbit(calls.rabbitTopic, { username, vhost, resource: 'topic', name: 'amq.topic', permission, routing_key });
    const dotted = (text: string) => text.replaceAll('/', '.');
    expect(await topic(deviceId, 'write', dotted(up()))).toBe('allow');
    expect(await topic(deviceId, 'read', dotted(down()))).toBe('allow');
    expect(await topic(deviceId, 'read', '#')).toBe('deny');
    expect(await topic(deviceId, 'write', dotted(down()))).toBe('deny');
    expect(await topic(account, 'read', 'plant.a.*.*.*.up')).toBe('allow');
    expect(await topic(account, 'read', 'plant.b.#')).toBe('deny');
  });
});

it('answers only with a valid key', async () => {
  const { key: roleKey } = await hub.admin.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId: '1' });
  for (const [name, call] of Object.entries(calls)) {
    expect((await post(call, {}, {}, 'json')).status, name).toBe(401);
    expect((await post(call, { key: 'dck_x' }, {}, 'form')).status, name).toBe(401);
    expect((await post(call, {}, { Authorization: hub.admin.token }, 'json')).status, name).toBe(401);
    expect((await post(call, {}, { Authorization: roleKey }, 'json')).status, name).toBe(403);
  }
});
