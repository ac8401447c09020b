import { controlCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, isRequest, setPower } from './command-fixtures.ts';
import { waitForClose } from './connectivity-fixtures.ts';
import { freezeDeviceProcess } from './connectivity-frozen-fixtures.ts';
import { countRows, removals } from './connectivity-removal-fixtures.ts';
import {
  connectAndWaitOnline,
  connectNewDevice,
  createProductFixture,
  expectOnline,
  type ProductFixture,
} from './device-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import { type SpawnedHub, spawnHub } from './hub.ts';
import { adminProcess } from './hub-process.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';

/** Commands and removals while a process is stopped. Those that stop no process: connectivity-commands, connectivity-removal. */
describeOnOneEngine('postgres', () => {
  let hub: SpawnedHub;
  let fixture: ProductFixture;
  beforeAll(async () => {
    hub = await spawnHub();
    fixture = await createProductFixture(hub);
  });
  afterAll(() => hub.close());

  const ready = (): Promise<RawDevice> => connectAndWaitOnline(hub, fixture);

  describe.each(removals)('a device that is %s while the device process is frozen', (_how, remove) => {
    it('leaves no trace of messages that it sent meanwhile', async () => {
      const fixture = await createProductFixture(hub);
      const device = await connectNewDevice(hub, fixture);
      const createBystander = await connectNewDevice(hub, await createProductFixture(hub));
      await expectOnline(hub, device.deviceId, 1);
      const cut = waitForClose(device);
      const goOn = await freezeDeviceProcess(hub);
      // The message waits in the hub's socket and is read before the disconnect instruction.
      const envelope = device.seal({ type: 2, payload: { properties: { power: true } } });
      await device.publish(envelope, 0);
      await remove(hub, device, fixture).finally(goOn);
      await cut;
      await createBystander.send({ type: 2, payload: { properties: { power: true } } });
      await expect.poll(() => countRows(hub, device.deviceId), { timeout: 20_000 }).toEqual({});
      await createBystander.end();
    });
  });

  describe('a frozen device process', () => {
    it('does not execute commands afterwards that have timed out', async () => {
      const device = await ready();
      const goOn = await freezeDeviceProcess(hub);
      const told = await setPower(hub, device, true, 1_000).finally(goOn);
      expect(told).toMatchObject({ data: { status: 'timedOut' } });
      const next = setPower(hub, device, false);
      const request = await device.next(isRequest);
      await device.respond(request, 200, { properties: { power: false } });
      expect(await next).toMatchObject({ data: { status: 'answered' } });
      expect(device.received.filter(isRequest).map(({ payload }) => payload)).toEqual([
        '{"properties":{"power":false}}',
      ]);
      await device.end();
    });
  });

  describe('a hub that is killed during a command', () => {
    it('accepts the answer after its restart', async () => {
      const device = await ready();
      void setPower(hub, device, true, 60_000).catch(() => undefined);
      const request = await device.next(isRequest);
      await hub.process.kill();
      hub = await hub.start();
      const later = await connectDevice(hub.url, device);
      await later.respond(request, 200, { properties: { power: true } });
      await expect
        .poll(async () => (await commandsOf(hub, device)).map(({ status, output }) => [status, output]))
        .toEqual([['answered', { power: true }]]);
      // Sent once, never again by itself.
      expect(later.received.filter(isRequest)).toEqual([]);
      await later.end();
    });
  });

  describe('an admin process that is killed during a configuration change', () => {
    it('stores the configuration that the device has applied', async () => {
      const device = await ready();
      const { deviceId } = device;
      const lost = hub.admin.ok(controlCalls.configLogLevel, { deviceId, logLevel: 7 }).catch(() => 'lost');
      const request = await device.next(({ payload }) => payload.includes('"logLevel":7'));
      process.kill(adminProcess(hub.process), 'SIGKILL');
      expect(await lost).toBe('lost');
      await device.respond(request, 200, { output: {} });
      const level = async () =>
        (await hub.admin.ok(controlCalls.getDeviceConfiguration, { deviceId }).catch(() => undefined))?.loggerLevel;
      await expect.poll(level, { timeout: 20_000 }).toBe(7);
      const hello = await device.ask({ type: 1, payload: { op: 'online' } });
      expect(JSON.parse(hello.payload)).toMatchObject({ config: { loggerLevel: 7 } });
      await device.end();
      const back = await connectDevice(hub.url, device);
      const again = await back.ask({ type: 1, payload: { op: 'online' } });
      expect(JSON.parse(again.payload)).toMatchObject({ config: { loggerLevel: 7 } });
      await back.end();
    });
  });
});
