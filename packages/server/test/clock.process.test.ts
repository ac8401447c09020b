import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PRELOAD } from './clock/clock-hub.ts';
import { upRecords } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { adminProcess, deviceProcess } from './hub-process.ts';
import { waitFor } from './mailbox.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';
import { temporaryFolder } from './temporary-folder.ts';

describeOnOneEngine('postgres', () => {
  const HOUR = 3_600_000;

  const folder = temporaryFolder('clock-');
  const file = join(folder, 'clock');
  let hub: SpawnedHub;
  let fixture: ProductFixture;
  let offset = 0;
  let moves = 0;

  beforeAll(async () => {
    writeFileSync(file, '0');
    hub = await spawnHub({ NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_FILE: file });
    fixture = await createProductFixture(hub);
  });
  afterAll(() => hub.close());

  /** Sets the hub's clock while it runs, and waits until the hub applies it. */
  const moveTo = async (next: number): Promise<void> => {
    offset = next;
    moves += 1;
    writeFileSync(file, String(next));
    const told = (): number => hub.process.errors().split('machine clock was set').length - 1;
    await waitFor('the log says it', () => (told() >= moves ? true : undefined));
  };

  /** A device logs in by the hub's time. */
  const atHubTime = () => ({ before: { timestamp: Date.now() + offset } });

  const say = async (device: RawDevice, count: number, first = 1): Promise<string[]> => {
    const sentCount: string[] = [];
    for (let serial = first; serial < first + count; serial++)
      sentCount.push((await device.send({ type: 2, payload: { properties: { brightness: serial } } })).dataId);
    return sentCount;
  };

  it.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])(
    'survives a clock that is set an hour %s and back',
    async (_name, by) => {
      const sides = [adminProcess(hub.process), deviceProcess(hub.process)];
      const device = await connectNewDevice(hub, fixture, atHubTime());
      const { deviceId } = device;
      await expectOnline(hub, deviceId, 1);
      const sentCount = await say(device, 5);
      for (const next of [by, 0]) {
        await moveTo(next);
        // Connections and user sessions survive.
        sentCount.push(...(await say(device, 5)));
        expect(device.client.connected).toBe(true);
        expect((await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).online).toBe(1);
        await hub.admin.ok(applicationCalls.addApplication, { applicationName: unique('app') });
        // New connections and logins are accepted.
        const other = await connectNewDevice(hub, fixture, atHubTime());
        await expectOnline(hub, other.deviceId, 1);
        await other.end();
        await expectOnline(hub, other.deviceId, 2);
      }
      const rows = await upRecords(hub, deviceId);
      // Ordered by record id, each is stored once in the order of sending.
      expect(rows.map((row) => String(row.message_id))).toEqual(sentCount);
      expect(new Set(rows.map((row) => row.record_id)).size).toBe(sentCount.length);
      const { total } = await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, dataFlow: 1 });
      expect(total).toBe(sentCount.length);
      await device.end();
      await expectOnline(hub, deviceId, 2);
      expect([adminProcess(hub.process), deviceProcess(hub.process)]).toEqual(sides);
    },
    60_000,
  );

  it('stores plausible times when the clock is set back during a connection or a restart of the device process', async () => {
    await moveTo(HOUR);
    const device = await connectNewDevice(hub, fixture, atHubTime());
    const { deviceId } = device;
    await expectOnline(hub, deviceId, 1);
    await say(device, 3);
    await moveTo(0);
    const before = deviceProcess(hub.process);
    process.kill(before, 'SIGKILL');
    await waitFor('another process', () => (![0, before].includes(deviceProcess(hub.process)) ? true : undefined));
    await waitFor('ready', async () => ((await fetch(`${hub.url}/health/ready`)).status === 200 ? true : undefined));
    const back = await connectDevice(hub.url, device, atHubTime());
    await expectOnline(hub, deviceId, 1);
    await say(back, 3, 4);
    // Ids from before the change of the clock are smaller than those after it.
    expect((await upRecords(hub, deviceId)).map((row) => row.value)).toEqual(['1', '2', '3', '4', '5', '6']);
    await back.end();
    await expectOnline(hub, deviceId, 2);
    const { list } = await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId });
    expect(list.filter(({ durationMs }) => durationMs < 0)).toEqual([]);
    // The lease of a dead hub expires only after a while: the first disconnect may not be reported separately.
    expect([list[0]?.status, list[1]?.status, list.at(-1)?.status]).toEqual([2, 1, 1]);
  }, 60_000);
});
