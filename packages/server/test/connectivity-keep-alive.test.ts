import { beforeAll, expect, it } from 'vitest';
import { connectRows } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { RawClient } from './mqtt/raw-client.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await sharedHub();
});

// Spec 4.15
it('ends the presence of a silent connection after its keep-alive', async () => {
  const device = await connectNewDevice(hub, await createProductFixture(hub));
  const { clientId, password, port } = device.bucket;
  const [silent, { returnCode }] = await RawClient.connect(port, { clientId, password, keepAlive: 10 });
  expect(returnCode).toBe(0);
  const since = Date.now();
  // The other end reads nothing and answers nothing, and its socket stays open.
  silent.stream.pause();
  await expectOnline(hub, clientId, 1);
  await expect.poll(async () => (await connectRows(hub, clientId))[0]?.reason, { timeout: 40_000 }).toBe('keepAlive');
  expect(Date.now() - since).toBeGreaterThan(14_000);
  await expectOnline(hub, clientId, 2);
  silent.stream.destroy();
});
