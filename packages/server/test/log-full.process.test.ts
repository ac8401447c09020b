import { applicationCalls, deviceCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishAll } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { unique } from './hub.ts';
import { adminProcess, deviceProcess } from './hub-process.ts';
import { waitFor } from './mailbox.ts';
import { limitedFiles, mountedDisk, type SmallDisk } from './small-disk.ts';

const isRoot = process.getuid?.() === 0;
const settings = { LOG_LEVEL: 'info' };

/** The complete lines, without one that was truncated by the full disk. */
const linesOf = (disk: SmallDisk): Record<string, unknown>[] =>
  disk.hub.process
    .output()
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Record<string, unknown>];
      } catch {
        return [];
      }
    });

describe('a hub whose log is on the full data disk', () => {
  let disk: SmallDisk;
  beforeAll(async () => {
    // Only root can mount a disk.
    disk = await (isRoot ? mountedDisk(settings, 'hub.log') : limitedFiles(settings, 'hub.log'));
  });
  afterAll(() => disk.close());

  it('continues with the same processes, and stores and logs again when there is space', async () => {
    const { hub } = disk;
    const processes = (): number[] => [adminProcess(hub.process), deviceProcess(hub.process)];
    const before = processes();
    const device = await connectNewDevice(hub, await createProductFixture(hub));
    await expectOnline(hub, device.deviceId, 1);
    const save = () => hub.admin.call(applicationCalls.addApplication, { applicationName: unique('log-full') });
    disk.fill();
    await waitFor('a refusal', async () => ((await save()).success ? undefined : true));
    publishAll(
      device,
      Array.from({ length: 20 }, () => device.seal({ type: 7, payload: 'A'.repeat(60_000) })),
    );
    await waitFor('messages that cannot be stored', async () =>
      /^device_messages_waiting [1-9]/m.test(await (await fetch(`${hub.url}/metrics`)).text()) ? true : undefined,
    );
    // Each of these is a line of the log that finds no room.
    for (let call = 0; call < 50; call++)
      await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: device.deviceId });
    expect(processes()).toEqual(before);
    // A process that is started meanwhile has lines to write as well.
    process.kill(deviceProcess(hub.process), 'SIGKILL');
    await waitFor('another device process', () =>
      [0, before[1]].includes(deviceProcess(hub.process)) ? undefined : true,
    );
    expect(hub.process.process.exitCode).toBeNull();
    expect(adminProcess(hub.process)).toBe(before[0]);
    disk.makeRoom();
    await waitFor('a save', async () => ((await save()).success ? true : undefined));
    const lost = { process: 'admin', msg: 'log lines could not be written', lost: expect.any(Number) };
    await expect.poll(() => linesOf(disk)).toContainEqual(expect.objectContaining(lost));
    await waitFor('ready', async () => ((await fetch(`${hub.url}/health/ready`)).ok ? true : undefined));
    await device.end(true);
  }, 60_000);
});
