import { controlCalls, deviceCodes, recordCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { nextSequenceId } from '../src/platform/ids.ts';
import { commandsOf, isRequest, setPower } from './command-fixtures.ts';
import { expectLatestEvent, LONG, publish, upRecords } from './connectivity-fixtures.ts';
import {
  connectAndWaitOnline,
  connectNewDevice,
  createProductFixture,
  expectOnline,
  type ProductFixture,
} from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import type { RawDevice } from './raw-device.ts';

/** How many of the hundred open commands are inserted as rows: the limit counts rows. */
const INSERTED = LONG ? 0 : 80;

let hub: Hub;
let fixture: ProductFixture;

const usePlace = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    fixture = await createProductFixture(hub);
  });
};

const ready = (): Promise<RawDevice> => connectAndWaitOnline(hub, fixture);

describeOnEachEngine(() => {
  usePlace();

  describe('commandDeviceFunction', () => {
    it('fails with the code and message of a device that rejects the command', async () => {
      const device = await ready();
      const waiting = setPower(hub, device);
      const request = await device.next(isRequest);
      await device.send({
        type: 2,
        dataFlow: 1,
        dataId: request.dataId,
        payload: '',
        code: 60001,
        message: 'no\0 way',
      });
      expect(await waiting).toMatchObject({ data: { status: 'failed', code: 60001, message: 'no way' } });
      await device.end();
    });

    it('times out without an answer, and ignores a late one', async () => {
      const device = await ready();
      const { data } = await setPower(hub, device, true, 1_000);
      expect(data).toMatchObject({ status: 'timedOut', output: null });
      const request = await device.next(isRequest);
      await device.respond(request, 200, { properties: { power: true } });
      await device.send({ type: 10, payload: { ask: ['time'] } });
      expect(await commandsOf(hub, device)).toMatchObject([{ status: 'timedOut', code: 0 }]);
      await device.end();
    });

    it('accepts only the first answer', async () => {
      const device = await ready();
      const waiting = setPower(hub, device);
      const request = await device.next(isRequest);
      await device.respond(request, 200, { properties: { power: true } });
      await device.respond(request, 60001, { properties: { power: false } });
      expect(await waiting).toMatchObject({ data: { status: 'answered', output: { power: true } } });
      expect(await commandsOf(hub, device)).toMatchObject([{ status: 'answered', code: 200 }]);
      expect((await upRecords(hub, device.deviceId)).filter((row) => row.response === 1)).toHaveLength(1);
      await device.end();
    });

    it('applies an answer that was recorded before the hub was killed, when the device repeats it', async () => {
      const device = await ready();
      const waiting = setPower(hub, device);
      const request = await device.next(isRequest);
      const answer = () => device.respond(request, 200, { properties: { power: true } });
      await answer();
      const messageId = Number((await waiting).data?.messageId);
      const row = () =>
        hub.db.selectFrom('device_command').select('state').where('command_id', '=', messageId).executeTakeFirst();
      await hub.db.updateTable('device_command').set({ state: 'sent' }).where('command_id', '=', messageId).execute();
      await answer();
      await expect.poll(row).toEqual({ state: 'answered' });
      await device.end();
    });

    it('stores command and answer under the message id that the operator got', async () => {
      const device = await ready();
      const waiting = setPower(hub, device);
      await device.respond(await device.next(isRequest), 200, { properties: { power: true } });
      const messageId = (await waiting).data?.messageId ?? '';
      const page = await hub.admin.ok(recordCalls.deviceMessageRecord, {
        deviceId: device.deviceId,
        messageId,
        sortMode: 1,
      });
      expect(page.list.map((row) => [row.messageId, row.dataFlow, row.response])).toEqual([
        [messageId, 2, 0],
        [messageId, 1, 1],
      ]);
      await device.end();
    });
  });

  describe('concurrent commands', () => {
    it('are limited to 100', async () => {
      const device = await ready();
      const first = setPower(hub, device, true, 20_000);
      const commandId = Number((await device.next(isRequest)).dataId);
      const commands = hub.db.selectFrom('device_command').selectAll();
      const row = await commands.where('command_id', '=', commandId).executeTakeFirstOrThrow();
      const others = Array.from({ length: INSERTED }, () => ({ ...row, command_id: nextSequenceId() }));
      if (others.length > 0) await hub.db.insertInto('device_command').values(others).execute();
      const more = Array.from({ length: 109 - INSERTED }, () => setPower(hub, device, true, 20_000));
      const waiting = [first, ...more];
      const refused: unknown[] = [];
      for (const one of waiting)
        void one.then((answer) => answer.success || refused.push([answer.statusCode, answer.code]));
      const tooMany = Array(10).fill([429, 'COMMANDS_TOO_MANY']);
      await expect
        .poll(() => ({ sent: device.received.filter(isRequest).length, refused }))
        .toEqual({ sent: 100 - INSERTED, refused: tooMany });
      for (const request of device.received.filter(isRequest))
        await device.respond(request, 200, { properties: { power: true } });
      const answers = await Promise.all(waiting);
      expect(answers.filter(({ success }) => success)).toHaveLength(100 - INSERTED);
      // There is room again.
      device.received.length = 0;
      const one = setPower(hub, device);
      await device.respond(await device.next(isRequest), 200, { properties: { power: true } });
      expect(await one).toMatchObject({ data: { status: 'answered' } });
      await device.end();
    });
  });
});

