import { controlCalls, deviceCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstSequenceIdAt } from '../src/platform/ids.ts';
import {
  connectCode,
  connectRows,
  expectLatestEvent,
  logInWithoutConnecting,
  upRecords,
  waitForClose,
} from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { connect } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { connectClient, getBucket, login, loginFields, tryLogin } from './raw-device.ts';

let hub: Hub;
let fixture: ProductFixture;
beforeAll(async () => {
  hub = await startHub();
  fixture = await createProductFixture(hub);
});
afterAll(() => hub.close());

const newcomer = () => ({ productId: fixture.productId, deviceId: unique('dev'), secret: fixture.productSecret });
const REFUSED_TOKEN = 4;

describe('a connect token', () => {
  it('is valid for its own device only', async () => {
    const one = await logInWithoutConnecting(hub, newcomer());
    const other = await logInWithoutConnecting(hub, newcomer());
    expect(await connectCode({ ...one.bucket, password: other.answer.token })).toBe(REFUSED_TOKEN);
    expect(await connectCode({ ...one.bucket, clientId: other.bucket.clientId })).toBe(REFUSED_TOKEN);
    expect(await connectCode({ ...one.bucket, username: other.bucket.username })).toBe(REFUSED_TOKEN);
    expect(await connectCode({ ...one.bucket, password: '' })).toBe(REFUSED_TOKEN);
    expect(await connectCode(one.bucket)).toBe(0);
  });

  it('is revoked by the next login', async () => {
    const who = newcomer();
    const first = await logInWithoutConnecting(hub, who);
    const second = await logInWithoutConnecting(hub, { ...who, secret: first.secret });
    expect(await connectCode(first.bucket)).toBe(REFUSED_TOKEN);
    await expect(getBucket(hub.url, first.answer.token)).rejects.toThrow('TOKEN_INVALID');
    expect(await connectCode(second.bucket)).toBe(0);
  });

  it('is revoked with the connection by a new secret', async () => {
    const device = await connectNewDevice(hub, fixture);
    const { deviceId } = device;
    await expectOnline(hub, deviceId, 1);
    const cut = waitForClose(device);
    const { deviceSecret } = await hub.admin.ok(deviceCalls.resetDeviceSecret, { deviceId });
    await cut;
    await expectLatestEvent(hub, deviceId, 2, 'secretReset');
    expect(await connectCode(device.bucket)).toBe(REFUSED_TOKEN);
    expect(await tryLogin(hub.url, loginFields(device))).toMatchObject({ code: 'SIGNATURE' });
    await login(hub.url, { ...device, secret: deviceSecret });
  });

  it('is returned by getConnectBucket, exactly as documented', async () => {
    for (const token of ['', 'x', 'undefined', `Bearer ${unique('t')}`])
      await expect(getBucket(hub.url, token)).rejects.toThrow('TOKEN_INVALID');
    const { answer, bucket } = await logInWithoutConnecting(hub, newcomer());
    const owner = `dc/1/${fixture.productId}/${bucket.clientId}`;
    expect(bucket).toMatchObject({ password: answer.token, topics: { up: `${owner}/up`, down: `${owner}/down` } });
  });
});

describe('client ids with special characters', () => {
  it.each(['#', '+', '$SYS', 'constructor', '__proto__', 'toString', 'a/b', '设备', ' '])(
    'rejects %s',
    async (clientId) => {
      const healthy = await connectNewDevice(hub, fixture);
      expect(await connectCode({ ...healthy.bucket, clientId, username: clientId })).toBe(REFUSED_TOKEN);
      expect((await healthy.ask({ type: 10, payload: { ask: ['time'] } })).code).toBe(200);
      await healthy.end();
    },
  );

  it.each(['constructor', '__proto__', 'toString', '...', '-:_.'])('accepts %s', async (name) => {
    const deviceId = `${name}`;
    const device = await connectNewDevice(hub, fixture, {}, deviceId);
    await device.send({ type: 2, payload: { properties: { power: true } } });
    await expectOnline(hub, deviceId, 1);
    expect(await upRecords(hub, deviceId)).toHaveLength(1);
    await device.end();
    await expectOnline(hub, deviceId, 2);
  });
});

