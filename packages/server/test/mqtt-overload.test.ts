import { describe, expect, it } from 'vitest';
import { connect, PINGREQ, publish, upTopic, type Version } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestServer, type TestServer, until } from './mqtt/test-server.ts';

const long = Boolean(process.env.TEST_LONG);
const CLIENTS = long ? 200 : 40;
const MESSAGES = long ? 500 : 100;
const limits = { waitingMessages: 50, waitingBytes: 10_000, sweepMs: 20, keepAliveMin: 1 };

const versionOf = (index: number): Version => (index % 2 === 0 ? 4 : 5);

/** Stores at most a few messages at a time, oldest first, as a database under pressure would. */
const storeSlowly = (gateway: TestServer, batch: number): (() => void) => {
  const timer = setInterval(() => {
    for (const acknowledge of gateway.waiting.splice(0, batch)) acknowledge();
  }, 1);
  return () => clearInterval(timer);
};

/** Sends all of its messages at once, in MQTT 5 without regard to Receive Maximum. */
const flood = async (client: RawClient, clientId: string, version: Version, count: number): Promise<number[]> => {
  const answered: number[] = [];
  const send = (packetId: number): void =>
    client.send(publish(upTopic(clientId), { version, packetId, payload: String(packetId).padEnd(300) }));
  for (let packetId = 1; packetId <= count; packetId++) send(packetId);
  while (answered.length < count) answered.push((await client.next('puback')).messageId ?? 0);
  return answered;
};

describe('an overloaded MQTT server', () => {
  it('serves every client in order, disconnects none, and limits buffered bytes', async () => {
    let [most, mostBytes] = [0, 0];
    const gateway: TestServer = await startTestServer({
      byHand: true,
      limits,
      onReceive: () => {
        const { waitingMessages, waitingBytes } = gateway.stats();
        most = Math.max(most, waitingMessages);
        mostBytes = Math.max(mostBytes, waitingBytes);
      },
    });
    const stopStoring = storeSlowly(gateway, 20);
    const expected = Array.from({ length: MESSAGES }, (_, index) => index + 1);
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const clientId = `dev-${index}`;
        const version = versionOf(index);
        const [client] = await RawClient.connect(gateway.port, { version, clientId, keepAlive: 60 });
        expect(await flood(client, clientId, version, MESSAGES)).toEqual(expected);
      }),
    );
    stopStoring();
    for (const { received, closed } of gateway.seen) {
      expect(received.map(Number)).toEqual(expected);
      expect(closed).toEqual([]);
    }
    expect(most).toBeGreaterThan(16);
    expect(most).toBeLessThanOrEqual(limits.waitingMessages);
    expect(mostBytes).toBeLessThanOrEqual(limits.waitingBytes);
    expect(gateway.stats()).toMatchObject({ connections: CLIENTS, waitingMessages: 0, waitingBytes: 0 });
    await gateway.stop();
  });

  it('serves a client with few messages before one with many', async () => {
    const gateway = await startTestServer({ byHand: true, limits: { ...limits, waitingMessages: 20 } });
    const connected = async (clientId: string) => (await RawClient.connect(gateway.port, { clientId }))[0];
    const [greedy, other] = [await connected('dev-greedy'), await connected('dev-greedy-too')];
    const modest = await connected('dev-modest');
    const greedyDone = flood(greedy, 'dev-greedy', 4, 2_000);
    const otherDone = flood(other, 'dev-greedy-too', 4, 2_000);
    await until(() => gateway.stats().waitingMessages === 20, 'a full budget');
    const modestDone = flood(modest, 'dev-modest', 4, 10);
    const stopStoring = storeSlowly(gateway, 5);
    await modestDone;
    expect((await gateway.of('dev-greedy')).received.length).toBeLessThan(1_000);
    await Promise.all([greedyDone, otherDone]);
    stopStoring();
    await gateway.stop();
  });

  it('answers pings while nothing is stored, and keeps clients that it does not read from', async () => {
    const gateway = await startTestServer({ byHand: true, limits });
    // This client fills its window and the hub's read buffer, so the hub stops reading from it.
    const [flooding] = await RawClient.connect(gateway.port, { clientId: 'dev-flood', keepAlive: 1 });
    const flooded = flood(flooding, 'dev-flood', 4, 1_000);
    // This one has one publish too many, and pings behind it.
    const [pinging] = await RawClient.connect(gateway.port, { clientId: 'dev-pings', keepAlive: 1 });
    pinging.send(...Array.from({ length: 65 }, (_, index) => publish(upTopic('dev-pings'), { packetId: index + 1 })));
    const pings = setInterval(() => pinging.send(PINGREQ), 200);
    // This client is really silent: when it is disconnected, the others have waited longer than their keep-alive.
    const [silent] = await RawClient.connect(gateway.port, { clientId: 'dev-silent', keepAlive: 1 });
    await silent.closed;
    clearInterval(pings);
    expect((await gateway.of('dev-silent')).closed.map(({ reason }) => reason)).toEqual(['keepAlive']);
    for (const id of ['dev-flood', 'dev-pings']) expect((await gateway.of(id)).closed).toEqual([]);
    expect((await gateway.of('dev-pings')).received.length).toBeLessThanOrEqual(64);
    for (let count = 0; count < 5; count++) await pinging.next('pingresp');
    const stopStoring = storeSlowly(gateway, 100);
    expect(await flooded).toHaveLength(1_000);
    await until(() => gateway.stats().waitingMessages === 0, 'all to be stored');
    stopStoring();
    expect((await gateway.of('dev-pings')).received).toHaveLength(65);
    await gateway.stop();
  });

  it('accepts a message larger than the rest of the budget later', async () => {
    const gateway = await startTestServer({ byHand: true, limits });
    const [small] = await RawClient.connect(gateway.port, { clientId: 'dev-small' });
    const [large] = await RawClient.connect(gateway.port, { clientId: 'dev-large' });
    small.send(publish(upTopic('dev-small'), { payload: Buffer.alloc(9_000) }));
    const first = await gateway.of('dev-small');
    await until(() => first.received.length === 1, 'the small one');
    large.send(publish(upTopic('dev-large'), { payload: Buffer.alloc(120_000) }), PINGREQ);
    await large.next('pingresp');
    const second = await gateway.of('dev-large');
    expect(second.received).toEqual([]);
    first.acknowledge[0]?.();
    await until(() => second.received.length === 1, 'the large one');
    second.acknowledge[0]?.();
    await large.next('puback');
    await gateway.stop();
  });

  it('removes a disconnected client from the queue', async () => {
    const gateway = await startTestServer({ byHand: true, limits: { ...limits, waitingMessages: 1 } });
    const clients = await Promise.all(
      ['dev-a', 'dev-b', 'dev-c'].map(async (clientId) => {
        const [client] = await RawClient.connect(gateway.port, { clientId });
        client.send(publish(upTopic(clientId)), PINGREQ);
        await client.next('pingresp');
        return client;
      }),
    );
    const [first, ...waiting] = [...gateway.seen].sort((a, b) => b.received.length - a.received.length);
    expect(gateway.seen.map(({ received }) => received.length).sort()).toEqual([0, 0, 1]);
    const leaving = waiting[0];
    leaving?.connection.disconnect('kicked');
    first?.acknowledge[0]?.();
    await until(() => waiting[1]?.received.length === 1, 'the one behind');
    expect(leaving?.received).toEqual([]);
    for (const client of clients) client.stream.destroy();
    await gateway.stop();
  });

  it('serves the queue in order of arrival', async () => {
    const order: string[] = [];
    const gateway = await startTestServer({
      byHand: true,
      limits: { ...limits, waitingMessages: 1 },
      onReceive: ({ request }) => order.push(request.clientId),
    });
    const connected = async (clientId: string) => (await RawClient.connect(gateway.port, { clientId }))[0];
    const [first, second, late] = [await connected('dev-1'), await connected('dev-2'), await connected('dev-late')];
    first.send(publish(upTopic('dev-1')), PINGREQ);
    await first.next('pingresp');
    second.send(publish(upTopic('dev-2')), PINGREQ);
    await second.next('pingresp');
    // In a timer the hub reads the late client before it serves the queue.
    setTimeout(() => {
      late.send(publish(upTopic('dev-late')));
      gateway.waiting[0]?.();
    }, 0);
    await until(() => order.length === 2, 'the second');
    gateway.waiting[1]?.();
    await until(() => order.length === 3, 'the late one');
    expect(order).toEqual(['dev-1', 'dev-2', 'dev-late']);
    await gateway.stop();
  });
});

