import {
  applicationCalls,
  deviceCalls,
  homeCalls,
  mockCalls,
  otaCalls,
  productCalls,
  type TaskRow,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { createVersion, randomContent } from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub, startHub } from './in-process-hub.ts';
import { addMock, createMockProducts, type MockProducts } from './mock-fixtures.ts';
import { recordsOf } from './ota-fixtures.ts';

describeOnEachEngine(() => {
  /** A rehearsal creates its own devices, which do not belong to the fleet. */

  let hub: Hub;
  let place: MockProducts;
  let taskId: TaskRow['taskId'];
  let rehearsed: string[];
  const own: string[] = [];

  const NODE_TYPE = 1;

  beforeAll(async () => {
    hub = await startHub();
    place = await createMockProducts(hub);
    own.push(await addMock(hub, place));
    const deviceId = unique('real');
    const { productId, applicationId } = place;
    await hub.admin.ok(deviceCalls.addDevice, { deviceId, deviceName: deviceId, productId, applicationId });
    own.push(deviceId);
    const { versionId } = await createVersion(hub, place, '2.0.0', randomContent(1_000));
    const asked = { taskName: unique('rehearsal'), deviceVersionId: versionId, devices: 4, offline: 2 };
    taskId = (await hub.admin.ok(otaCalls.rehearseDeviceOtaTask, { ...asked, fromVersion: '1.0.0' })).taskId;
    rehearsed = (await recordsOf(hub.admin, taskId)).map((record) => record.deviceId);
  });
  afterAll(() => hub.close());

  const idsOf = async (sent: object) => {
    const { list, total } = await hub.admin.ok(deviceCalls.queryDeviceList, { pageSize: 200, ...sent });
    expect(total).toBe(list.length);
    return list.map((row) => row.deviceId).sort();
  };

  it('are in no list of devices, however it is filtered, sorted and counted', async () => {
    expect(rehearsed).toHaveLength(4);
    const { productId, applicationId, tenancyId } = place;
    for (const sent of [
      {},
      { productId },
      { applicationId },
      { tenancyId },
      { nodeType: NODE_TYPE },
      { productId, applicationId, sortField: 2, sortMode: 1 },
      { productId, pageIndex: 1, sortMode: 1 },
    ])
      expect([sent, await idsOf(sent)]).toEqual([sent, [...own].sort()]);
    for (const sent of [{ productId, online: 1 }, { deviceName: 'rehearsal' }, { searchValue: 'rehearsal' }])
      expect([sent, await idsOf(sent)]).toEqual([sent, []]);
    const counts = await hub.admin.ok(deviceCalls.countDevices, { productId });
    expect(counts).toEqual({ total: 2, online: 0, offline: 2 });
    expect(await hub.admin.ok(deviceCalls.countDevices, { searchValue: 'rehearsal' })).toMatchObject({ total: 0 });
    const file = await fetch(`${hub.url}${deviceCalls.exportDeviceList.path}?productId=${productId}`, {
      headers: { Authorization: hub.admin.token },
    });
    const text = await file.text();
    expect([...own.map((id) => text.includes(id)), ...rehearsed.map((id) => text.includes(id))]).toEqual([
      ...own.map(() => true),
      ...rehearsed.map(() => false),
    ]);
  });

  it('are found by the exact id, and listed on the page of their rehearsal', async () => {
    const [deviceId = ''] = rehearsed;
    expect(await idsOf({ deviceId })).toEqual([deviceId]);
    expect(await idsOf({ searchValue: deviceId })).toEqual([deviceId]);
    expect(await idsOf({ deviceId: deviceId.slice(0, -1) })).toEqual([]);
    expect(await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ deviceId, mock: 1 });
  });

  it('are not counted on the home page', async () => {
    const figures = await hub.admin.ok(homeCalls.getSystemDeviceCurrentCount, {});
    expect([figures.deviceCount, figures.connectedCount, figures.onlineCount]).toEqual([2, 0, 0]);
    const { products, states } = await hub.admin.ok(homeCalls.getDeviceDistribution, {});
    expect(products).toMatchObject([{ productId: place.productId, devices: 2, online: 0 }]);
    expect(states).toMatchObject({ never: 2, online: 0, offline: 0 });
  });

  it('do not affect a list without any', async () => {
    await hub.admin.ok(otaCalls.cancelOtaTask, { taskId });
    await hub.admin.ok(otaCalls.deleteDeviceOtaTask, { taskIds: [taskId] });
    const left = async () => (await hub.admin.ok(mockCalls.queryMockDeviceList, { pageSize: 200 })).total;
    await expect.poll(left, { timeout: 60_000 }).toBe(1);
    expect(await idsOf({})).toEqual([...own].sort());
  });
});

describe('on the default engine', () => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await sharedHub();
  });

  it('belong to an enabled application of their tenant, whichever the product has', async () => {
    const { ok } = hub.admin;
    const tenancyId = await hub.create.tenancy();
    const productId = await hub.create.product(tenancyId);
    const { versionId } = await createVersion(hub, { productId, tenancyId }, '2.0.0', randomContent(1_000));
    const asked = { deviceVersionId: versionId, devices: 1, offline: 1, fromVersion: '1.0.0' };
    const taken = async () => {
      const { taskId } = await ok(otaCalls.rehearseDeviceOtaTask, { ...asked, taskName: unique('rehearsal') });
      const [record] = await recordsOf(hub.admin, taskId);
      return (await ok(deviceCalls.getDeviceDetails, { deviceId: record?.deviceId ?? '' })).applicationId;
    };
    const refusal = await hub.admin.error(otaCalls.rehearseDeviceOtaTask, {
      ...asked,
      taskName: unique('rehearsal'),
    });
    expect(refusal).toMatchObject({ statusCode: 409, code: 'PRODUCT_WITHOUT_APPLICATION' });
    const oldest = await hub.create.application(tenancyId);
    const named = await hub.create.application(tenancyId);
    expect(await taken()).toBe(oldest);
    await ok(productCalls.updateDeviceProduct, { productId, productName: unique('product'), applicationId: named });
    expect(await taken()).toBe(named);
    await ok(applicationCalls.updateEnabledStatus, { applicationId: named, enabled: 0 });
    expect(await taken()).toBe(oldest);
  });
});