describe('a second connection', () => {
  it('replaces the first, whose late disconnect does not affect it', async () => {
    const first = await connectNewDevice(hub, fixture);
    const { deviceId } = first;
    await expectOnline(hub, deviceId, 1);
    const cut = waitForClose(first);
    const client = await connectClient(first.bucket);
    await cut;
    await expect
      .poll(async () => (await connectRows(hub, deviceId)).map(({ status, reason }) => `${status}${reason}`).sort())
      .toEqual(['1', '1', '2replaced']);
    await expectOnline(hub, deviceId, 1);
    expect(client.connected).toBe(true);
    await client.endAsync();
    await expectOnline(hub, deviceId, 2);
  });

  it('leaves one of twenty concurrent connections, and the device online', async () => {
    const { bucket } = await logInWithoutConnecting(hub, newcomer());
    const clients = await Promise.all(Array.from({ length: 20 }, () => connectClient(bucket).catch(() => undefined)));
    await expect.poll(() => clients.filter((client) => client?.connected).length).toBe(1);
    await expectOnline(hub, bucket.clientId, 1);
    await Promise.all(clients.map((client) => client?.endAsync(true)));
    await expectOnline(hub, bucket.clientId, 2);
  });

  it('keeps a quickly reconnecting device online, also after a clock that was ahead', async () => {
    for (let round = 0; round < 5; round++) {
      const { bucket } = await logInWithoutConnecting(hub, newcomer());
      const { clientId } = bucket;
      const ahead = firstSequenceIdAt(Date.now() + 3_600_000);
      await hub.db.updateTable('device').set({ conn_no: ahead }).where('device_id', '=', clientId).execute();
      const first = await connectClient(bucket);
      const second = await connectClient(bucket);
      await expect.poll(async () => (await connectRows(hub, clientId)).length).toBe(3);
      await expectOnline(hub, clientId, 1);
      expect([first.connected, second.connected]).toEqual([false, true]);
      await second.endAsync();
      await expectOnline(hub, clientId, 2);
    }
  });

  it('leaves the device offline when it drops during its authorization', async () => {
    const { bucket } = await logInWithoutConnecting(hub, newcomer());
    const { clientId, password, port } = bucket;
    for (let round = 0; round < 20; round++) {
      const client = await RawClient.dial(port);
      client.send(connect({ clientId, password }));
      await new Promise((resolve) => setImmediate(resolve));
      client.stream.destroy();
    }
    expect(await connectCode(bucket)).toBe(0);
    await expectLatestEvent(hub, clientId, 2, 'byDevice');
    await expectOnline(hub, clientId, 2);
  });
});

describe('topics', () => {
  it('rejects subscriptions to topics of others', async () => {
    const device = await connectNewDevice(hub, fixture);
    const other = await connectNewDevice(hub, fixture);
    const { down } = device.bucket.topics;
    const foreign = [
      '#',
      '+',
      `${down}/#`,
      'dc/#',
      '$SYS/#',
      `dc/1/${fixture.productId}/+/down`,
      other.bucket.topics.down,
    ];
    for (const topic of foreign) await expect(device.client.subscribeAsync(topic), topic).rejects.toThrow();
    expect(await device.client.subscribeAsync(down, { qos: 1 })).toMatchObject([{ topic: down, qos: 1 }]);
    // Messages for the other device are not delivered here.
    await expectOnline(hub, other.deviceId, 1);
    const commanded = hub.admin.ok(controlCalls.commandDeviceFunction, {
      deviceId: other.deviceId,
      functionId: 'power',
      functionValue: 'true',
    });
    await other.respond(await other.next(({ type }) => type === 2), 200, { properties: { power: true } });
    expect(await commanded).toMatchObject({ status: 'answered' });
    expect(device.received).toEqual([]);
  });

  it.each(['the other’s up', 'its own down', 'somewhere'])('disconnects a publisher to %s', async (where) => {
    const device = await connectNewDevice(hub, fixture);
    const other = await connectNewDevice(hub, fixture);
    const topics = new Map([
      ['the other’s up', other.bucket.topics.up],
      ['its own down', device.bucket.topics.down],
      ['somewhere', 'a/b'],
    ]);
    const cut = waitForClose(device);
    const envelope = device.seal({ type: 2, payload: { properties: { power: true } } });
    device.client.publish(topics.get(where) ?? '', JSON.stringify(envelope), { qos: 0 });
    await cut;
    await expectLatestEvent(hub, device.deviceId, 2, 'protocolError');
    expect(await upRecords(hub, device.deviceId)).toEqual([]);
    expect(await upRecords(hub, other.deviceId)).toEqual([]);
    await other.end();
  });
});

describe('a will', () => {
  const withWill = async (topicOf: (up: string) => string) => {
    const who = newcomer();
    const device = await connectNewDevice(hub, fixture, {}, who.deviceId);
    await device.end();
    const will = device.seal({ type: 1, payload: { op: 'offline' } });
    const options = {
      will: {
        topic: topicOf(device.bucket.topics.up),
        payload: Buffer.from(JSON.stringify(will)),
        qos: 1 as const,
        retain: false,
      },
    };
    return { device, will, options };
  };

  it('is published when the connection is lost, and not after a DISCONNECT', async () => {
    const { device, will, options } = await withWill((up) => up);
    const polite = await connectClient(device.bucket, options);
    await polite.endAsync();
    await expectLatestEvent(hub, device.deviceId, 2, 'byDevice');
    expect(await upRecords(hub, device.deviceId)).toEqual([]);
    const rude = await connectClient(device.bucket, options);
    rude.stream.destroy();
    await expectLatestEvent(hub, device.deviceId, 2, 'lost');
    await expect
      .poll(async () =>
        (await upRecords(hub, device.deviceId)).map((row) => [
          row.message_type,
          row.function_id,
          String(row.message_id),
        ]),
      )
      .toEqual([[1, 'offline', will.dataId]]);
  });

  it('is rejected on other topics', async () => {
    const { device, options } = await withWill((up) => `${up}/other`);
    expect(await connectCode(device.bucket, options)).toBe(5);
    await expectOnline(hub, device.deviceId, 2);
  });
});
