import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PINGREQ, publish, pubrel, upTopic, type Version } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { type Seen, startTestServer, type TestServer, until } from './mqtt/test-server.ts';

const WINDOW = 64;
const versions: Version[] = [4, 5];

let gateway: TestServer;
let number = 0;

beforeAll(async () => {
  gateway = await startTestServer({ byHand: true, limits: { sweepMs: 20 } });
});
afterAll(() => gateway.stop());

/** A new device, and the server's view of it. */
const connected = async (version: Version): Promise<{ id: string; client: RawClient; seen: Seen }> => {
  const id = `dev-up-${++number}`;
  const [client] = await RawClient.connect(gateway.port, { version, clientId: id });
  return { id, client, seen: await gateway.of(id) };
};

const received = (seen: Seen, count: number): Promise<void> =>
  until(() => seen.received.length === count, `${count} messages`);

/** An answered ping shows that everything sent before it is worked off. */
const pinged = async (client: RawClient): Promise<void> => {
  client.send(PINGREQ);
  await client.next('pingresp');
};

describe.each(versions)('a publish in protocol level %i', (version) => {
  it('with QoS 1 is acknowledged when it is stored, and not before', async () => {
    const { id, client, seen } = await connected(version);
    client.send(publish(upTopic(id), { version, packetId: 7, payload: '{"a":1}' }));
    await pinged(client);
    expect([seen.received, seen.qos]).toEqual([['{"a":1}'], [1]]);
    seen.acknowledge[0]?.();
    expect((await client.next('puback')).messageId).toBe(7);
  });

  it('is acknowledged in the order of arrival, whatever the order of storing is', async () => {
    const { id, client, seen } = await connected(version);
    for (const packetId of [5, 3, 9]) client.send(publish(upTopic(id), { version, packetId }));
    await received(seen, 3);
    seen.acknowledge[2]?.();
    seen.acknowledge[1]?.();
    await pinged(client);
    seen.acknowledge[0]?.();
    for (const packetId of [5, 3, 9]) expect((await client.next('puback')).messageId).toBe(packetId);
  });

  it('is acknowledged once, also when the handler does so twice', async () => {
    const { id, client, seen } = await connected(version);
    client.send(publish(upTopic(id), { version, packetId: 1 }), publish(upTopic(id), { version, packetId: 2 }));
    await received(seen, 2);
    const waiting = gateway.stats().waitingMessages;
    for (const acknowledge of [...seen.acknowledge, ...seen.acknowledge]) acknowledge();
    expect(gateway.stats().waitingMessages).toBe(waiting - 2);
    await client.next('puback');
    await client.next('puback');
    await pinged(client);
  });

  it('with QoS 0 is received and not answered; retain has no effect', async () => {
    const { id, client, seen } = await connected(version);
    client.send(publish(upTopic(id), { version, qos: 0, retain: true, payload: '' }));
    await received(seen, 1);
    seen.acknowledge[0]?.();
    await pinged(client);
    expect([seen.received, seen.qos]).toEqual([[''], [0]]);
  });

  it('with QoS 2 is received once until its PUBREL', async () => {
    const { id, client, seen } = await connected(version);
    const send = (payload: string, dup = false) =>
      client.send(publish(upTopic(id), { version, qos: 2, packetId: 4, payload, dup }));
    send('one');
    await received(seen, 1);
    seen.acknowledge[0]?.();
    expect((await client.next('pubrec')).messageId).toBe(4);
    send('one', true);
    expect((await client.next('pubrec')).messageId).toBe(4);
    client.send(pubrel(4));
    expect((await client.next('pubcomp')).messageId).toBe(4);
    expect(seen.received).toEqual(['one']);
    send('two');
    await received(seen, 2);
    expect(seen.received).toEqual(['one', 'two']);
  });

  it('answers a PUBREL of an unknown identifier', async () => {
    const { client } = await connected(version);
    client.send(pubrel(77));
    const pubcomp = await client.next('pubcomp');
    expect([pubcomp.messageId, pubcomp.reasonCode ?? 0]).toEqual([77, version === 5 ? 0x92 : 0]);
  });

  it.each([
    ['a second one with the identifier of one that waits', [{ qos: 1 }, { qos: 1 }]],
    ['QoS 2 after QoS 1 with the same identifier', [{ qos: 1 }, { qos: 2, dup: true }]],
  ])('ends the connection: %s', async (_name, both) => {
    const { id, client, seen } = await connected(version);
    for (const one of both) client.send(publish(upTopic(id), { version, packetId: 6, ...one }));
    await client.closed;
    expect(seen.received).toHaveLength(1);
    expect(seen.closed[0]?.detail).toContain(version === 4 ? '3.1.1 §2.3.1' : '5 §2.2.1');
  });

  it('ends the connection: QoS 1 with the identifier of an unreleased QoS 2', async () => {
    const { id, client, seen } = await connected(version);
    client.send(publish(upTopic(id), { version, qos: 2, packetId: 6 }));
    await received(seen, 1);
    seen.acknowledge[0]?.();
    await client.next('pubrec');
    client.send(publish(upTopic(id), { version, qos: 1, packetId: 6 }));
    await client.closed;
    expect([seen.received.length, seen.closed[0]?.reason]).toEqual([1, 'protocolError']);
  });

  it('ends the connection: PUBREL before PUBREC', async () => {
    const { id, client, seen } = await connected(version);
    client.send(publish(upTopic(id), { version, qos: 2, packetId: 6 }), pubrel(6));
    await client.closed;
    expect(seen.closed[0]?.detail).toContain('§4.3.3');
  });

  it('may be as large as the largest message', async () => {
    const { id, client, seen } = await connected(version);
    const payload = Buffer.alloc(128 * 1_024, 'x');
    client.send(publish(upTopic(id), { version, payload }));
    await received(seen, 1);
    expect(seen.received[0]?.length).toBe(payload.length);
  });

  it('that is stored after its sender was disconnected is not acknowledged', async () => {
    const { id, client, seen } = await connected(version);
    client.send(publish(upTopic(id), { version }));
    await received(seen, 1);
    const waiting = gateway.stats().waitingMessages;
    client.stream.destroy();
    await until(() => seen.closed.length === 1, 'the end');
    seen.acknowledge[0]?.();
    expect(gateway.stats().waitingMessages).toBe(waiting - 1);
  });
});