describe('on the default engine', () => {
  usePlace();

  describe('commandDeviceFunction', () => {
    it('rejects a command to an offline device and stores no row', async () => {
      const device = await ready();
      await device.end();
      await expectOnline(hub, device.deviceId, 2);
      expect(await setPower(hub, device)).toMatchObject({
        success: false,
        statusCode: 409,
        message: 'Device not online, not available',
      });
      expect(await commandsOf(hub, device)).toEqual([]);
    });

    it("fails at once when the command exceeds the device's Maximum Packet Size", async () => {
      const properties = { maximumPacketSize: 300 };
      const device = await connectNewDevice(hub, fixture, { options: { protocolVersion: 5, properties } });
      const { deviceId } = device;
      await expectOnline(hub, deviceId, 1);
      const code = deviceCodes.PACKET_LIMIT.number;
      expect(await setPower(hub, device)).toMatchObject({ data: { status: 'failed', code } });
      for (const [language, message] of [
        ['zh-CN', deviceCodes.PACKET_LIMIT.zh_CN],
        ['en-US', deviceCodes.PACKET_LIMIT.en_US],
      ] as const) {
        const { list } = await hub.admin.ok(controlCalls.getDeviceCommands, { deviceId }, { language });
        expect(list).toMatchObject([{ status: 'failed', code, message }]);
      }
      expect(device.client.connected).toBe(true);
      await device.end();
    });

    it('fails at once while the device has no subscription', async () => {
      const device = await ready();
      const { down } = device.bucket.topics;
      await device.client.unsubscribeAsync(down);
      expect(await setPower(hub, device)).toMatchObject({
        data: { status: 'failed', code: deviceCodes.NOT_SUBSCRIBED.number },
      });
      expect(device.received).toEqual([]);
      await device.client.subscribeAsync(down, { qos: 0 });
      const waiting = setPower(hub, device);
      await device.respond(await device.next(isRequest), 200, { properties: { power: true } });
      expect(await waiting).toMatchObject({ data: { status: 'answered' } });
      await device.end();
    });

    it('rejects an answer without a code and fails the command', async () => {
      const device = await ready();
      const waiting = setPower(hub, device);
      const { dataId } = await device.next(isRequest);
      await device.send({ type: 2, dataFlow: 1, dataId, payload: { properties: { power: true } } });
      const { number } = deviceCodes.MALFORMED;
      expect(await waiting).toMatchObject({
        data: { status: 'failed', code: number, message: expect.stringContaining('code'), output: null },
      });
      const answers = (await upRecords(hub, device.deviceId)).filter((row) => row.response === 1);
      expect(answers.map((row) => row.code)).toEqual([number]);
      expect(await hub.admin.ok(recordCalls.getLatestValues, { deviceId: device.deviceId })).toEqual([]);
      await expectLatestEvent(hub, device.deviceId, 3, 'MALFORMED');
      await device.end();
    });

    it('ignores the answer of another device', async () => {
      const [device, rival] = [await ready(), await ready()];
      const waiting = setPower(hub, device);
      const request = await device.next(isRequest);
      await rival.respond(request, 200, { properties: { power: false } });
      expect(await commandsOf(hub, device)).toMatchObject([{ status: 'sent' }]);
      await device.respond(request, 200, { properties: { power: true } });
      expect(await waiting).toMatchObject({ data: { status: 'answered', output: { power: true } } });
      await Promise.all([device.end(), rival.end()]);
    });

    it('signs the command for the device, without a token', async () => {
      const device = await ready();
      const waiting = setPower(hub, device);
      const request = await device.next(isRequest);
      expect(request).toMatchObject({
        token: '',
        sessionId: device.answer.sessionId,
        tenantId: '1',
        signMethod: 'hmacsha256',
      });
      const { signature, ...fields } = request;
      expect(device.seal({ ...fields, payload: request.payload }).signature).toBe(signature);
      await device.respond(request, 200, { properties: { power: true } });
      await waiting;
      await device.end();
    });

    it.each([
      ['nothing', ''],
      ['no JSON', 'done'],
      ['null', 'null'],
      ['a value that is none', '{"properties":{"power":"yes"}}'],
      ['an unknown property', '{"properties":{"nothing":1}}'],
      ['a prototype', '{"properties":{"__proto__":1}}'],
      ['very deep JSON', `{"properties":{"power":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`],
    ])('ends a command answered with %s, and keeps the device connected', async (_what, payload) => {
      const device = await ready();
      const waiting = setPower(hub, device);
      const { dataId } = await device.next(isRequest);
      await publish(device, JSON.stringify(device.seal({ type: 2, dataFlow: 1, dataId, payload, code: 200 })));
      const { data } = await waiting;
      expect(['answered', 'failed']).toContain(data?.status);
      expect(await hub.admin.ok(recordCalls.getLatestValues, { deviceId: device.deviceId })).toEqual([]);
      expect(device.client.connected).toBe(true);
      await device.end();
    });
  });
});
