import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery, DisconnectReason } from '../src/mqtt/server-types.ts';
import {
  type ConnectFields,
  connect,
  DISCONNECT,
  downTopic,
  PINGREQ,
  packet,
  puback,
  uint16,
  upTopic,
  type Version,
} from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { type Seen, startTestServer, type TestServer, until } from './mqtt/test-server.ts';

const versions: Version[] = [4, 5];
const SENDS_MAX = 200;

let gateway: TestServer;
let number = 0;

beforeAll(async () => {
  gateway = await startTestServer({ limits: { sweepMs: 20, slowWithinMs: 400, lingerMs: 200 } });
});
afterAll(() => gateway.stop());

const connected = async (
  fields: Partial<ConnectFields> = {},
): Promise<{ id: string; client: RawClient; seen: Seen }> => {
  const id = `dev-down-${++number}`;
  const [client] = await RawClient.connect(gateway.port, { clientId: id, ...fields });
  return { id, client, seen: await gateway.of(id) };
};

const message = (words: string): Buffer => Buffer.from(words);

describe.each(versions)('a downlink message in protocol level %i', (version) => {
  it('is sent to the down topic with QoS 1, without a subscription, and completes at the PUBACK', async () => {
    const { id, client, seen } = await connected({ version });
    let taken: Delivery | undefined;
    const sent = seen.connection.send(message('{"do":1}')).then((answer) => {
      taken = answer;
    });
    const publish = await client.next('publish');
    expect(publish).toMatchObject({ topic: downTopic(id), qos: 1, retain: false, dup: false });
    expect(publish.payload.toString()).toBe('{"do":1}');
    client.send(PINGREQ);
    await client.next('pingresp');
    expect(taken).toBeUndefined();
    client.send(puback(publish.messageId ?? 0));
    await sent;
    expect(taken).toBe('delivered');
  });

  it('is not completed when the connection ends first', async () => {
    const { client, seen } = await connected({ version });
    const sent = seen.connection.send(message('late'));
    await client.next('publish');
    client.stream.destroy();
    expect(await sent).toBe('lost');
    expect(await seen.connection.send(message('later'))).toBe('lost');
  });

  it('may be as large as an uplink message', async () => {
    const { client, seen } = await connected({ version });
    const sent = seen.connection.send(Buffer.alloc(128 * 1_024, 'y'));
    const publish = await client.next('publish');
    expect(publish.payload).toHaveLength(128 * 1_024);
    client.send(puback(publish.messageId ?? 0));
    expect(await sent).toBe('delivered');
  });

  it('has a packet identifier that is not in flight, also after a wrap-around', async () => {
    const { client, seen } = await connected({ version });
    const held = seen.connection.send(message('held'));
    const first = (await client.next('publish')).messageId ?? 0;
    const ids = new Set<number>();
    for (let round = 0; round < 700; round++) {
      const sends = Array.from({ length: 100 }, () => seen.connection.send(message('')));
      for (const _send of sends) {
        const id = (await client.next('publish')).messageId ?? 0;
        ids.add(id);
        client.send(puback(id));
      }
      expect(new Set(await Promise.all(sends))).toEqual(new Set(['delivered']));
    }
    expect(ids.has(first)).toBe(false);
    expect(ids.has(0)).toBe(false);
    client.send(puback(first));
    expect(await held).toBe('delivered');
  });

  it('is queued up to 200; a client that acknowledges none is disconnected as too slow', async () => {
    const { client, seen } = await connected({ version });
    const sends = Array.from({ length: SENDS_MAX }, () => seen.connection.send(message('x')));
    expect(await seen.connection.send(message('one too many'))).toBe('lost');
    await client.closed;
    expect(await Promise.all(sends)).toEqual(sends.map(() => 'lost'));
    expect(seen.closed).toEqual([{ reason: 'tooSlow', detail: '' }]);
  });

  it('ignores PUBACKs of unknown identifiers', async () => {
    const { client } = await connected({ version });
    client.send(puback(4_711), PINGREQ);
    await client.next('pingresp');
  });
});

