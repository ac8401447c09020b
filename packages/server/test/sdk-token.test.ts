import { createDevice } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

/** Seconds; short, so that a test sees several refreshes. */
const TOKEN_LIFE = 4;

let hub: Hub;
beforeAll(async () => {
  hub = await startHub({ DEVICE_TOKEN_LIFE: `${TOKEN_LIFE}s` });
});
afterAll(() => hub.close());

it('refreshes its token in time: one login and one connection outlive several tokens', async () => {
  const { productId, productSecret } = await createProductFixture(hub);
  const device = createDevice({ hubUrl: hub.url, productId, productSecret, deviceId: unique('lamp') });
  await device.start();
  const startedAt = Date.now();
  const steps: string[] = [];
  const tokens = new Set<string>();
  device.on('step', ({ step }) => steps.push(step));
  device.on('message', ({ direction, envelope }) => {
    if (direction === 'up') tokens.add(envelope.token);
  });
  await expect
    .poll(
      async () => {
        await device.report({ power: true });
        return tokens.size;
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBe(4);
  // Three refreshes, each at four fifths of a life: more than two whole lives have gone by.
  expect(Date.now() - startedAt).toBeGreaterThan(2 * TOKEN_LIFE * 1_000);
  expect(steps).toEqual([]);
  expect(device.online).toBe(true);
  await device.stop();
});
