import { deviceCodes } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ConnectFields, connect, PINGREQ, publish, upTopic, type Version } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestServer, type TestServer } from './mqtt/test-server.ts';

let gateway: TestServer;

beforeAll(async () => {
  gateway = await startTestServer({ limits: { sweepMs: 20, authorizeWithinMs: 300 } });
});
afterAll(() => gateway.stop());

const versions: Version[] = [4, 5];

describe.each(versions)('CONNECT in protocol level %i', (version) => {
  const refused = async (fields: Partial<ConnectFields>) => {
    const admitted = gateway.seen.length;
    const [client, connack] = await RawClient.connect(gateway.port, { version, ...fields });
    await client.closed;
    expect(gateway.seen).toHaveLength(admitted);
    return connack;
  };

  it("passes on the client's fields, and answers with session present 0", async () => {
    const [client, connack] = await RawClient.connect(gateway.port, {
      version,
      clientId: 'dev-1',
      // Clean Session 0 is accepted, but no session is stored.
      flags: 0xc0,
      keepAlive: 30,
    });
    expect(connack).toMatchObject(version === 4 ? { returnCode: 0 } : { reasonCode: 0 });
    expect(connack.sessionPresent).toBe(false);
    expect((await gateway.of('dev-1')).request).toEqual({
      clientId: 'dev-1',
      username: 'dev-1',
      password: 'token',
      protocolVersion: version,
      keepAlive: 30,
      ip: '127.0.0.1',
      transport: 'tcp',
      will: null,
    });
    client.send(PINGREQ);
    await client.next('pingresp');
  });

  it.each([
    ['TOKEN_INVALID', 4, 0x86],
    ['TOKEN_EXPIRED', 4, 0x86],
    ['BLACKLISTED', 5, 0x87],
    ['KICKED', 5, 0x87],
    ['APPLICATION_DISABLED', 5, 0x87],
    ['TENANCY_CLOSED', 5, 0x87],
    ['TOO_MANY', 3, 0x97],
    ['FAULT', 3, 0x88],
    ['AWAY', 3, 0x88],
  ] as const)('is rejected as %s', async (cause, returnCode, reasonCode) => {
    const connack = await refused({ clientId: 'dev-1', password: `refuse:${cause}` });
    if (version === 4) expect(connack.returnCode).toBe(returnCode);
    else {
      expect(connack.reasonCode).toBe(reasonCode);
      expect(connack.properties?.reasonString).toBe(`${cause}: ${deviceCodes[cause].en_US}`);
    }
  });

  it.each([
    ['a user name that is not the client id', { username: 'dev-2' }],
    ['no user name', { username: null, password: null }],
  ])('is rejected as TOKEN_INVALID with %s', async (_name, fields) => {
    const connack = await refused({ clientId: 'dev-1', ...fields });
    expect(connack).toMatchObject(version === 4 ? { returnCode: 4 } : { reasonCode: 0x86 });
  });

  it('is rejected without a client id', async () => {
    const connack = await refused({ clientId: '' });
    expect(connack).toMatchObject(version === 4 ? { returnCode: 2 } : { reasonCode: 0x85 });
  });

  it.each(['#', '+', 'constructor', '__proto__', 'a/b', '设备'])('accepts the client id %s', async (clientId) => {
    const connack = await refused({ clientId, password: 'refuse:TOKEN_INVALID' });
    expect(connack).toMatchObject(version === 4 ? { returnCode: 4 } : { reasonCode: 0x86 });
  });

  it('is rejected as unavailable when its authorization fails or times out', async () => {
    for (const password of ['throw', 'never']) {
      const connack = await refused({ clientId: 'dev-1', password });
      expect(connack).toMatchObject(version === 4 ? { returnCode: 3 } : { reasonCode: 0x88 });
    }
  });

  it('is rejected with a will to another topic, which the handler gets', async () => {
    const will = { topic: upTopic('dev-other'), payload: Buffer.from('gone') };
    const [client, connack] = await RawClient.connect(gateway.port, { version, clientId: 'dev-will', will });
    expect(connack).toMatchObject(version === 4 ? { returnCode: 5 } : { reasonCode: 0x90 });
    await client.closed;
    const seen = await gateway.of('dev-will');
    expect(seen.closed.map(({ reason }) => reason)).toEqual(['protocolError']);
    expect(seen.received).toEqual([]);
  });

  it('is answered before packets that follow it are processed', async () => {
    const clientId = `dev-slow-${version}`;
    const client = await RawClient.dial(gateway.port, version);
    const slow = await startTestServer();
    const other = await RawClient.dial(slow.port, version);
    for (const one of [client, other])
      one.send(
        connect({ version, clientId, password: one === other ? 'slow' : 'token' }),
        publish(upTopic(clientId), { version, payload: 'early' }),
        PINGREQ,
      );
    await client.next('connack');
    await client.next('puback');
    await client.next('pingresp');
    expect(other.bytes).toHaveLength(0);
    expect(slow.seen).toEqual([]);
    slow.acceptSlow();
    await other.next('connack');
    await other.next('puback');
    expect((await slow.of(clientId)).received).toEqual(['early']);
    await slow.stop();
  });

  it('is accepted in fragments', async () => {
    const client = await RawClient.dial(gateway.port, version);
    for (const byte of connect({ version, clientId: 'dev-drops' }))
      await new Promise((resolve) => client.stream.write(Buffer.from([byte]), resolve));
    expect((await client.next('connack')).sessionPresent).toBe(false);
  });
});