describe('MQTT 5 limits of the client', () => {
  it('respect Receive Maximum', async () => {
    const { client, seen } = await connected({ version: 5, properties: [Buffer.from([0x21, 0, 2])] });
    const sends = ['1', '2', '3', '4'].map((words) => seen.connection.send(message(words)));
    const [first, second] = [await client.next('publish'), await client.next('publish')];
    client.send(PINGREQ);
    await client.next('pingresp');
    client.send(puback(first.messageId ?? 0));
    const third = await client.next('publish');
    client.send(PINGREQ);
    await client.next('pingresp');
    client.send(puback(second.messageId ?? 0), puback(third.messageId ?? 0));
    const fourth = await client.next('publish');
    client.send(puback(fourth.messageId ?? 0));
    expect([first, second, third, fourth].map(({ payload }) => payload.toString())).toEqual(['1', '2', '3', '4']);
    expect(await Promise.all(sends)).toEqual(sends.map(() => 'delivered'));
  });

  it('drop a message larger than its Maximum Packet Size', async () => {
    const { client, seen } = await connected({ version: 5, properties: [Buffer.from([0x27, 0, 0, 0, 200])] });
    expect(await seen.connection.send(Buffer.alloc(200))).toBe('tooLarge');
    const sent = seen.connection.send(message('small'));
    const publish = await client.next('publish');
    expect(publish.payload.toString()).toBe('small');
    client.send(puback(publish.messageId ?? 0));
    expect(await sent).toBe('delivered');
  });

  it('do not complete a message whose PUBACK has a failure', async () => {
    const { client, seen } = await connected({ version: 5 });
    const sent = seen.connection.send(message('x'));
    const { messageId = 0 } = await client.next('publish');
    client.send(packet(0x40, uint16(messageId), Buffer.from([0x97])));
    expect(await sent).toBe('lost');
  });
});

describe('a client that does not read', () => {
  it('is disconnected as too slow, and its buffer is limited', async () => {
    const { client, seen } = await connected();
    client.stream.pause();
    // Fewer than the limit of pending PUBACKs: the client is disconnected for the bytes.
    for (let count = 0; count < SENDS_MAX - 1; count++) void seen.connection.send(Buffer.alloc(100_000));
    await until(() => seen.closed.length === 1, 'the end');
    expect(seen.closed).toEqual([{ reason: 'tooSlow', detail: '' }]);
    client.stream.destroy();
  });
});

