import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, connectCode, expectLatestEvent, publish, samples, upRecords } from './connectivity-fixtures.ts';
import { freezeDeviceProcess } from './connectivity-frozen-fixtures.ts';
import { type Child, childLoginRequest, findDeviceSession, loginChild } from './connectivity-gateway-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { getBucket, type Identity, type RawDevice } from './raw-device.ts';

let hub: SpawnedHub;
let gateways: ProductFixture;
let children: ProductFixture;
beforeAll(async () => {
  hub = await spawnHub();
  gateways = await createProductFixture(hub, { nodeType: 2 });
  children = await createProductFixture(hub, { nodeType: 3 });
});
afterAll(() => hub.close());

const newChild = ({ productId, productSecret }: ProductFixture = children): Identity => ({
  productId,
  deviceId: unique('child'),
  secret: productSecret,
});
const power = { type: 2, payload: { properties: { power: true } } };
const say = (gateway: RawDevice, child: Child, sent: Parameters<RawDevice['seal']>[0] = power) => {
  const voice = findDeviceSession(gateway, child);
  const envelope = voice.seal(sent);
  return publish(voice, JSON.stringify(envelope)).then(() => envelope);
};
const codeOf = async (gateway: RawDevice, child: Child) => {
  const { dataId } = await say(gateway, child);
  return (await gateway.next((envelope) => envelope.dataFlow === 1 && envelope.dataId === dataId)).code;
};
const details = ({ deviceId }: { deviceId: string }) => hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId });

describe('a child device', () => {
  // Spec 4.26
  it('logs in through its gateway, reports, executes commands, and logs out', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    const child = await loginChild(gateway, newChild());
    const { deviceId } = child;
    await expectOnline(hub, deviceId, 1);
    expect(await details(child)).toMatchObject({ parentId: gateway.deviceId, secretProven: 0 });

    await say(gateway, child);
    expect(await samples(hub, deviceId)).toHaveLength(1);
    expect(await samples(hub, gateway.deviceId)).toEqual([]);

    const commanded = hub.admin.ok(controlCalls.commandDeviceFunction, {
      deviceId,
      functionId: 'power',
      functionValue: 'false',
    });
    const request = await gateway.next((envelope) => envelope.dataFlow === 0 && envelope.deviceId === deviceId);
    expect(request).toMatchObject({ sessionId: child.sessionId, type: 2, token: '' });
    await say(gateway, child, {
      type: 2,
      dataFlow: 1,
      dataId: request.dataId,
      code: 200,
      payload: { properties: { power: false } },
    });
    expect(await commanded).toMatchObject({ status: 'answered', output: { power: false } });

    expect((await ask(gateway, { type: 8, payload: { op: 'logout', deviceId } })).code).toBe(200);
    await expectLatestEvent(hub, deviceId, 2, 'byDevice');
    await expectOnline(hub, deviceId, 2);
    expect(await codeOf(gateway, child)).toBe(40309);
    expect(await samples(hub, deviceId)).toHaveLength(2);
    await gateway.end();
  });

  // Spec 4.27
  it('cannot connect itself: its token is rejected by HTTP and MQTT', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    const child = await loginChild(gateway, newChild());
    await expect(getBucket(hub.url, child.token)).rejects.toThrow();
    const bucket = { ...gateway.bucket, clientId: child.deviceId, username: child.deviceId, password: child.token };
    expect(await connectCode(bucket)).toBe(4);
    await gateway.end();
  });

  it('is rejected with the gateway’s own token, secret or session', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    const child = await loginChild(gateway, newChild());
    const { token, sessionId } = gateway.answer;
    expect(await codeOf(gateway, { ...child, secret: gateway.secret })).toBe(40103);
    expect(await codeOf(gateway, { ...child, token })).toBe(40101);
    expect(await codeOf(gateway, { ...child, sessionId })).toBe(40101);
    expect(await samples(hub, child.deviceId)).toEqual([]);
    await gateway.end();
  });

  it('goes offline with its gateway, and moves with its next login', async () => {
    const [one, other] = [await connectNewDevice(hub, gateways), await connectNewDevice(hub, gateways)];
    const first = await loginChild(one, newChild());
    const moved = await loginChild(other, first);
    await expect.poll(async () => (await details(first)).parentId).toBe(other.deviceId);
    expect(await codeOf(one, first)).toBe(40309);
    await say(other, moved);
    // The disconnect of the previous gateway does not affect the child.
    await one.end();
    await expectOnline(hub, one.deviceId, 2);
    await say(other, moved);
    await expectOnline(hub, first.deviceId, 1);
    await other.end(true);
    await expectLatestEvent(hub, first.deviceId, 2, 'gatewayLost');
    await expectOnline(hub, first.deviceId, 2);
    expect(await samples(hub, first.deviceId)).toHaveLength(2);
  });

  it('is disconnected alone when blacklisted, and rejected with the reason', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    const [child, sibling] = [await loginChild(gateway, newChild()), await loginChild(gateway, newChild())];
    await expectOnline(hub, child.deviceId, 1);
    await hub.admin.ok(controlCalls.markBlack, { idList: [child.deviceId], op: 1 });
    await expectLatestEvent(hub, child.deviceId, 2, 'blacklisted');
    expect(await codeOf(gateway, child)).toBe(40309);
    expect((await ask(gateway, childLoginRequest(child))).code).toBe(40301);
    await say(gateway, sibling);
    expect(await samples(hub, sibling.deviceId)).toHaveLength(1);
    await gateway.end();
  });

  it('is not left online when its gateway disconnects during the login', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    const who = newChild();
    const goOn = await freezeDeviceProcess(hub);
    // When the hub continues it reads the request and then the end of the connection.
    const bytes = JSON.stringify(gateway.seal(childLoginRequest(who)));
    await gateway.client.publishAsync(gateway.bucket.topics.up, bytes, { qos: 0 });
    gateway.client.stream.end();
    goOn();
    await expect.poll(async () => (await upRecords(hub, gateway.deviceId)).map((row) => row.message_type)).toEqual([8]);
    await expectLatestEvent(hub, gateway.deviceId, 2, 'lost');
    // A whole log-in later that one is through as well.
    const next = await connectNewDevice(hub, gateways);
    await loginChild(next, newChild());
    const came = await hub.admin.call(deviceCalls.getDeviceDetails, { deviceId: who.deviceId });
    if (came.success) await expectOnline(hub, who.deviceId, 2);
    await next.end();
  });

  it('leaves neither token nor secret in any record', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    const child = await loginChild(gateway, newChild());
    const { deviceId } = gateway;
    const recorded = async () => (await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId })).list;
    await expect.poll(async () => (await recorded()).map(({ type }) => type)).toEqual([8, 8]);
    for (const secret of [child.token, child.secret]) expect(JSON.stringify(await recorded())).not.toContain(secret);
    await gateway.end();
  });
});

