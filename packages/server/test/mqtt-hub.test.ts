import { beforeAll, describe, expect, it } from 'vitest';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { connect, PINGREQ, publish, type Version } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';

let hub: Hub['process'];
beforeAll(async () => {
  hub = (await sharedHub()).process;
});

/** A device that the hub does not know is refused as one with a bad token; the hub is as it was. */
const rejectsAnonymous = async (version: Version = 4): Promise<void> => {
  const [client, connack] = await RawClient.connect(hub.mqttPort, { version, clientId: 'meter-7' });
  expect(version === 4 ? connack.returnCode : connack.reasonCode).toBe(version === 4 ? 4 : 0x86);
  if (version === 5) expect(connack.properties?.reasonString).toMatch(/^TOKEN_INVALID: /);
  await client.closed;
};

describe('the MQTT server of a hub', () => {
  it.each([4, 5] as Version[])('refuses who has no token and hangs up, in protocol level %i', rejectsAnonymous);

  it.each(['#', '+', 'constructor', '__proto__', '../admin', '设备'])(
    'rejects the client id %s alike',
    async (clientId) => {
      const [client, connack] = await RawClient.connect(hub.mqttPort, { clientId });
      expect(connack.returnCode).toBe(4);
      await client.closed;
      await rejectsAnonymous();
    },
  );

  it('answers once when packets follow the CONNECT', async () => {
    for (let time = 0; time < 20; time++) {
      const client = await RawClient.dial(hub.mqttPort);
      client.send(connect({ clientId: 'meter-7' }), PINGREQ, publish('a'), connect({ clientId: 'meter-7' }));
      await client.closed;
      expect(client.bytes).toEqual(Buffer.from([0x20, 2, 0, 4]));
    }
  });

  it.each<[string, Buffer]>([
    ['zeros', Buffer.alloc(64)],
    ['all ones', Buffer.alloc(64, 0xff)],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: hub\r\n\r\n')],
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex')],
    ['a PUBLISH before the CONNECT', publish('a')],
    ['the begin of a CONNECT that is too large', connect({ clientId: 'x'.repeat(60_000) }).subarray(0, 5_000)],
  ])('closes %s without an answer', async (_name, bytes) => {
    const client = await RawClient.dial(hub.mqttPort);
    client.send(bytes);
    await client.closed;
    expect(client.bytes).toHaveLength(0);
    await rejectsAnonymous();
  });

  it('closes silent and slow connections after ten seconds', async () => {
    const started = Date.now();
    const [silent, dripping] = [await RawClient.dial(hub.mqttPort), await RawClient.dial(hub.mqttPort)];
    // A CONNECT with a length of 4,000 bytes, sent byte by byte with pauses.
    dripping.send(Buffer.from([0x10, 0xa0, 0x1f]));
    const drip = setInterval(() => dripping.stream.writable && dripping.send(Buffer.from([0])), 1_000);
    await Promise.all([silent.closed, dripping.closed]);
    clearInterval(drip);
    expect([silent.bytes.length, dripping.bytes.length]).toEqual([0, 0]);
    expect(Date.now() - started).toBeGreaterThan(9_000);
    await rejectsAnonymous();
  });

  it('limits pending connections per address', async () => {
    const silent = await Promise.all(Array.from({ length: 300 }, () => RawClient.dial(hub.mqttPort, 4, '127.0.0.7')));
    await expect.poll(() => silent.filter(({ isClosed }) => isClosed).length, { timeout: 30_000 }).toBe(100);
    await rejectsAnonymous();
    for (const client of silent) client.stream.destroy();
    await Promise.all(silent.map(({ closed }) => closed));
    const again = await RawClient.dial(hub.mqttPort, 4, '127.0.0.7');
    again.send(connect({ clientId: 'meter-7' }));
    expect((await again.next('connack')).returnCode).toBe(4);
  });

  it('answers others while many are silent', async () => {
    const dial = (from: string) =>
      Promise.all(Array.from({ length: 150 }, () => RawClient.dial(hub.mqttPort, 4, from)));
    const idle = [...(await dial('127.0.0.8')), ...(await dial('127.0.0.9'))];
    await rejectsAnonymous();
    for (const client of idle) client.stream.destroy();
  });
});
