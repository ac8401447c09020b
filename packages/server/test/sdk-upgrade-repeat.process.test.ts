import { recordCalls } from '@device-center/contract';
import { expect, it } from 'vitest';
import { spawnHub } from './hub.ts';
import { deviceProcess } from './hub-process.ts';
import { expectVersion, sendSystemService, serveBytes } from './upgrade-fixtures.ts';
import { createUpgradeFixture } from './upgrade-flow-fixtures.ts';

const scene = createUpgradeFixture(300_000, spawnHub);
const { firmware, orderTo, upgradable } = scene;

/** A server that blocks every download until it is released. */
const holdDownloads = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const serve = serveBytes(firmware);
  scene.files.serve = (request, answer) => void promise.then(() => serve(request, answer));
  return resolve;
};

it('does not repeat an installation that completes while the answer of another attempt is on its way', async () => {
  const { device, installed } = await upgradable();
  const { deviceId } = device;
  const release = holdDownloads();
  const order = orderTo('1.1.0');
  await sendSystemService(scene.hub, deviceId, 'ota', order);
  const side = deviceProcess(scene.hub.process);
  const told = new Promise<void>((resolve) =>
    device.on('message', ({ direction, envelope: { payload } }) => {
      if (direction !== 'down' || !payload.includes('"attempt":2')) return;
      // The hub reads no answer until the installation is complete.
      process.kill(side, 'SIGSTOP');
      resolve();
    }),
  );
  const done = new Promise<void>((resolve) => device.on('upgrade', ({ phase }) => phase === 'installed' && resolve()));
  const telling = sendSystemService(scene.hub, deviceId, 'ota', { ...order, attempt: 2 });
  try {
    await told;
    release();
    await done;
  } finally {
    process.kill(side, 'SIGCONT');
  }
  await telling;
  // It answers the second attempt with its current version.
  const identities = () => scene.hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, type: 5, dataFlow: 1 });
  await expect.poll(async () => (await identities()).total, { timeout: 30_000, interval: 50 }).toBe(1);
  await expectVersion(scene.hub, deviceId, '1.1.0');
  expect(installed).toHaveLength(1);
  expect(scene.files.downloads()).toHaveLength(1);
});
