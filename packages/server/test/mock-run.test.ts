import { controlCalls, deviceCalls, homeCalls, mockCalls, recordCalls } from '@device-center/contract';
import { createMock } from '@device-center/virtual-device';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireGracePeriod } from './claims-fixtures.ts';
import { expectLatestEvent } from './connectivity-fixtures.ts';
import { expectOnline } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

let hub: Hub;
let gatewayProduct: string;
let childProduct: string;

beforeAll(async () => {
  hub = await startHub();
  const applicationId = await hub.create.application('1');
  gatewayProduct = await hub.create.product('1', { applicationId, nodeType: 2 });
  childProduct = await hub.create.product('1', { applicationId, nodeType: 3 });
});
afterAll(() => hub.close());

const newMock = async (children = 0) => {
  const names = Array.from({ length: children }, () => ({ deviceName: unique('child'), productId: childProduct }));
  const sent = { deviceName: unique('mock'), productId: gatewayProduct, children: names };
  return hub.admin.ok(mockCalls.createMockDevice, sent, { as: 'json' });
};

const run = (deviceId: string, runInHub: 0 | 1, more: object = {}) =>
  hub.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub, everySeconds: 1, ...more }, { as: 'json' });

const reports = async (deviceId: string): Promise<number> =>
  (await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, type: 2, dataFlow: 1 })).total;

const details = (deviceId: string) => hub.admin.ok(mockCalls.getMockDeviceDetails, { deviceId });

describe('a mock device that the hub runs', () => {
  it('reports changing values, with its children, answers commands, and stops on request', async () => {
    const { deviceId, children } = await newMock(2);
    await run(deviceId, 1);
    await expectOnline(hub, deviceId, 1);
    expect(await details(deviceId)).toMatchObject({ runInHub: 1, runningInHub: 1 });
    for (const id of [deviceId, ...children])
      await expect.poll(() => reports(id), { timeout: 20_000 }).toBeGreaterThan(1);
    const answer = await hub.admin.ok(controlCalls.commandDeviceFunction, {
      deviceId,
      functionId: 'power',
      functionValue: 'true',
    });
    expect(answer).toMatchObject({ status: 'answered', code: 200 });
    await run(deviceId, 0);
    await expectLatestEvent(hub, deviceId, 2, 'byDevice');
    expect(await details(deviceId)).toMatchObject({ runInHub: 0, runningInHub: 0 });
  });

  it('yields the device to a browser, and takes it back afterwards', async () => {
    const { deviceId } = await newMock();
    await run(deviceId, 1);
    await expectOnline(hub, deviceId, 1);
    const page = createMock({ hubUrl: hub.url, transport: 'ws', details: await details(deviceId) });
    await page.device.start();
    await expect.poll(async () => (await details(deviceId)).runningInHub, { timeout: 20_000 }).toBe(0);
    // It is the page that answers, and the hub does not come back over it.
    page.answering.byHand = true;
    page.on('pending', (calls) => calls[0]?.answer({ power: true }));
    const ask = { deviceId, functionId: 'power', functionValue: 'true' };
    expect(await hub.admin.ok(controlCalls.commandDeviceFunction, ask)).toMatchObject({ status: 'answered' });
    expect(page.device.online).toBe(true);
    await page.stop();
    await expectOnline(hub, deviceId, 2);
    await expireGracePeriod(hub, deviceId);
    await expect.poll(async () => (await details(deviceId)).runningInHub, { timeout: 30_000 }).toBe(1);
    expect(page.device.online).toBe(false);
    await run(deviceId, 0);
  });

  it('repeats its recorded sequence', async () => {
    const { deviceId } = await newMock();
    const sequence = [
      { after: 0, deviceId, kind: 'property', name: '', value: { brightness: 11 } },
      { after: 200, deviceId, kind: 'property', name: '', value: { brightness: 22 } },
    ];
    await run(deviceId, 1, { mode: 2, sequence });
    await expect.poll(() => reports(deviceId), { timeout: 30_000 }).toBeGreaterThan(3);
    const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, type: 2, sortMode: 1 });
    expect(list.slice(0, 4).map(({ value }) => JSON.parse(value))).toEqual([11, 22, 11, 22]);
    await run(deviceId, 0);
  });

  it('counts on the home page like any other device, and stops when it is deleted', async () => {
    const { deviceId } = await newMock();
    await run(deviceId, 1);
    await expectOnline(hub, deviceId, 1);
    await expect
      .poll(async () => (await hub.admin.ok(homeCalls.getSystemDeviceCurrentCount, {})).onlineCount, {
        timeout: 20_000,
      })
      .toBe(1);
    await hub.admin.ok(mockCalls.deleteMockDevice, { deviceId });
    expect(await hub.admin.error(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({
      code: 'DEVICE_NOT_FOUND',
    });
    await expect
      .poll(async () => (await hub.admin.ok(homeCalls.getSystemDeviceCurrentCount, {})).onlineCount, {
        timeout: 20_000,
      })
      .toBe(0);
  });
});