describe('a repeated publish on the same connection', () => {
  it('is ignored in 3.1.1 while the first one is pending', async () => {
    const { id, client, seen } = await connected(4);
    client.send(publish(upTopic(id), { packetId: 6 }), publish(upTopic(id), { packetId: 6, dup: true }));
    await pinged(client);
    expect(seen.received).toHaveLength(1);
    seen.acknowledge[0]?.();
    expect((await client.next('puback')).messageId).toBe(6);
    await pinged(client);
  });

  it('is a protocol error in 5', async () => {
    const { id, client, seen } = await connected(5);
    const both = [false, true].map((dup) => publish(upTopic(id), { version: 5, packetId: 6, dup }));
    client.send(...both);
    expect((await client.next('disconnect')).reasonCode).toBe(0x82);
    expect(seen.received).toHaveLength(1);
  });
});

describe('the receive window', () => {
  it('lets 64 publishes of a 3.1.1 client wait, answers its pings, and handles the rest in order', async () => {
    const { id, client, seen } = await connected(4);
    const ids = Array.from({ length: 3 * WINDOW }, (_, index) => index + 1);
    client.send(...ids.map((packetId) => publish(upTopic(id), { packetId, payload: String(packetId) })), PINGREQ);
    await client.next('pingresp');
    expect(seen.received).toHaveLength(WINDOW);
    // Pings that come later are answered as well.
    await pinged(client);
    for (const packetId of ids) {
      await until(() => seen.acknowledge.length >= packetId, `message ${packetId}`);
      expect(seen.received.length).toBeLessThan(packetId + WINDOW);
      seen.acknowledge[packetId - 1]?.();
      expect((await client.next('puback')).messageId).toBe(packetId);
    }
    expect(seen.received).toEqual(ids.map(String));
    // The ping that was answered ahead is not answered again.
    await pinged(client);
    expect(client.unread).toEqual([]);
  });

  it('counts QoS 0 too', async () => {
    const { id, client, seen } = await connected(4);
    for (let count = 0; count < WINDOW + 4; count++) client.send(publish(upTopic(id), { qos: 0 }));
    await pinged(client);
    expect(seen.received).toHaveLength(WINDOW);
  });

  it('handles what was sent before DISCONNECT before closing', async () => {
    const { id, client, seen } = await connected(4);
    const all = Array.from({ length: 100 }, (_, index) => publish(upTopic(id), { qos: 0, payload: String(index) }));
    client.send(...all, Buffer.from([0xe0, 0]));
    client.stream.end();
    await received(seen, WINDOW);
    expect(seen.closed).toEqual([]);
    const { connections } = gateway.stats();
    for (let index = 0; index < 100; index++) {
      await until(() => seen.acknowledge.length > index, `message ${index}`);
      seen.acknowledge[index]?.();
    }
    await until(() => seen.closed.length === 1, 'the end');
    expect(seen.received).toHaveLength(100);
    await until(() => gateway.stats().connections === connections - 1, 'the place to be free');
    expect(seen.closed).toEqual([{ reason: 'byDevice', detail: '' }]);
  });

  it('is Receive Maximum in MQTT 5; a client that exceeds it waits and stays connected', async () => {
    const { id, client, seen } = await connected(5);
    const count = 3 * WINDOW;
    const all = Array.from({ length: count }, (_, index) => publish(upTopic(id), { version: 5, packetId: index + 1 }));
    client.send(...all, PINGREQ);
    await client.next('pingresp');
    expect(seen.received).toHaveLength(WINDOW);
    for (let packetId = 1; packetId <= count; packetId++) {
      await until(() => seen.acknowledge.length >= packetId, `message ${packetId}`);
      seen.acknowledge[packetId - 1]?.();
      expect((await client.next('puback')).messageId).toBe(packetId);
    }
    await pinged(client);
    expect([seen.received.length, seen.closed]).toEqual([count, []]);
  });

  it('is exceeded with QoS 2 in MQTT 5 without a disconnect, with any number of unreleased messages', async () => {
    const { id, client, seen } = await connected(5);
    const count = 2 * WINDOW;
    for (let packetId = 1; packetId <= count; packetId++) {
      client.send(publish(upTopic(id), { version: 5, qos: 2, packetId }));
      await received(seen, packetId);
      seen.acknowledge[packetId - 1]?.();
      expect((await client.next('pubrec')).messageId).toBe(packetId);
    }
    for (let packetId = 1; packetId <= count; packetId++) {
      client.send(pubrel(packetId));
      expect((await client.next('pubcomp')).messageId).toBe(packetId);
    }
    expect(seen.closed).toEqual([]);
  });
});