describe('a client that does not read', () => {
  it('is not read from until it does', async () => {
    const gateway = await startTestServer({ limits: { unsentBytes: 10_000 } });
    const [deaf] = await RawClient.connect(gateway.port, { clientId: 'dev-deaf' });
    const [neighbour] = await RawClient.connect(gateway.port, { clientId: 'dev-neighbour' });
    const seen = await gateway.of('dev-deaf');
    deaf.stream.pause();
    // More than the two kernels' buffers hold.
    for (let count = 0; count < 199; count++) void seen.connection.send(Buffer.alloc(128 * 1_024));
    deaf.send(publish(upTopic('dev-deaf'), { qos: 0 }));
    for (let count = 0; count < 20; count++) {
      neighbour.send(PINGREQ);
      await neighbour.next('pingresp');
    }
    expect(seen.received).toEqual([]);
    deaf.stream.resume();
    await until(() => seen.received.length === 1, 'the message');
    expect(seen.closed).toEqual([]);
    await gateway.stop();
  });

  it('is disconnected as too slow after a while', async () => {
    const gateway = await startTestServer({ limits: { sweepMs: 20, slowWithinMs: 300, unsentBytes: 10_000 } });
    const client = await RawClient.dial(gateway.port);
    client.send(connect({ clientId: 'dev-deaf' }));
    await client.next('connack');
    const seen = await gateway.of('dev-deaf');
    client.stream.pause();
    const pings = Buffer.concat(Array.from({ length: 50_000 }, () => PINGREQ));
    while (!client.isClosed && seen.closed.length === 0)
      await new Promise((resolve) => (client.stream.write(pings) ? setImmediate(resolve) : setTimeout(resolve, 5)));
    expect(seen.closed.map(({ reason }) => reason)).toEqual(['tooSlow']);
    client.stream.destroy();
    await gateway.stop();
  });
});
