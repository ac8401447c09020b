import { connect, type Socket } from 'node:net';
import { generate, type IConnackPacket, type IConnectPacket, type Packet, parser } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshPlace, type HubProcess, type Place, startHubProcess } from './hub-process.ts';

let place: Place;
let hub: HubProcess;

beforeAll(async () => {
  place = await freshPlace();
  hub = await startHubProcess({ ...place.env, ADMIN_PASSWORD: 'Adm1n-pass' });
});
afterAll(async () => {
  await hub.stop();
  await place.dispose();
});

type Ended = { bytes: Buffer; afterMs: number };

const dial = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(hub.mqttPort, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

/** Everything that comes until the hub hangs up. */
const untilClosed = (socket: Socket): Promise<Ended> => {
  const started = Date.now();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  return new Promise((resolve) =>
    socket.on('close', () => resolve({ bytes: Buffer.concat(chunks), afterMs: Date.now() - started })),
  );
};

const talk = async (...parts: Buffer[]): Promise<Ended> => {
  const socket = await dial();
  const ended = untilClosed(socket);
  for (const part of parts) socket.write(part);
  return ended;
};

const connackIn = (bytes: Buffer, protocolVersion: 4 | 5): IConnackPacket => {
  const packets: Packet[] = [];
  const reader = parser({ protocolVersion });
  reader.on('packet', (packet) => packets.push(packet));
  reader.parse(bytes);
  expect(packets.map((packet) => packet.cmd)).toEqual(['connack']);
  return packets[0] as IConnackPacket;
};

const connectPacket = (more: Partial<IConnectPacket> = {}): IConnectPacket => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  clientId: 'meter-7',
  keepalive: 30,
  username: 'meter-7',
  password: Buffer.from('secret'),
  ...more,
});

const subscribe: Packet = { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: '#', qos: 0 }] };

/** The hub is as it was: it still answers the next device. */
const stillAnswers = async (): Promise<void> => {
  const { bytes } = await talk(generate(connectPacket()));
  expect(connackIn(bytes, 4).returnCode).toBe(5);
};

describe('the gateway', () => {
  it('listens where the ready line says', async () => {
    expect(hub.output()).toMatch(new RegExp(`^ready ${hub.url} mqtt://127\\.0\\.0\\.1:${hub.mqttPort}$`, 'm'));
    expect(hub.mqttPort).not.toBe(Number(new URL(hub.url).port));
    await stillAnswers();
  });

  it('refuses MQTT 3.1.1 as not authorized and hangs up', async () => {
    const { bytes } = await talk(generate(connectPacket()));
    expect(bytes).toEqual(Buffer.from([0x20, 2, 0, 5]));
  });

  it('refuses MQTT 3.1 in the same way', async () => {
    const { bytes } = await talk(generate(connectPacket({ protocolId: 'MQIsdp', protocolVersion: 3 })));
    expect(bytes).toEqual(Buffer.from([0x20, 2, 0, 5]));
  });

  it('refuses MQTT 5 with its reason, in words', async () => {
    const { bytes } = await talk(generate(connectPacket({ protocolVersion: 5 }), { protocolVersion: 5 }));
    const connack = connackIn(bytes, 5);
    expect(connack).toMatchObject({ reasonCode: 0x87, sessionPresent: false });
    expect(connack.properties?.reasonString).toMatch(/registered/);
  });

  it('answers a CONNECT that comes in pieces', async () => {
    const whole = generate(connectPacket());
    const socket = await dial();
    socket.setNoDelay(true);
    const ended = untilClosed(socket);
    for (const byte of whole) await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
    expect(connackIn((await ended).bytes, 4).returnCode).toBe(5);
  });

  it('answers once where more comes right behind the CONNECT', async () => {
    for (let time = 0; time < 20; time++) {
      const { bytes } = await talk(
        Buffer.concat([generate(connectPacket()), generate(subscribe), generate(connectPacket())]),
      );
      expect(connackIn(bytes, 4).returnCode).toBe(5);
    }
  });

  it.each<[string, Buffer]>([
    ['SUBSCRIBE', generate(subscribe)],
    ['PUBLISH', generate({ cmd: 'publish', topic: 'a', payload: 'b', qos: 0, dup: false, retain: false })],
    ['PINGREQ', generate({ cmd: 'pingreq' })],
    ['DISCONNECT', generate({ cmd: 'disconnect' })],
    ['PUBLISH and then CONNECT', Buffer.concat([generate({ cmd: 'pingreq' }), generate(connectPacket())])],
  ])('cuts %s before a CONNECT without a word', async (_name, bytes) => {
    const ended = await talk(bytes);
    expect(ended.bytes).toHaveLength(0);
    expect(ended.afterMs).toBeLessThan(5_000);
    await stillAnswers();
  });

  it.each<[string, Buffer]>([
    ['zeros', Buffer.alloc(64)],
    ['all ones', Buffer.alloc(64, 0xff)],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: hub\r\n\r\n')],
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex')],
    ['another protocol’s CONNECT', Buffer.from('100c0004585858580402001e0000', 'hex')],
    ['a CONNECT of an unknown version', Buffer.from('100c00044d5154546302001e0000', 'hex')],
    ['a CONNECT whose fields run over its end', Buffer.from('100600ff4d515454', 'hex')],
  ])('cuts %s without a word', async (_name, bytes) => {
    const ended = await talk(bytes);
    expect(ended.bytes).toHaveLength(0);
    expect(ended.afterMs).toBeLessThan(5_000);
    await stillAnswers();
  });

  it('cuts a CONNECT that is too large, before all of it has come', async () => {
    const large = generate(connectPacket({ clientId: 'x'.repeat(60_000) }));
    const ended = await talk(large.subarray(0, 5_000));
    expect(ended.bytes).toHaveLength(0);
    expect(ended.afterMs).toBeLessThan(5_000);
    await stillAnswers();
  });

  it('lets go of who is silent and of who only drips, after ten seconds', async () => {
    const [silent, dripping] = [await dial(), await dial()];
    const ended = [untilClosed(silent), untilClosed(dripping)];
    // A CONNECT announced with 4,000 bytes, of which one comes every now and then.
    dripping.write(Buffer.from([0x10, 0xa0, 0x1f]));
    const drip = setInterval(() => dripping.writable && dripping.write(Buffer.from([0])), 1_000);
    const [one, other] = await Promise.all(ended);
    clearInterval(drip);
    for (const end of [one, other]) {
      expect(end?.bytes).toHaveLength(0);
      expect(end?.afterMs).toBeGreaterThan(8_000);
      expect(end?.afterMs).toBeLessThan(20_000);
    }
    await stillAnswers();
  });

  it('answers others while many are silent', async () => {
    const idle = await Promise.all(Array.from({ length: 200 }, dial));
    await stillAnswers();
    for (const socket of idle) socket.destroy();
  });
});
