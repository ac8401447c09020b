import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryStorage, createStreamingStorage } from '@device-center/device-sdk';
import { createFileStorage } from '@device-center/device-sdk/node';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';
import {
  dropRandomly,
  expectStatuses,
  expectVersion,
  progressOf,
  randomFrom,
  sendSystemService,
  serveBytes,
} from './upgrade-fixtures.ts';
import { createUpgradeFixture } from './upgrade-flow-fixtures.ts';

const scene = createUpgradeFixture(1_000_000);
const { firmware, orderTo, upgradable } = scene;
const folder = temporaryFolder('device-center-firmware-');

describe('firmware storage', () => {
  it('resumes from a file after a restart of the process', async () => {
    const path = join(folder, 'restart.bin');
    // A line that brings half of it and then nothing: the process ends in the middle.
    scene.files.serve = (_, answer) => {
      answer.on('error', () => undefined);
      const rest = firmware.subarray(0, 500_000);
      answer.writeHead(200, { ETag: `"${orderTo('1.1.0').sha256}"`, 'Content-Length': firmware.length }).write(rest);
    };
    const secrets: string[] = [];
    const onSecret = (secret: string) => void secrets.push(secret);
    const first = await upgradable({ onSecret, upgrade: { storage: createFileStorage(path) } });
    const { deviceId } = first.device;
    const order = orderTo('1.1.0');
    await sendSystemService(scene.hub, deviceId, 'ota', order);
    await expect.poll(() => statSync(path, { throwIfNoEntry: false })?.size).toBe(500_000);
    await first.device.stop();
    expect(JSON.parse(readFileSync(`${path}.json`, 'utf8')).order).toEqual(order);

    scene.files.serve = serveBytes(firmware);
    scene.files.requests.length = 0;
    const own = { deviceId, secret: secrets.at(-1), productSecret: undefined };
    const second = await upgradable({ ...own, upgrade: { storage: createFileStorage(path) } });
    await sendSystemService(scene.hub, deviceId, 'ota', { ...order, attempt: 2 });
    await expectVersion(scene.hub, deviceId, '1.1.0');
    expect(scene.files.downloads()).toMatchObject([{ range: 'bytes=500000-', ifRange: `"${order.sha256}"` }]);
    expect(Buffer.from(second.installed[0] ?? []).equals(firmware)).toBe(true);
    expect([path, `${path}.json`].map((file) => existsSync(file))).toEqual([false, false]);
  });

  it('discards bytes of another firmware', async () => {
    const path = join(folder, 'other.bin');
    const storage = createFileStorage(path);
    const other = randomBytes(50_000);
    const before = orderTo('1.0.5', { bytes: other });
    await storage.open(before);
    await storage.begin('"other"');
    await storage.append(other);
    expect(await createFileStorage(path).open(before)).toEqual({ size: 50_000, tag: '"other"' });
    const { device, installed } = await upgradable({ upgrade: { storage: createFileStorage(path) } });
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(scene.files.downloads()).toMatchObject([{ range: '' }]);
    expect(Buffer.from(installed[0] ?? []).equals(firmware)).toBe(true);
  });

  it('streams all chunks to a device that stores them itself, and verifies them', async () => {
    const flash = Buffer.alloc(firmware.length);
    const storage = createStreamingStorage((bytes, offset) => void flash.set(bytes, offset));
    scene.files.serve = dropRandomly(firmware, 5, randomFrom(3));
    const { device } = await upgradable({ upgrade: { storage, install: () => undefined } });
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(flash.equals(firmware)).toBe(true);
  });

  it('fails with reason 3 at once when it is full', async () => {
    const memory = createMemoryStorage();
    const append = () => {
      throw new Error('no space left');
    };
    const { device } = await upgradable({ upgrade: { storage: { ...memory, append } } });
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectStatuses(scene.hub, device.deviceId, [2, 6]);
    const { reason, detail } = (await progressOf(scene.hub, device.deviceId)).at(-1) ?? {};
    expect([reason, detail]).toEqual([3, 'storage error: no space left']);
    expect(scene.files.downloads()).toHaveLength(1);
  });
});
