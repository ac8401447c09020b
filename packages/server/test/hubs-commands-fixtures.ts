import {
  accountCalls,
  controlCalls,
  deviceCalls,
  type Envelope,
  homeCalls,
  personalCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { isRequest } from './command-fixtures.ts';
import { LONG, upRecords, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { createHomeTenant } from './home-fixtures.ts';
import { ADMIN_PASSWORD, type Hub } from './hub.ts';
import { viaSecondHub } from './hubs-fixtures.ts';
import type { TwoHubs } from './hubs-in-process.ts';
import { connectDevice } from './raw-device.ts';
import { expectEvents, openStartedStream } from './stream-fixtures.ts';

const COMMANDS = LONG ? 300 : 30;

/** Tests of two hubs on one database, with and without notifications between them. */
export const describeTwoHubs = (name: string, start: () => Promise<TwoHubs>): void => {
  describe(name, () => {
    let hubs: TwoHubs;
    /** The same installation, accessed through the other hub. */
    let there: Hub;
    let fixture: ProductFixture;
    beforeAll(async () => {
      hubs = await start();
      there = viaSecondHub(hubs);
      fixture = await createProductFixture(hubs.a);
    });
    afterAll(() => hubs.close());

    const orderAt = ({ admin }: Pick<Hub, 'admin'>, deviceId: string, value: boolean) =>
      admin.ok(controlCalls.commandDeviceFunction, { deviceId, functionId: 'power', functionValue: String(value) });

    it('delivers a command entered at one hub to a device of the other, and returns its answer', async () => {
      const device = await connectNewDevice(there, fixture);
      await expectOnline(hubs.a, device.deviceId, 1);
      const waiting = orderAt(hubs.a, device.deviceId, true);
      await device.respond(await device.next(isRequest), 200, { properties: { power: true } });
      expect(await waiting).toMatchObject({ status: 'answered', output: { power: true } });
      await device.end();
    });

    it(`delivers and answers each of ${COMMANDS} commands from both hubs to devices of both once`, async () => {
      const devices = await Promise.all([hubs.a, there].map((hub) => connectNewDevice(hub, fixture)));
      const seen: string[] = [];
      for (const device of devices) {
        await expectOnline(there, device.deviceId, 1);
        device.client.on('message', (_topic, bytes) => {
          const request = JSON.parse(bytes.toString()) as Envelope;
          seen.push(request.dataId);
          void device.respond(request, 200, { properties: { power: true } });
        });
      }
      const answers = await Promise.all(
        Array.from({ length: COMMANDS }, (_, index) =>
          orderAt([hubs.a, there][index % 2] as Hub, devices[(index >> 1) % 2]?.deviceId ?? '', true),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'answered'));
      expect(seen).toHaveLength(COMMANDS);
      expect(new Set(seen).size).toBe(COMMANDS);
      await Promise.all(devices.map((device) => device.end()));
    });

    it('accepts a user session of one hub at the other, and ends it at both', async () => {
      const { token } = await createClient(hubs.a.url).ok(accountCalls.login, {
        username: 'admin',
        password: ADMIN_PASSWORD,
      });
      const [here, other] = [createClient(hubs.a.url, token), createClient(hubs.b.url, token)];
      await other.ok(deviceCalls.queryDeviceList, {});
      await here.ok(deviceCalls.queryDeviceList, {});
      await other.ok(personalCalls.loginOut, {});
      for (const client of [here, other])
        expect((await client.error(deviceCalls.queryDeviceList, {})).statusCode).toBe(401);
    });

    it('streams events of a device of the other hub', async () => {
      const device = await connectNewDevice(there, fixture);
      const { deviceId } = device;
      await expectOnline(hubs.a, deviceId, 1);
      const stream = await openStartedStream(hubs.a.url, hubs.a.admin.token, {
        deviceId,
        kinds: ['value', 'presence'],
      });
      await device.send({ type: 2, payload: { properties: { brightness: 41 } } });
      await expectEvents(stream).toContainEqual(['value', expect.objectContaining({ deviceId, value: 41 })]);
      await device.end();
      await expectEvents(stream).toContainEqual([
        'presence',
        expect.objectContaining({ online: 2, reason: 'byDevice' }),
      ]);
      stream.leave();
    });

    it('shows the same presence and home page counts at both hubs', async () => {
      const { user, fixture: own } = await createHomeTenant(hubs.a);
      const devices = await Promise.all([hubs.a, there, there].map((hub) => connectNewDevice(hub, own)));
      for (const device of devices) {
        await device.send({ type: 2, payload: { properties: { brightness: 7 } } });
        for (const hub of [hubs.a, there]) await expectOnline(hub, device.deviceId, 1);
      }
      await devices[1]?.end();
      for (const hub of [hubs.a, there]) await expectOnline(hub, devices[1]?.deviceId ?? '', 2);
      const countsAt = (url: string) =>
        createClient(url, user.token).ok(homeCalls.getSystemDeviceCurrentCount, { timezone: 'Etc/UTC' });
      const counted = await countsAt(hubs.a.url);
      expect(counted).toEqual(await countsAt(hubs.b.url));
      expect(counted).toMatchObject({ deviceCount: 3, onlineCount: 2, messageCount: 3 });
      await Promise.all([devices[0], devices[2]].map((device) => device?.end()));
    });

    it('keeps one connection of a device that moves to the other hub, online', async () => {
      const first = await connectNewDevice(hubs.a, fixture);
      const { deviceId } = first;
      await expectOnline(there, deviceId, 1);
      const stream = await openStartedStream(hubs.a.url, hubs.a.admin.token, { deviceId, kinds: ['presence'] });
      const second = await connectDevice(hubs.b.url, { ...fixture, deviceId, secret: first.secret });
      await waitForClose(first);
      await expectEvents(stream).toContainEqual(['presence', expect.objectContaining({ reason: 'replaced' })]);
      // The first connection ends after the second has started; the device must not be reported offline.
      expect(stream.events().map(({ data }) => data.online)).not.toContain(2);
      stream.leave();
      for (const hub of [hubs.a, there]) await expectOnline(hub, deviceId, 1);
      const waiting = orderAt(hubs.a, deviceId, false);
      await second.respond(await second.next(isRequest), 200, { properties: { power: false } });
      expect(await waiting).toMatchObject({ status: 'answered' });
      expect((await upRecords(hubs.a, deviceId)).length).toBeGreaterThan(0);
      await second.end();
      for (const hub of [hubs.a, there]) await expectOnline(hub, deviceId, 2);
    });
  });
};
