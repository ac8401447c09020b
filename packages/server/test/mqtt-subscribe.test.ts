import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  downTopic,
  PINGREQ,
  packet,
  properties,
  subscribe,
  text,
  uint16,
  unsubscribe,
  upTopic,
  type Version,
} from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestGateway, type TestGateway } from './mqtt/test-gateway.ts';

const versions: Version[] = [4, 5];

let gateway: TestGateway;
let number = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const connected = async (version: Version): Promise<{ id: string; client: RawClient }> => {
  const id = `dev-sub-${++number}`;
  const [client] = await RawClient.connect(gateway.port, { version, clientId: id });
  return { id, client };
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

  it.each(elsewhere)('of %s is refused, and the connection stays', async (filter, code) => {
    for (const version of versions) {
      const { client } = await connected(version);
      client.send(subscribe(version, filter));
      expect((await client.next('suback')).granted).toEqual([version === 4 ? 0x80 : code]);
      client.send(PINGREQ);
      await client.next('pingresp');
    }
  });

  it('answers each filter by itself', async () => {
    const { id, client } = await connected(4);
    client.send(packet(0x82, uint16(3), text('a'), Buffer.from([0]), text(downTopic(id)), Buffer.from([1])));
    expect((await client.next('suback')).granted).toEqual([0x80, 1]);
  });

  it('with a subscription identifier is refused', async () => {
    const { id, client } = await connected(5);
    const identifier = properties(5, Buffer.from([0x0b, 1]));
    client.send(packet(0x82, uint16(3), identifier, text(downTopic(id)), Buffer.from([1])));
    expect((await client.next('suback')).granted).toEqual([0xa1]);
  });
});