describe('the keep-alive', () => {
  it.each([
    [0, 1_200],
    [5, 10],
    [10, 10],
    [600, 600],
    [1_200, 1_200],
    [65_535, 1_200],
  ])('of %i s is applied as %i s', async (keepAlive, held) => {
    for (const version of versions) {
      const clientId = `dev-keep-${version}-${keepAlive}`;
      const [, connack] = await RawClient.connect(gateway.port, { version, clientId, keepAlive });
      expect((await gateway.of(clientId)).request.keepAlive).toBe(held);
      // Only when the hub changes it, and only in MQTT 5.
      expect(connack.properties?.serverKeepAlive).toBe(version === 5 && held !== keepAlive ? held : undefined);
    }
  });

  it.each(versions)(
    'disconnects a silent client after one and a half times the period, in protocol level %i',
    async (version) => {
      const strict = await startTestServer({ limits: { keepAliveMin: 1, sweepMs: 20 } });
      const started = performance.now();
      const [silent] = await RawClient.connect(strict.port, { version, clientId: 'dev-silent', keepAlive: 1 });
      const [pinging] = await RawClient.connect(strict.port, { version, clientId: 'dev-pings', keepAlive: 1 });
      const pings = setInterval(() => pinging.send(PINGREQ), 300);
      await silent.closed;
      clearInterval(pings);
      expect(performance.now() - started).toBeGreaterThan(1_450);
      expect((await strict.of('dev-silent')).closed).toEqual([{ reason: 'keepAlive', detail: '' }]);
      if (version === 5) expect((await silent.next('disconnect')).reasonCode).toBe(0x8d);
      expect(pinging.isClosed).toBe(false);
      expect((await strict.of('dev-pings')).closed).toEqual([]);
      await strict.stop();
    },
  );

  it('ignores the time during which the hub itself is frozen', async () => {
    const strict = await startTestServer({ limits: { keepAliveMin: 1, sweepMs: 20 } });
    const [client] = await RawClient.connect(strict.port, { clientId: 'dev-patient', keepAlive: 1 });
    // The ping arrives in time, but the hub reads it late.
    client.send(PINGREQ);
    const until = performance.now() + 2_000;
    while (performance.now() < until);
    await client.next('pingresp');
    expect((await strict.of('dev-patient')).closed).toEqual([]);
    await strict.stop();
  });
});

