import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { controlCalls, type MessageRow, recordCalls } from '@device-center/contract';
import { createDevice, DeliveryError, type Device, type DeviceOptions } from '@device-center/device-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
let shop: ProductFixture;
beforeAll(async () => {
  hub = await sharedHub();
  shop = await createProductFixture(hub);
});
afterAll(() => hub.close());

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const lamp = (more: Partial<DeviceOptions> = {}): Device => {
  const { productId, productSecret } = shop;
  const own = { deviceId: unique('lamp'), backoff: { first: 50, max: 200 } };
  const device = createDevice({ hubUrl: hub.url, productId, productSecret, ...own, ...more });
  closers.push(() => device.stop());
  return device;
};

type Wire = {
  /** For createDevice: the bucket then names the wire instead of the hub. */
  fetch: NonNullable<DeviceOptions['fetch']>;
  /** Transforms bytes from the hub; by default unchanged. */
  downward: (bytes: Buffer, socket: Socket) => Buffer[];
  cut: () => void;
};

/** A faulty network between device and hub. */
const createWire = async (): Promise<Wire> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((device) => {
    const inner = openSocket(hub.process.mqttPort, '127.0.0.1');
    sockets.add(device);
    device.on('data', (bytes) => inner.write(bytes));
    inner.on('data', (bytes) => {
      for (const piece of wire.downward(bytes, device)) if (!device.destroyed) device.write(piece);
    });
    for (const [one, other] of [
      [device, inner],
      [inner, device],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const wire: Wire = {
    downward: (bytes) => [bytes],
    cut,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      const body = (await answer.json()) as { data: { port?: number } | null };
      if (body.data?.port) body.data.port = port;
      return { status: answer.status, headers: answer.headers, json: async () => body };
    },
  };
  closers.push(() => {
    cut();
    return new Promise((resolve) => server.close(resolve));
  });
  return wire;
};

/** Every report of a device that the hub keeps, oldest first. */
const reportsOf = async (deviceId: string): Promise<MessageRow[]> => {
  const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, {
    deviceId,
    type: 2,
    dataFlow: 1,
    sortMode: 1,
    pageSize: 200,
  });
  return list;
};
const brightnessOf = ({ envelope }: MessageRow): number =>
  JSON.parse(JSON.parse(envelope).payload).properties.brightness;
const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const byNumber = (one: number, other: number): number => one - other;

describe('message delivery without loss or duplicates', () => {
  it('survives repeated connection resets', async () => {
    const device = lamp();
    await device.start();
    const sent: Promise<void>[] = [];
    for (const brightness of oneTo(100)) {
      sent.push(device.report({ brightness }));
      if (brightness % 30 === 0) {
        device.dropConnection();
        await sent[brightness - 25];
      }
    }
    await Promise.all(sent);
    expect((await reportsOf(device.deviceId)).map(brightnessOf).sort(byNumber)).toEqual(oneTo(100));
  });

  it('survives a PUBACK that is lost after the message was stored', async () => {
    const wire = await createWire();
    const device = lamp({ fetch: wire.fetch });
    const { deviceId } = device;
    await device.start();
    wire.downward = () => [];
    const sent = oneTo(10).map((brightness) => device.report({ brightness }));
    await expect.poll(async () => (await reportsOf(deviceId)).length).toBe(10);
    const numbers = (await reportsOf(deviceId)).map(({ messageId }) => messageId);
    wire.downward = (bytes) => [bytes];
    wire.cut();
    await Promise.all(sent);
    const kept = await reportsOf(deviceId);
    expect(kept.map(brightnessOf)).toEqual(oneTo(10));
    expect(kept.map(({ messageId }) => messageId)).toEqual(numbers);
  });

  it('survives the end of the token: sent messages keep their session, others get the new one', async () => {
    const device = lamp();
    const { deviceId } = device;
    await device.start();
    await hub.db.updateTable('device_session').set({ expires_at: 1 }).where('device_id', '=', deviceId).execute();
    const sent = oneTo(20).map((brightness) => device.report({ brightness }));
    device.dropConnection();
    await Promise.all(sent);
    const kept = await reportsOf(deviceId);
    expect(kept.map(brightnessOf).sort(byNumber)).toEqual(oneTo(20));
    const sessions = Map.groupBy(kept, ({ sessionId }) => sessionId);
    expect([...sessions.values()].map((rows) => rows.map(brightnessOf).sort(byNumber))).toEqual([
      oneTo(16),
      [17, 18, 19, 20],
    ]);
    // The hub answers by number alone, so the old ones were through before the new session counted from 10000.
    const [, fresh] = [...sessions.values()];
    expect(Number(fresh?.[0]?.messageId)).toBeLessThan(10_010);
  });
});

/** Online, and counting how often it is set. */
const lampOnWire = async () => {
  const wire = await createWire();
  const device = lamp({ fetch: wire.fetch });
  await device.start();
  await expectOnline(hub, device.deviceId, 1);
  let times = 0;
  device.onSet((properties) => {
    times++;
    return properties;
  });
  return { wire, device, timesSet: () => times };
};

it('executes a request once that the network delivers twice, and answers both', async () => {
  const { wire, device, timesSet } = await lampOnWire();
  const { deviceId } = device;
  const answers: string[] = [];
  device.on('message', ({ direction, envelope }) => {
    if (direction === 'up' && envelope.dataFlow === 1) answers.push(`${envelope.dataId} ${envelope.payload}`);
  });
  wire.downward = (bytes) => (bytes.includes('"dataFlow":0') ? [bytes, bytes] : [bytes]);
  const sent = { deviceId, functionId: 'power', functionValue: 'true' };
  expect(await hub.admin.ok(controlCalls.commandDeviceFunction, sent)).toMatchObject({ status: 'answered' });
  await expect.poll(() => answers.length).toBe(2);
  expect(new Set(answers).size).toBe(1);
  expect(timesSet()).toBe(1);
});

it('rejects a request with a foreign signature', async () => {
  const { wire, device, timesSet } = await lampOnWire();
  const { deviceId } = device;
  const ignored: string[] = [];
  device.on('ignored', ({ reason }) => ignored.push(reason));
  const swap = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('latin1').replace('power', 'pawer'), 'latin1');
  wire.downward = (bytes) => [bytes.includes('"dataFlow":0') ? swap(bytes) : bytes];
  const sent = { deviceId, functionId: 'power', functionValue: 'true', timeout: 1_000 };
  expect(await hub.admin.error(controlCalls.commandDeviceFunction, sent)).toMatchObject({ code: 'DEVICE_TIMEOUT' });
  expect(ignored).toEqual(['signature']);
  expect(timesSet()).toBe(0);
});

