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

  describe('a command', () => {
    it('that the device refuses has failed, with its code and its words', async () => {
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

    it('that is not answered in time has timed out; the late answer changes nothing', async () => {
      const device = await ready();
      const { data } = await setPower(hub, device, true, 1_000);
      expect(data).toMatchObject({ status: 'timedOut', output: null });
      const request = await device.next(isRequest);
      await device.respond(request, 200, { properties: { power: true } });
      await device.send({ type: 10, payload: { ask: ['time'] } });
      expect(await commandsOf(hub, device)).toMatchObject([{ status: 'timedOut', code: 0 }]);
      await device.end();
    });

    it('is answered once: a second, other answer changes nothing', async () => {
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

    it('whose answer was recorded and not applied, since the hub was killed between, is answered when that comes again', async () => {
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

    it('and its answer are found among the messages by the number that the operator was told', async () => {
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

  describe('many commands', () => {
    it('are 100 at once and no more', async () => {
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

describe('on the usual engine', () => {
  usePlace();

  describe('a command', () => {
    it('to a device that is not there is refused, and leaves no row', async () => {
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

    it('to a device whose Maximum Packet Size is smaller fails at once and says so in both languages', async () => {
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

    it('to a device that has unsubscribed fails at once and says so, until it subscribes again', async () => {
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

    it('answered without a code is refused: the command has failed, and so says the record', async () => {
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

    it('cannot be answered by another device', async () => {
      const [device, rival] = [await ready(), await ready()];
      const waiting = setPower(hub, device);
      const request = await device.next(isRequest);
      await rival.respond(request, 200, { properties: { power: false } });
      expect(await commandsOf(hub, device)).toMatchObject([{ status: 'sent' }]);
      await device.respond(request, 200, { properties: { power: true } });
      expect(await waiting).toMatchObject({ data: { status: 'answered', output: { power: true } } });
      await Promise.all([device.end(), rival.end()]);
    });

    it('is signed for the device, with no token in it', async () => {
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
    ])('answered with %s is over, and the device stays connected', async (_what, payload) => {
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