describe('CONNACK of MQTT 5', () => {
  it('announces what the hub supports', async () => {
    const [, connack] = await RawClient.connect(gateway.port, { version: 5, clientId: 'dev-5' });
    expect(connack.properties).toEqual({
      sessionExpiryInterval: 0,
      receiveMaximum: 64,
      maximumPacketSize: 129 * 1_024,
      retainAvailable: false,
      topicAliasMaximum: 0,
      wildcardSubscriptionAvailable: false,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
    });
  });

  it("omits the reason string when it exceeds the client's limit", async () => {
    const [, connack] = await RawClient.connect(gateway.port, {
      version: 5,
      clientId: 'dev-5',
      password: 'refuse:BLACKLISTED',
      properties: [Buffer.from([0x27, 0, 0, 0, 20])],
    });
    expect(connack.reasonCode).toBe(0x87);
    expect(connack.properties?.reasonString).toBeUndefined();
  });

  it('rejects extended authentication', async () => {
    const [, connack] = await RawClient.connect(gateway.port, {
      version: 5,
      clientId: 'dev-5',
      properties: [Buffer.from([0x15, 0, 1, 0x78])],
    });
    expect(connack.reasonCode).toBe(0x8c);
  });
});

describe('another protocol level', () => {
  it.each([
    ['3.1', { name: 'MQIsdp', level: 3 }],
    ['6', { level: 6 }],
    ['0', { level: 0 }],
  ])('%s is rejected as unacceptable', async (_name, fields) => {
    const [client] = await RawClient.connect(gateway.port, { clientId: 'dev-1', ...fields });
    await client.closed;
    expect(client.bytes).toEqual(Buffer.from([0x20, 2, 0, 1]));
  });
});

describe('a connection without a complete CONNECT', () => {
  it('is closed, whether silent, slow or after half a CONNECT', async () => {
    const strict = await startTestServer({ limits: { connectWithinMs: 200, sweepMs: 20 } });
    const clients = await Promise.all([1, 2, 3].map(() => RawClient.dial(strict.port)));
    const [, dripping, half] = clients;
    dripping?.send(Buffer.from([0x10, 0xa0, 0x1f]));
    const drip = setInterval(() => dripping?.stream.writable && dripping.send(Buffer.from([0])), 20);
    half?.send(connect().subarray(0, 12));
    await Promise.all(clients.map((client) => client.closed));
    clearInterval(drip);
    expect(clients.map((client) => client.bytes.length)).toEqual([0, 0, 0]);
    expect(strict.stats().refused).toBe(3);
    await strict.stop();
  });

  it('is closed with an unfinished packet, also after CONNECT', async () => {
    const strict = await startTestServer({ limits: { packetWithinMs: 200, sweepMs: 20 } });
    const [dripping] = await RawClient.connect(strict.port, { clientId: 'dev-drip' });
    const [patient] = await RawClient.connect(strict.port, { clientId: 'dev-patient' });
    dripping.send(Buffer.from([0x32, 0x7f]));
    const drip = setInterval(() => dripping.stream.writable && dripping.send(Buffer.from([0])), 20);
    await dripping.closed;
    clearInterval(drip);
    expect((await strict.of('dev-drip')).closed[0]?.detail).toContain('did not arrive in time');
    patient.send(PINGREQ);
    await patient.next('pingresp');
    await strict.stop();
  });

  it('does not block others: pending and total sockets are limited', async () => {
    const small = await startTestServer({ limits: { pendingConnections: 3, connections: 5 } });
    const admitted = await Promise.all(
      ['dev-1', 'dev-2'].map((clientId) => RawClient.connect(small.port, { clientId })),
    );
    const waiting = await Promise.all([1, 2, 3].map(() => RawClient.dial(small.port)));
    const over = await RawClient.dial(small.port);
    await over.closed;
    expect(small.stats()).toMatchObject({ connections: 2, refused: 1 });
    expect(waiting.map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
    for (const client of waiting) client.stream.destroy();
    // Refused until the hub has seen the others go.
    for (const clientId of ['dev-3', 'dev-4', 'dev-5'])
      await vi.waitFor(() => RawClient.connect(small.port, { clientId }), { interval: 5, timeout: 30_000 });
    expect(small.stats().connections).toBe(5);
    const sixth = await RawClient.dial(small.port);
    await sixth.closed;
    expect(admitted.map(([client]) => client.isClosed)).toEqual([false, false]);
    await small.stop();
  });
});
