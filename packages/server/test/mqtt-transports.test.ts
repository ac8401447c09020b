import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWebSocketStream, WebSocket } from 'ws';
import { connect, downTopic, PINGREQ, publish, upTopic, type Version } from './mqtt/bytes.ts';
import { cert, key } from './mqtt/certificate.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestServer, type TestServer, until } from './mqtt/test-server.ts';

let gateway: TestServer;
let folder: string;
let socketPath: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'device-center-'));
  socketPath = join(folder, 'mqtt.sock');
  // What a hub that was killed leaves behind must not keep the next one from starting.
  await writeFile(socketPath, '');
  gateway = await startTestServer({
    tls: { cert, key, port: 0 },
    socketPath,
    limits: { sweepMs: 20, connectWithinMs: 2_000 },
  });
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const dialTls = async (options: ConnectionOptions = {}, version: Version = 4): Promise<RawClient> => {
  const socket = connectTls({ port: gateway.tlsPort ?? 0, host: 'localhost', ca: cert, ...options });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return new RawClient(socket, version);
};

type Upgrade = { protocols?: string[]; headers?: Record<string, string> };

const openWebSocket = async ({ protocols = ['mqtt'], headers = {} }: Upgrade = {}): Promise<WebSocket> => {
  const socket = new WebSocket(`ws+unix:${socketPath}:/mqtt`, protocols, { headers });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
};

const dialWebSocket = async (upgrade: Upgrade = {}, version: Version = 4): Promise<RawClient> =>
  new RawClient(createWebSocketStream(await openWebSocket(upgrade)), version);

/** Connects, publishes, receives a message, and disconnects. */
const converse = async (client: RawClient, clientId: string, version: Version): Promise<void> => {
  client.send(connect({ version, clientId }));
  await client.next('connack');
  const seen = await gateway.of(clientId);
  client.send(publish(upTopic(clientId), { version, payload: Buffer.alloc(100_000, 'z') }));
  await client.next('puback');
  expect(seen.received.map(({ length }) => length)).toEqual([100_000]);
  const sent = seen.connection.send(Buffer.alloc(100_000, 'y'));
  const { messageId = 0, topic, payload } = await client.next('publish');
  expect([topic, payload.length]).toEqual([downTopic(clientId), 100_000]);
  client.send(Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff]));
  expect(await sent).toBe('delivered');
  client.send(Buffer.from([0xe0, 0]));
  await client.closed;
  expect(seen.closed).toEqual([{ reason: 'byDevice', detail: '' }]);
};

describe.each([4, 5] as Version[])('protocol level %i', (version) => {
  it('works over TLS', async () => {
    await converse(await dialTls({}, version), `dev-tls-${version}`, version);
    expect((await gateway.of(`dev-tls-${version}`)).request.transport).toBe('tls');
  });

  it('works over WebSocket', async () => {
    await converse(await dialWebSocket({}, version), `dev-ws-${version}`, version);
    expect((await gateway.of(`dev-ws-${version}`)).request.transport).toBe('ws');
  });

  it.each(['mqtt', 'mqtts'] as const)('works with mqtt.js over %s', async (protocol) => {
    const clientId = `dev-trade-${protocol}-${version}`;
    const client: MqttClient = await connectAsync({
      protocol,
      host: '127.0.0.1',
      port: protocol === 'mqtt' ? gateway.port : (gateway.tlsPort ?? 0),
      ca: cert,
      clientId,
      username: clientId,
      password: 'token',
      protocolVersion: version,
      clean: false,
      reconnectPeriod: 0,
    });
    const down = new Promise<string>((resolve) => client.once('message', (_topic, bytes) => resolve(bytes.toString())));
    expect(await client.subscribeAsync(downTopic(clientId), { qos: 2 })).toMatchObject([{ qos: 1 }]);
    for (const qos of [0, 1, 2] as const) await client.publishAsync(upTopic(clientId), `with QoS ${qos}`, { qos });
    const seen = await gateway.of(clientId);
    await until(() => seen.received.length === 3, 'three messages');
    expect(seen.received).toEqual(['with QoS 0', 'with QoS 1', 'with QoS 2']);
    expect(await seen.connection.send(Buffer.from('do it'))).toBe('delivered');
    expect(await down).toBe('do it');
    await client.unsubscribeAsync(downTopic(clientId));
    await client.endAsync();
    await until(() => seen.closed.length === 1, 'the end');
    expect(seen.closed[0]?.reason).toBe('byDevice');
  });
});

describe('TLS', () => {
  it('before 1.2 is rejected', async () => {
    const old: ConnectionOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(dialTls(old)).rejects.toThrow(/version|alert/i);
  });

  it('with invalid bytes is closed, and others are served', async () => {
    const plain = await RawClient.dial(gateway.tlsPort ?? 0);
    plain.send(connect({ clientId: 'dev-plain' }));
    await plain.closed;
    await converse(await dialTls(), 'dev-tls-after', 4);
  });

  it('with an unfinished handshake is closed in time', async () => {
    const strict = await startTestServer({
      tls: { cert, key, port: 0 },
      limits: { connectWithinMs: 200, sweepMs: 20 },
    });
    const silent = await RawClient.dial(strict.tlsPort ?? 0);
    silent.send(Buffer.from('16030100c8', 'hex'));
    await silent.closed;
    await strict.stop();
  });

  it('with an unreadable certificate does not start, and leaves nothing open', async () => {
    await expect(startTestServer({ tls: { cert: 'none', key, port: 0 } })).rejects.toThrow();
  });
});

