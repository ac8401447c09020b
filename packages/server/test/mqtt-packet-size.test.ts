import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { startTestServer, type TestServer } from './mqtt/test-server.ts';

let gateway: TestServer;
beforeAll(async () => {
  gateway = await startTestServer();
});
afterAll(() => gateway.stop());

describe('CONNACK of MQTT 5', () => {
  const takes = (bytes: number): Buffer => Buffer.from([0x27, 0, 0, 0, bytes]);

  it.each([4, 5, 20, 60])('fits a client that accepts packets of at most %i bytes, or is not sent', async (most) => {
    const small = await RawClient.dial(gateway.port, 5);
    small.send(connect({ version: 5, clientId: `dev-takes-${most}`, properties: [takes(most)] }));
    if (most === 4) await small.closed;
    else expect((await small.next('connack')).reasonCode).toBe(0);
    expect(small.bytes.length).toBeLessThanOrEqual(most);
    if (most < 60) expect(small.bytes.length).toBe(most === 4 ? 0 : 5);
  });

  it('announces the keep-alive to a client with small packets, and rejects one without room for it', async () => {
    const fields = { version: 5 as const, keepAlive: 5_000 };
    const [, told] = await RawClient.connect(gateway.port, { ...fields, clientId: 'dev-told', properties: [takes(8)] });
    expect(told.properties).toEqual({ serverKeepAlive: 1_200 });
    const [untold, refused] = await RawClient.connect(gateway.port, {
      ...fields,
      clientId: 'dev-untold',
      properties: [takes(7)],
    });
    expect(refused.reasonCode).toBe(0x95);
    await untold.closed;
  });
});
