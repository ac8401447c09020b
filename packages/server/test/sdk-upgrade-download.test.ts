import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createMemoryStorage } from '@device-center/device-sdk';
import { createFileStorage } from '@device-center/device-sdk/node';
import { describe, expect, it } from 'vitest';
import { LONG } from './connectivity-fixtures.ts';
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

const CUTS = LONG ? 200 : 20;

describe('an interrupted download', () => {
  it.each([
    ['memory', 1, () => createMemoryStorage()],
    ['a file', 2, () => createFileStorage(join(folder, 'cut.bin'))],
  ])(
    `${CUTS} times, into %s (seed %d), results in the same bytes`,
    async (_, seed, newStorage) => {
      scene.files.serve = dropRandomly(firmware, CUTS, randomFrom(seed));
      const { device, installed } = await upgradable({
        backoff: { first: 1, max: 2 },
        upgrade: { storage: newStorage(), tries: 30 },
      });
      await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
      await expectVersion(scene.hub, device.deviceId, '1.1.0', 60_000);
      expect(installed.map((bytes) => Buffer.from(bytes).equals(firmware))).toEqual([true]);
      // Received bytes were not requested again.
      const downloads = scene.files.downloads();
      expect(downloads).toHaveLength(CUTS + 1);
      const places = downloads.map(({ range }) => Number(/\d+/.exec(range)?.[0] ?? 0));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(new Set(places).size).toBeGreaterThan(CUTS / 2);
      const resumed = downloads.filter(({ range }) => range !== '');
      expect(new Set(resumed.map(({ ifRange }) => ifRange))).toEqual(new Set([`"${orderTo('1.1.0').sha256}"`]));
    },
    120_000,
  );

  // Spec 4.47
  it('for good fails with reason 3, after a number of tries without a byte and not before', async () => {
    scene.files.serve = (request) => void request.socket.destroy();
    const { device, installed } = await upgradable({ upgrade: { tries: 4 } });
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectStatuses(scene.hub, device.deviceId, [2, 6]);
    expect((await progressOf(scene.hub, device.deviceId)).at(-1)).toMatchObject({ reason: 3, attempt: 1 });
    expect(scene.files.downloads()).toHaveLength(4);
    expect(installed).toEqual([]);
  });

  it('is resumed by the next attempt after a failed one', async () => {
    let cut = false;
    const half = serveBytes(firmware, { most: () => firmware.length / 2 });
    scene.files.serve = (request, answer) => {
      if (cut) request.socket.destroy();
      else half(request, answer);
      cut = true;
    };
    const { device } = await upgradable({ upgrade: { tries: 2 } });
    const order = orderTo('1.1.0');
    await sendSystemService(scene.hub, device.deviceId, 'ota', order);
    await expectStatuses(scene.hub, device.deviceId, [2, 6]);
    scene.files.serve = serveBytes(firmware);
    scene.files.requests.length = 0;
    await sendSystemService(scene.hub, device.deviceId, 'ota', { ...order, attempt: 2 });
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(scene.files.downloads()).toMatchObject([{ range: `bytes=${firmware.length / 2}-` }]);
  });
});

describe('a file server', () => {
  it('without Range support sends everything, which is accepted', async () => {
    let times = 0;
    scene.files.serve = (request, answer) => {
      request.headers.range = undefined;
      const most = () => (++times === 1 ? 400_000 : Number.POSITIVE_INFINITY);
      serveBytes(firmware, { most })(request, answer);
    };
    const { device, installed } = await upgradable();
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(times).toBe(2);
    expect(Buffer.from(installed[0] ?? []).equals(firmware)).toBe(true);
  });

  it('whose file changes during the download is asked for all of it', async () => {
    const other = randomBytes(firmware.length);
    scene.files.serve = (request, answer) => {
      scene.files.serve = serveBytes(firmware);
      serveBytes(other, { most: () => 400_000 })(request, answer);
    };
    const { device, installed } = await upgradable();
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(scene.files.downloads().map(({ range }) => range)).toEqual(['', 'bytes=400000-']);
    expect(Buffer.from(installed[0] ?? []).equals(firmware)).toBe(true);
  });

  it('that answers another range is asked again from the start', async () => {
    let times = 0;
    scene.files.serve = (request, answer) => {
      times++;
      if (times === 1) serveBytes(firmware, { most: () => 400_000 })(request, answer);
      else if (times === 2) {
        request.headers.range = 'bytes=100-';
        serveBytes(firmware)(request, answer);
      } else serveBytes(firmware)(request, answer);
    };
    const { device, installed } = await upgradable();
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    expect(scene.files.downloads().map(({ range }) => range)).toEqual(['', 'bytes=400000-', '']);
    expect(Buffer.from(installed[0] ?? []).equals(firmware)).toBe(true);
  });

  it('that rejects the link is asked for another, with the current token', async () => {
    const expired = JSON.stringify({ success: false, code: 'LINK_INVALID', statusCode: 403 });
    scene.files.serve = (request, answer) => {
      if (request.url === '/another-link') serveBytes(firmware)(request, answer);
      else answer.writeHead(403, { 'Content-Type': 'application/json' }).end(expired);
    };
    const { device } = await upgradable();
    const tokens: string[] = [];
    device.on('message', ({ envelope }) => void (envelope.token && tokens.push(envelope.token)));
    const order = orderTo('1.1.0');
    await device.refresh();
    await sendSystemService(scene.hub, device.deviceId, 'ota', order);
    await expectVersion(scene.hub, device.deviceId, '1.1.0');
    const paths = scene.files.requests.map(({ path }) => path).filter((path) => !path.includes('Key'));
    const { deviceOtaTaskId } = order;
    expect(paths).toEqual([
      '/a-link',
      `/api/bucket/getFirmwareLink?deviceOtaTaskId=${deviceOtaTaskId}&attempt=1`,
      '/another-link',
    ]);
    const used = scene.files.requests.filter(({ path }) => !path.includes('Key')).map(({ token }) => token);
    expect(new Set(used).size).toBe(1);
    expect(tokens).toContain(used[0]);
    expect(used[0]).not.toBe(tokens[0]);
  });

  it("that sends more than the manifest's size is rejected with reason 4", async () => {
    scene.files.serve = serveBytes(Buffer.concat([firmware, Buffer.from('more')]));
    const { device, installed } = await upgradable();
    await sendSystemService(scene.hub, device.deviceId, 'ota', orderTo('1.1.0'));
    await expectStatuses(scene.hub, device.deviceId, [2, 6]);
    expect((await progressOf(scene.hub, device.deviceId)).at(-1)).toMatchObject({ reason: 4 });
    expect(installed).toEqual([]);
  });
});