describe('WebSocket', () => {
  it("gets the client's address from the last entry of X-Forwarded-For", async () => {
    const client = await dialWebSocket({ headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' } });
    client.send(connect({ clientId: 'dev-forwarded' }));
    await client.next('connack');
    expect((await gateway.of('dev-forwarded')).request.ip).toBe('203.0.113.9');
  });

  it('answers with the subprotocol, and rejects clients that do not offer it', async () => {
    expect((await openWebSocket({ protocols: ['mqttv3.1', 'mqtt'] })).protocol).toBe('mqtt');
    await expect(openWebSocket({ protocols: ['chat'] })).rejects.toThrow(/400/);
    await expect(openWebSocket({ protocols: [] })).rejects.toThrow(/400/);
  });

  it('answers plain HTTP requests', async () => {
    const status = await new Promise((resolve, reject) =>
      request({ socketPath, path: '/mqtt' }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(),
    );
    expect(status).toBe(426);
  });

  it('accepts packets across frames, and several in one frame', async () => {
    const client = await dialWebSocket();
    for (const byte of connect({ clientId: 'dev-split' })) client.send(Buffer.from([byte]));
    await client.next('connack');
    const several = [1, 2, 3].map((packetId) => publish(upTopic('dev-split'), { packetId, payload: String(packetId) }));
    const bytes = Buffer.concat([...several, PINGREQ]);
    for (const part of [bytes.subarray(0, 50), bytes.subarray(50, 51), bytes.subarray(51)]) client.send(part);
    for (const packetId of [1, 2, 3]) expect((await client.next('puback')).messageId).toBe(packetId);
    await client.next('pingresp');
    expect((await gateway.of('dev-split')).received).toEqual(['1', '2', '3']);
  });

  it('closes on text frames and frames that are too large', async () => {
    for (const [clientId, frame] of [
      ['dev-text', 'hello'],
      ['dev-large', Buffer.alloc(300_000)],
    ] as const) {
      const socket = await openWebSocket();
      const client = new RawClient(createWebSocketStream(socket));
      client.send(connect({ clientId }));
      await client.next('connack');
      socket.send(frame);
      await client.closed;
      const seen = await gateway.of(clientId);
      await until(() => seen.closed.length === 1, 'the end');
      expect(seen.received).toEqual([]);
      expect(seen.closed[0]).toEqual({ reason: 'protocolError', detail: expect.stringMatching(/frame.*§6/) });
    }
  });

  it('closes on an unfinished frame, however slow', async () => {
    const path = join(folder, 'strict.sock');
    const strict = await startTestServer({ socketPath: path, limits: { packetWithinMs: 300, sweepMs: 20 } });
    const socket = new WebSocket(`ws+unix:${path}:/mqtt`, ['mqtt']);
    const raw = new Promise<Duplex>((resolve) => socket.once('upgrade', (response) => resolve(response.socket)));
    await new Promise((resolve) => socket.once('open', resolve));
    const client = new RawClient(createWebSocketStream(socket));
    client.send(connect({ clientId: 'dev-frame' }));
    await client.next('connack');
    const line = await raw;
    // A binary frame of 100 bytes, masked with zeros.
    line.write(Buffer.from([0x82, 0x80 | 100, 0, 0, 0, 0]));
    const drip = setInterval(() => line.writable && line.write(Buffer.from([0])), 20);
    const seen = await strict.of('dev-frame');
    await until(() => seen.closed.length === 1, 'the end');
    clearInterval(drip);
    expect(seen.closed[0]).toEqual({
      reason: 'protocolError',
      detail: expect.stringContaining('incomplete WebSocket frame'),
    });
    await strict.stop();
  });

  it('closes when it stays silent', async () => {
    const client = await dialWebSocket();
    await client.closed;
    expect(client.bytes).toHaveLength(0);
  });

  it('answers WebSocket pings', async () => {
    const socket = await openWebSocket();
    const pong = new Promise((resolve) => socket.once('pong', (data) => resolve(data.toString())));
    socket.ping('there?');
    expect(await pong).toBe('there?');
    socket.terminate();
  });
});

it('leaves no socket open on any transport', async () => {
  const own = await startTestServer({ tls: { cert, key, port: 0 }, limits: { connections: 1 } });
  for (let time = 0; time < 5; time++) {
    const socket = connectTls({ port: own.tlsPort ?? 0, host: 'localhost', ca: cert });
    const client = new RawClient(socket);
    client.send(connect({ clientId: 'dev-again' }));
    await client.next('connack');
    socket.destroy();
    await until(() => own.stats().connections === 0, 'the place to be free');
  }
  await own.stop();
});
