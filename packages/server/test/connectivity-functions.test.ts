import { controlCalls, type Envelope, modelCalls, recordCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from './connectivity-fixtures.ts';
import {
  connectAndWaitOnline,
  connectNewDevice,
  createProductFixture,
  type ProductFixture,
} from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { param, property, service } from './functions.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import type { RawDevice } from './raw-device.ts';

let hub: Hub;
let fixture: ProductFixture;

const usePlace = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    fixture = await createProductFixture(hub);
    const pin = property('pin', { type: 'string', length: 20 });
    await hub.admin.ok(modelCalls.addProductFunctions, {
      productId: fixture.productId,
      functions: [
        service('measure', [], [param('hours')]),
        { ...pin, functionDefinition: { ...pin.functionDefinition, accessMode: 'w' } },
        property('label', { type: 'string', length: 20 }),
      ],
    });
  });
};

const isCall = ({ dataFlow, type }: Envelope): boolean => dataFlow === 0 && type === 4;
const isSetting = ({ dataFlow, type }: Envelope): boolean => dataFlow === 0 && type === 2;
const command = ({ deviceId }: RawDevice, functionId: string, value: object | string) =>
  hub.admin.call(controlCalls.commandDeviceFunction, { deviceId, functionId, functionValue: JSON.stringify(value) });
const recordsOf = async ({ deviceId }: RawDevice, more: { functionId?: string } = {}) =>
  (await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, ...more })).list.map(
    ({ dataFlow, functionType, functionId, code }) => [dataFlow, functionType, functionId, code],
  );
const valuesOf = async ({ deviceId }: RawDevice) =>
  (await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).map(({ signCode }) => signCode);

describeOnEachEngine(() => {
  usePlace();

  describe('a service output', () => {
    it.each([
      ['measure', {}, { hours: 5 }, 32],
      // As a device answers that only confirms.
      ['measure', {}, {}, 32],
      ['restart', { type: 1 }, {}, 31],
    ])('is stored with its function: %s', async (functionId, input, output, functionType) => {
      const device = await connectAndWaitOnline(hub, fixture);
      const waiting = command(device, functionId, input);
      await device.respond(await device.next(isCall), 200, { output });
      expect(await waiting).toMatchObject({ data: { status: 'answered', output } });
      expect(await recordsOf(device, { functionId })).toEqual([
        [1, functionType, functionId, 200],
        [2, functionType, functionId, 0],
      ]);
      await device.end();
    });
  });

  it('accepts commands to a device as soon as its login is answered', async () => {
    const refusals: unknown[] = [];
    for (let time = 0; time < 5; time++) {
      const device = await connectNewDevice(hub, fixture);
      expect((await ask(device, { type: 1, payload: { op: 'online' } })).code).toBe(200);
      const waiting = command(device, 'label', 'x');
      const answering = device
        .next(isSetting, 3_000)
        .then((request) => device.respond(request, 200, { properties: { label: 'x' } }))
        .catch(() => undefined);
      const answer = await waiting;
      if (!answer.success) refusals.push(answer.code);
      else await answering;
      await device.end();
    }
    expect(refusals).toEqual([]);
  });
});

describe('on the default engine', () => {
  usePlace();

  describe('a service output', () => {
    it.each([
      ['of another type', { hours: 'five' }, /output.*hours/],
      ['unknown to the model', { hours: 5, more: 1 }, /output.*more/],
    ])('that is %s fails the command with the reason and is stored with that code', async (_name, output, why) => {
      const device = await connectAndWaitOnline(hub, fixture);
      const waiting = command(device, 'measure', {});
      await device.respond(await device.next(isCall), 200, { output });
      expect(await waiting).toMatchObject({
        data: { status: 'failed', code: 40005, message: expect.stringMatching(why), output: null },
      });
      expect(await recordsOf(device, { functionId: 'measure' })).toContainEqual([1, 32, 'measure', 40005]);
      await device.end();
    });

    it('that does not fit is explained in the language of the caller', async () => {
      const device = await connectAndWaitOnline(hub, fixture);
      const sent = { deviceId: device.deviceId, functionId: 'measure', functionValue: '{}' };
      const waiting = hub.admin.call(controlCalls.commandDeviceFunction, sent, { language: 'zh-CN' });
      await device.respond(await device.next(isCall), 200, { output: { hours: 'five' } });
      expect(await waiting).toMatchObject({
        data: { code: 40005, message: '值不符合物模型: output.hours: 应为 32 位整数' },
      });
      await device.end();
    });

    it('of a rejection is not validated by the model', async () => {
      const device = await connectAndWaitOnline(hub, fixture);
      const waiting = command(device, 'measure', {});
      await device.respond(await device.next(isCall), 60002, { output: { hours: 'later' } });
      expect(await waiting).toMatchObject({ data: { status: 'failed', code: 60002 } });
      await device.end();
    });
  });

  describe('a write-only property', () => {
    it('reported by a device is rejected with the reason, and not stored', async () => {
      const device = await connectAndWaitOnline(hub, fixture);
      const answer = await ask(device, { type: 2, payload: { properties: { label: 'a', pin: '1234' } } });
      expect(answer).toMatchObject({ code: 40005, message: expect.stringContaining('pin: Write-only') });
      expect(await valuesOf(device)).toEqual([]);
      await device.end();
    });

    it('can be set, and its value in the answer is neither shown nor stored', async () => {
      const device = await connectAndWaitOnline(hub, fixture);
      const waiting = command(device, 'pin', '1234');
      await device.respond(await device.next(isSetting), 200, { properties: { pin: '1234' } });
      expect(await waiting).toMatchObject({ data: { status: 'answered', output: {} } });
      expect(await valuesOf(device)).toEqual([]);
      await device.end();
    });
  });

  it('stores an answer without properties under the property of its command', async () => {
    const device = await connectAndWaitOnline(hub, fixture);
    const waiting = command(device, 'label', 'x');
    await device.respond(await device.next(isSetting), 60003, {});
    expect(await waiting).toMatchObject({ code: 'DEVICE_REFUSED', data: { status: 'failed', code: 60003 } });
    expect(await recordsOf(device, { functionId: 'label' })).toEqual([
      [1, 1, 'label', 60003],
      [2, 1, 'label', 0],
    ]);
    await device.end();
  });

  it('stores the answer to a login with the function of the login', async () => {
    const device = await connectNewDevice(hub, fixture);
    await ask(device, { type: 1, payload: { op: 'online' } });
    await expect
      .poll(() => recordsOf(device, { functionId: 'online' }))
      .toEqual([
        [2, 21, 'online', 200],
        [1, 21, 'online', 200],
      ]);
    await device.end();
  });

  it("stores a device's error with the function of the answered request", async () => {
    const device = await connectAndWaitOnline(hub, fixture);
    await ask(device, { type: 2, payload: { properties: { label: 5 } } });
    await ask(device, { type: 3, payload: { event: 'unknown', output: { a: 1 } } });
    await ask(device, { type: 2, payload: { properties: { label: 'x' } }, signature: 'f'.repeat(64) });
    await expect
      .poll(async () => (await recordsOf(device)).filter(([dataFlow]) => dataFlow === 2))
      .toEqual([
        [2, 1, '', 40103],
        [2, 22, 'unknown', 40006],
        [2, 1, 'label', 40005],
      ]);
    await device.end();
  });
});