describe('childLogin rejection', () => {
  // Spec 4.24
  it('rejects a child of a device that is no gateway', async () => {
    const lamp = await connectNewDevice(hub, await createProductFixture(hub));
    expect((await ask(lamp, childLoginRequest(newChild()))).code).toBe(40308);
    const gateway = await connectNewDevice(hub, gateways);
    const child = await loginChild(gateway, newChild());
    const { dataId } = await say(gateway, child, childLoginRequest(newChild()));
    expect((await gateway.next((answer) => answer.dataId === dataId)).code).toBe(40308);
    await Promise.all([lamp.end(), gateway.end()]);
  });

  it('rejects another node type, another tenant, or a wrong signature', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    const lamps = await createProductFixture(hub);
    const elsewhere = await createProductFixture(hub, { nodeType: 3 }, await hub.create.tenancy());
    const refused: [Identity, number][] = [
      [newChild(lamps), 40309],
      [newChild(gateways), 40309],
      [newChild(elsewhere), 40309],
      [{ ...newChild(), secret: 'wrong' }, 40103],
      [{ ...newChild(), productId: 'NoSuch' }, 40103],
    ];
    for (const [who, code] of refused) {
      expect([who.productId, (await ask(gateway, childLoginRequest(who))).code]).toEqual([who.productId, code]);
      expect((await hub.admin.call(deviceCalls.getDeviceDetails, { deviceId: who.deviceId })).statusCode).toBe(404);
    }
    await gateway.end();
  });

  // Spec 9.32
  it('rejects the eleventh child of a mock gateway, also concurrently', async () => {
    const gateway = await connectNewDevice(hub, gateways);
    await gateway.end();
    await hub.db.updateTable('device').set({ mock: 1 }).where('device_id', '=', gateway.deviceId).execute();
    const mock = await connectNewDevice(hub, { ...gateways, productSecret: gateway.secret }, {}, gateway.deviceId);
    const answers = await Promise.all(Array.from({ length: 14 }, () => ask(mock, childLoginRequest(newChild()))));
    expect(answers.map(({ code }) => code).sort()).toEqual([...Array(10).fill(200), ...Array(4).fill(40308)]);
    await mock.end();
  });
});

describe('a mock device', () => {
  // Spec 9.25
  it('accepts the specification’s constant as its tenant', async () => {
    const lamps = await createProductFixture(hub);
    const device = await connectNewDevice(hub, lamps);
    await device.end();
    await hub.db.updateTable('device').set({ mock: 1 }).where('device_id', '=', device.deviceId).execute();
    const mock = await connectNewDevice(hub, { ...lamps, productSecret: device.secret }, {}, device.deviceId);
    await mock.send({ ...power, tenantId: '3' });
    expect(await samples(hub, device.deviceId)).toHaveLength(1);
    await mock.end();
  });
});
