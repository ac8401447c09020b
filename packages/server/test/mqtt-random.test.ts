import '@device-center/contract/test/random.ts';
import {
  type Arbitrary,
  array,
  assert as assertProperty,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  record,
  uint8Array,
} from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  connect,
  DISCONNECT,
  downTopic,
  PINGREQ,
  puback,
  publish,
  pubrel,
  subscribe,
  unsubscribe,
  upTopic,
  type Version,
} from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestServer, type TestServer } from './mqtt/test-server.ts';

const RUNS = process.env.TEST_LONG ? 20_000 : 400;
const ID = 'dev-random';

let gateway: TestServer;
let neighbour: RawClient;
let lastPacketId = 0;

beforeAll(async () => {
  gateway = await startTestServer({ limits: { sweepMs: 20 } });
  [neighbour] = await RawClient.connect(gateway.port, { clientId: 'dev-neighbour' });
});
afterAll(() => gateway.stop());

const rightPackets = (version: Version): Arbitrary<Buffer> =>
  oneof(
    constantFrom(
      PINGREQ,
      DISCONNECT,
      connect({ version, clientId: ID }),
      subscribe(version, downTopic(ID)),
      unsubscribe(version, downTopic(ID)),
      subscribe(version, '#'),
    ),
    record({ qos: constantFrom(0, 1, 2), packetId: integer({ min: 0, max: 5 }) }).map((fields) =>
      publish(upTopic(ID), { version, ...fields }),
    ),
    integer({ min: 0, max: 5 }).map(pubrel),
    integer({ min: 0, max: 5 }).map(puback),
  );

/** A right packet with some bytes overwritten. */
const damaged = (version: Version): Arbitrary<Buffer> =>
  record({
    bytes: rightPackets(version),
    wounds: array(record({ at: integer({ min: 0, max: 60 }), value: integer({ min: 0, max: 255 }) }), { maxLength: 3 }),
  }).map(({ bytes, wounds }) => {
    const copy = Buffer.from(bytes);
    for (const { at, value } of wounds) copy[at % copy.length] = value;
    return copy;
  });

const streams = (version: Version): Arbitrary<{ hello: boolean; parts: Buffer[]; piece: number }> =>
  record({
    hello: constantFrom(true, true, true, false),
    parts: array(
      oneof(
        rightPackets(version),
        damaged(version),
        uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      ),
      {
        maxLength: 8,
      },
    ),
    piece: integer({ min: 1, max: 200 }),
  });

const neighbourIsServed = async (): Promise<void> => {
  lastPacketId = (lastPacketId % 65_535) + 1;
  neighbour.send(publish(upTopic('dev-neighbour'), { packetId: lastPacketId }));
  expect((await neighbour.next('puback')).messageId).toBe(lastPacketId);
};

it.each([4, 5] as Version[])(
  'survives random bytes without an exception or effect on other clients, in protocol level %i',
  async (version) => {
    await assertProperty(
      asyncProperty(streams(version), async ({ hello, parts, piece }) => {
        const client = await RawClient.dial(gateway.port, version);
        const bytes = Buffer.concat([...(hello ? [connect({ version, clientId: ID })] : []), ...parts]);
        for (let at = 0; at < bytes.length && client.stream.writable; at += piece)
          client.stream.write(bytes.subarray(at, at + piece));
        client.stream.end();
        client.stream.resume();
        await client.closed;
        await neighbourIsServed();
        expect(gateway.logged.filter(({ level }) => level === 'error')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    // Every admitted connection ended exactly once.
    const strays = gateway.seen.filter(({ request, closed }) => request.clientId === ID && closed.length !== 1);
    expect(strays).toEqual([]);
    expect(gateway.stats()).toMatchObject({ connections: 1, waitingMessages: 0, waitingBytes: 0 });
  },
  process.env.TEST_LONG ? 600_000 : 60_000,
);
