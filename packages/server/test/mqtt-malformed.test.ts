import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, publish, upTopic } from './mqtt/bytes.ts';
import { afterConnect, ID, type Malformed } from './mqtt/malformed.ts';
import { insteadOfConnect } from './mqtt/malformed-connect.ts';
import { brokenConnectProperties, brokenProperties } from './mqtt/malformed-properties.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestServer, type TestServer, until } from './mqtt/test-server.ts';

const FIRST_ERROR = 0x80;

let gateway: TestServer;
let neighbour: RawClient;
let lastPacketId = 0;

beforeAll(async () => {
  gateway = await startTestServer({ limits: { sweepMs: 20 } });
  [neighbour] = await RawClient.connect(gateway.port, { clientId: 'dev-neighbour' });
});
afterAll(() => gateway.stop());

/** A healthy connection notices nothing. */
const neighbourIsServed = async (): Promise<void> => {
  const packetId = (lastPacketId % 65_535) + 1;
  lastPacketId = packetId;
  neighbour.send(publish(upTopic('dev-neighbour'), { packetId }));
  expect((await neighbour.next('puback')).messageId).toBe(packetId);
};

const titled = (all: Malformed[]): [string, Malformed][] =>
  all.map((one) => [`${one.name} (MQTT ${one.version === 4 ? '3.1.1' : '5'} §${one.clause})`, one]);

describe('a malformed packet', () => {
  it.each(titled([...afterConnect, ...brokenProperties]))('ends the connection: %s', async (_title, broken) => {
    const { version, clause, bytes } = broken;
    const [client] = await RawClient.connect(gateway.port, { version, clientId: ID });
    const seen = await gateway.of(ID);
    client.send(bytes);
    await client.closed;
    expect(seen.received).toEqual([]);
    expect(seen.closed).toEqual([{ reason: 'protocolError', detail: expect.stringMatching(/./) }]);
    expect(seen.closed[0]?.detail).toContain(`(MQTT ${version === 4 ? '3.1.1' : '5'} §${clause})`);
    if (version === 5) expect((await client.next('disconnect')).reasonCode).toBeGreaterThanOrEqual(FIRST_ERROR);
    expect(client.unread).toEqual([]);
    await neighbourIsServed();
  });

  it.each(titled([...insteadOfConnect, ...brokenConnectProperties]))(
    'is no CONNECT: %s',
    async (_title, { version, clause, bytes }) => {
      const [admitted, lines, refused] = [gateway.seen.length, gateway.logged.length, gateway.stats().refused];
      const client = await RawClient.dial(gateway.port, version);
      client.send(bytes);
      await client.closed;
      expect(gateway.seen).toHaveLength(admitted);
      expect(gateway.stats().refused).toBe(refused + 1);
      expect(gateway.logged[lines]?.fields.detail).toContain(`§${clause})`);
      // Only MQTT 5 has a packet for the reason.
      const told = client.unread.map((packet) => packet.cmd === 'connack' && (packet.reasonCode ?? 0) >= FIRST_ERROR);
      expect(told).toEqual(version === 5 && told.length > 0 ? [true] : []);
      await neighbourIsServed();
    },
  );

  it('is answered by CONNACK for an MQTT 5 CONNECT, with the clause as reason string', async () => {
    const client = await RawClient.dial(gateway.port, 5);
    client.send(connect({ version: 5, clientId: ID, flags: 0xc3 }));
    const connack = await client.next('connack');
    expect(connack.reasonCode).toBe(0x81);
    expect(connack.properties?.reasonString).toContain('MQTT 5 §3.1.2.3');
  });

  it.each([
    ['too large', 0x95, Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f])],
    ['another topic', 0x87, publish(upTopic('dev-other'), { version: 5 })],
    ['a topic with a wildcard', 0x90, publish('a/+', { version: 5 })],
    ['a topic alias', 0x94, publish('', { version: 5, properties: [Buffer.from([0x23, 0, 1])] })],
    ['a packet identifier of 0', 0x82, publish(upTopic(ID), { version: 5, packetId: 0 })],
    ['QoS 3', 0x81, Buffer.from([0x36, 0])],
  ])('is reported to an MQTT 5 client: %s', async (_name, reasonCode, bytes) => {
    const [client] = await RawClient.connect(gateway.port, { version: 5, clientId: ID });
    const seen = await gateway.of(ID);
    client.send(bytes);
    const disconnect = await client.next('disconnect');
    expect(disconnect.reasonCode).toBe(reasonCode);
    expect(disconnect.properties?.reasonString).toBe(seen.closed[0]?.detail);
  });

  it('keeps the publishes received before it', async () => {
    const [client] = await RawClient.connect(gateway.port, { clientId: ID });
    const seen = await gateway.of(ID);
    client.send(publish(upTopic(ID), { payload: 'first' }), Buffer.from([0xff]));
    await client.closed;
    expect(seen.received).toEqual(['first']);
    expect((await client.next('puback')).messageId).toBe(1);
    await until(() => seen.closed.length === 1, 'the end');
  });
});
