import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';

const describeLink = (settings: Record<string, string>): void => {
  describe.each([settings])('with %o', () => {
    let hub: Hub;
    beforeAll(async () => {
      hub = await startHub(settings);
    });
    afterAll(() => hub.close());

    // Spec 4.14
    it.each(['tcp', 'ws'] as const)(
      'registers a device over %s, and handles its reports, commands, answers and disconnect',
      async (transport) => {
        const device = await connectNewDevice(hub, await createProductFixture(hub), { transport });
        const { deviceId } = device;
        expect(device.answer.deviceSecret).toMatch(/^[A-Za-z0-9]{32}$/);

        const online = await device.ask({ type: 1, payload: { op: 'online', versionNumber: '2.1.0', mac: '00:11' } });
        expect(online.code).toBe(200);
        await expectOnline(hub, deviceId, 1);
        const details = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId });
        expect(details).toMatchObject({ versionNumber: '2.1.0', mac: '00:11', why: [], ip: '127.0.0.1', transport });

        await device.send({ type: 2, payload: { properties: { power: true } } });
        expect(await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).toMatchObject([
          { signCode: 'power', value: true },
        ]);

        const commanded = hub.admin.ok(controlCalls.commandDeviceFunction, {
          deviceId,
          functionId: 'power',
          functionValue: 'false',
        });
        const request = await device.next((envelope) => envelope.dataFlow === 0 && envelope.type === 2);
        expect(JSON.parse(request.payload)).toEqual({ properties: { power: false } });
        await device.respond(request, 200, { properties: { power: false } });
        expect(await commanded).toMatchObject({ status: 'answered', code: 200, output: { power: false } });
        expect(await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).toMatchObject([{ value: false }]);

        await device.end();
        await expectOnline(hub, deviceId, 2);
        const { list } = await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId });
        expect(list.map(({ status, reason }) => [status, reason])).toEqual([
          [2, 'byDevice'],
          [1, ''],
        ]);
      },
    );
  });
};

describeOnEachEngine(() => describeLink({}));

// Notifications between the two processes may be lost: without any, everything works with delay.
describeLink({ NOTIFICATIONS: 'off' });