describe('an unavailable hub', () => {
  it('limits the queue: the oldest messages are dropped and reported, the others arrive with their own time', async () => {
    const device = lamp({ queue: { max: 10 } });
    const totals: number[] = [];
    device.on('dropped', ({ total }) => totals.push(total));
    const before = Date.now();
    const sent = oneTo(15).map((brightness) => device.report({ brightness }));
    const spokenBy = Date.now();
    const results = await Promise.allSettled(sent.slice(0, 5));
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual(
      oneTo(5).map(() => expect.any(DeliveryError)),
    );
    expect(totals).toEqual([1, 2, 3, 4, 5]);
    expect(device.pending).toBe(10);
    await device.start();
    await Promise.all(sent.slice(5));
    const kept = await reportsOf(device.deviceId);
    expect(kept.map(brightnessOf)).toEqual(oneTo(15).slice(5));
    for (const { envelope } of kept) {
      const { time } = JSON.parse(JSON.parse(envelope).payload) as { time: number };
      expect(time).toBeGreaterThanOrEqual(before);
      expect(time).toBeLessThanOrEqual(spokenBy);
    }
  });

  it('is retried until stop()', async () => {
    const lost = () => {
      const device = lamp({ hubUrl: 'http://127.0.0.1:9', backoff: { first: 10, max: 40 } });
      const steps: string[] = [];
      device.on('step', ({ step, ok }) => steps.push(`${step} ${ok}`));
      return { device, steps, start: device.start() };
    };
    const { device, steps, start } = lost();
    await expect.poll(() => steps.length).toBeGreaterThan(3);
    expect(new Set(steps)).toEqual(new Set(['login false']));
    const report = device.report({ power: true });
    await device.stop();
    await expect(start).rejects.toMatchObject({ reason: 'stopped' });
    await expect(report).rejects.toMatchObject({ reason: 'stopped' });
    const tries = steps.length;
    const another = lost();
    await expect.poll(() => another.steps.length).toBeGreaterThan(5);
    expect(steps).toHaveLength(tries);
  });
});