describe('the end of a connection', () => {
  const reasons: [DisconnectReason, number][] = [
    ['replaced', 0x8e],
    ['kicked', 0x98],
    ['blacklisted', 0x98],
    ['deleted', 0x98],
    ['secretReset', 0x98],
    ['moved', 0x98],
    ['applicationDisabled', 0x98],
    ['tenancyClosed', 0x98],
    ['tokenExpired', 0xa0],
  ];

  it.each(reasons)('by the hub, %s, is sent to MQTT 5 clients with the reason string', async (reason, reasonCode) => {
    for (const version of versions) {
      const { client, seen } = await connected({ version });
      seen.connection.disconnect(reason, 'for a reason');
      seen.connection.disconnect('kicked', 'once only');
      await client.closed;
      expect(seen.closed).toEqual([{ reason, detail: 'for a reason' }]);
      if (version === 4) expect(client.unread).toEqual([]);
      else {
        const disconnect = await client.next('disconnect');
        expect([disconnect.reasonCode, disconnect.properties?.reasonString]).toEqual([reasonCode, 'for a reason']);
      }
    }
  });

  it('by the hub lets earlier messages arrive', async () => {
    for (const version of versions) {
      const { client, seen } = await connected({ version });
      void seen.connection.send(message('you are kicked'));
      seen.connection.disconnect('kicked');
      expect((await client.next('publish')).payload.toString()).toBe('you are kicked');
      await client.closed;
    }
  });

  it('is reported as closed by the device, or lost', async () => {
    const leaving = await connected();
    leaving.client.send(DISCONNECT);
    await leaving.client.closed;
    expect(leaving.seen.closed).toEqual([{ reason: 'byDevice', detail: '' }]);
    const ended = await connected();
    ended.client.stream.end();
    await until(() => ended.seen.closed.length === 1, 'the end');
    expect(ended.seen.closed).toEqual([{ reason: 'lost', detail: '' }]);
  });

  it('is reported for a socket that the peer keeps open', async () => {
    const { client, seen } = await connected();
    // With unread data before it, the client never sees the end and does not close its socket.
    client.stream.pause();
    void seen.connection.send(message('unread'));
    const before = gateway.stats().connections;
    seen.connection.disconnect('kicked');
    await until(() => gateway.stats().connections < before, 'the socket to go');
    client.stream.destroy();
  });

  it('during a pending authorization is reported when that completes', async () => {
    const slow = await startTestServer();
    const client = await RawClient.dial(slow.port);
    client.send(connect({ clientId: 'dev-slow', password: 'slow' }));
    await until(() => slow.clientIds.length === 1, 'the CONNECT');
    await slow.stop();
    await client.closed;
    expect((await client.next('connack')).returnCode).toBe(3);
    slow.acceptSlow();
    const seen = await slow.of('dev-slow');
    await until(() => seen.closed.length > 0, 'the end');
    expect(seen.closed).toEqual([{ reason: 'hubStopped', detail: '' }]);
  });
});

describe('the will', () => {
  const withWill = (version: Version) => {
    const will = { topic: upTopic(`dev-down-${number + 1}`), payload: Buffer.from('offline') };
    return connected({ version, will });
  };

  it.each(versions)('is published before the end of a lost connection, in protocol level %i', async (version) => {
    const { client, seen } = await withWill(version);
    expect(seen.request.will?.payload.toString()).toBe('offline');
    client.stream.destroy();
    await until(() => seen.closed.length === 1, 'the end');
    expect([seen.received, seen.qos]).toEqual([['offline'], [1]]);
  });

  it.each(versions)('is published after a protocol error, in protocol level %i', async (version) => {
    const { client, seen } = await withWill(version);
    client.send(Buffer.from([0xff, 0]));
    await client.closed;
    expect(seen.received).toEqual(['offline']);
  });

  it.each(versions)('is not published after DISCONNECT, in protocol level %i', async (version) => {
    const { client, seen } = await withWill(version);
    client.send(DISCONNECT);
    await client.closed;
    expect([seen.received, seen.closed[0]?.reason]).toEqual([[], 'byDevice']);
  });

  it('is published after DISCONNECT with will, in MQTT 5', async () => {
    const { client, seen } = await withWill(5);
    client.send(packet(0xe0, Buffer.from([0x04])));
    await client.closed;
    expect([seen.received, seen.closed]).toEqual([['offline'], [{ reason: 'byDevice', detail: 'reason code 0x04' }]]);
  });
});

describe('stopping', () => {
  it('notifies every client and the handlers, and accepts no new ones', async () => {
    const stopping = await startTestServer({ limits: { stopWithinMs: 1_000 } });
    const [old] = await RawClient.connect(stopping.port, { clientId: 'dev-4' });
    const [fresh] = await RawClient.connect(stopping.port, { version: 5, clientId: 'dev-5' });
    const silent = await RawClient.dial(stopping.port);
    await stopping.stop();
    await Promise.all([old.closed, fresh.closed, silent.closed]);
    expect((await fresh.next('disconnect')).reasonCode).toBe(0x8b);
    expect(stopping.seen.map(({ closed }) => closed)).toEqual([
      [{ reason: 'hubStopped', detail: '' }],
      [{ reason: 'hubStopped', detail: '' }],
    ]);
    await expect(RawClient.dial(stopping.port)).rejects.toThrow(/ECONNREFUSED/);
  });
});
