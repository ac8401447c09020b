import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  downTopic,
  PINGREQ,
  packet,
  properties,
  puback,
  subscribe,
  text,
  uint16,
  unsubscribe,
  upTopic,
  type Version,
} from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { type Seen, startTestServer, type TestServer } from './mqtt/test-server.ts';

const versions: Version[] = [4, 5];

let gateway: TestServer;
let number = 0;

beforeAll(async () => {
  gateway = await startTestServer();
});
afterAll(() => gateway.stop());

const connected = async (version: Version): Promise<{ id: string; client: RawClient; seen: Seen }> => {
  const id = `dev-sub-${++number}`;
  const [client] = await RawClient.connect(gateway.port, { version, clientId: id });
  return { id, client, seen: await gateway.of(id) };
};

describe('SUBSCRIBE', () => {
  it.each(versions)('grants the own down topic with at most QoS 1, in protocol level %i', async (version) => {
    const { id, client } = await connected(version);
    for (const [qos, granted] of [
      [0, 0],
      [1, 1],
      [2, 1],
    ]) {
      client.send(subscribe(version, downTopic(id), qos, 11));
      expect(await client.next('suback')).toMatchObject({ messageId: 11, granted: [granted] });
    }
    client.send(unsubscribe(version, downTopic(id), 12));
    expect((await client.next('unsuback')).messageId).toBe(12);
    client.send(unsubscribe(version, 'something/else', 13));
    const unsuback = await client.next('unsuback');
    expect([unsuback.messageId, unsuback.granted ?? [0x11]]).toEqual([13, [0x11]]);
  });

  const elsewhere: [string, number][] = [
    [upTopic('x'), 0x87],
    [downTopic('dev-other'), 0x87],
    ['#', 0xa2],
    ['dc/+/down', 0xa2],
    ['dc/#/down', 0x8f],
    ['dc/x+', 0x8f],
    ['$share/group/dc', 0x9e],
    ['$SYS/broker', 0x87],
  ];

  it.each(elsewhere)('of %s is rejected, and the connection stays', async (filter, code) => {
    for (const version of versions) {
      const { client } = await connected(version);
      client.send(subscribe(version, filter));
      expect((await client.next('suback')).granted).toEqual([version === 4 ? 0x80 : code]);
      client.send(PINGREQ);
      await client.next('pingresp');
    }
  });

  it('answers each filter separately', async () => {
    const { id, client } = await connected(4);
    client.send(packet(0x82, uint16(3), text('a'), Buffer.from([0]), text(downTopic(id)), Buffer.from([1])));
    expect((await client.next('suback')).granted).toEqual([0x80, 1]);
  });

  it.each(versions)('with QoS 0 switches downlink messages to QoS 0, in protocol level %i', async (version) => {
    const { id, client, seen } = await connected(version);
    client.send(subscribe(version, downTopic(id), 0));
    expect((await client.next('suback')).granted).toEqual([0]);
    expect(await seen.connection.send(Buffer.from('once'))).toBe('delivered');
    const once = await client.next('publish');
    expect([once.qos, once.payload.toString(), once.topic]).toEqual([0, 'once', downTopic(id)]);
    client.send(subscribe(version, downTopic(id), 2));
    expect((await client.next('suback')).granted).toEqual([1]);
    const sent = seen.connection.send(Buffer.from('sure'));
    const { qos, messageId = 0 } = await client.next('publish');
    client.send(puback(messageId));
    expect([qos, await sent]).toEqual([1, 'delivered']);
  });

  it.each(versions)(
    'is optional, and UNSUBSCRIBE ends delivery until the next, in protocol level %i',
    async (version) => {
      const { id, client, seen } = await connected(version);
      const first = seen.connection.send(Buffer.from('first'));
      const { messageId = 0 } = await client.next('publish');
      client.send(unsubscribe(version, 'something/else'), unsubscribe(version, downTopic(id)));
      await client.next('unsuback');
      await client.next('unsuback');
      expect(await seen.connection.send(Buffer.from('second'))).toBe('unsubscribed');
      client.send(puback(messageId), PINGREQ);
      await client.next('pingresp');
      expect(await first).toBe('delivered');
      client.send(subscribe(version, downTopic(id), 0));
      await client.next('suback');
      expect(await seen.connection.send(Buffer.from('third'))).toBe('delivered');
      expect((await client.next('publish')).payload.toString()).toBe('third');
    },
  );

  it('with a subscription identifier is rejected', async () => {
    const { id, client } = await connected(5);
    const identifier = properties(5, Buffer.from([0x0b, 1]));
    client.send(packet(0x82, uint16(3), identifier, text(downTopic(id)), Buffer.from([1])));
    expect((await client.next('suback')).granted).toEqual([0xa1]);
  });
});
