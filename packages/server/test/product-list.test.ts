import { deviceCalls, productCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { createReader } from './tenants.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  let tenancyId: string;
  let other: string;
  let reader: TestUser;
  let operator: TestUser;
  const created: Record<'lamp' | 'meter' | 'bridge', string> = { lamp: '', meter: '', bridge: '' };
  const names = { lamp: unique('灯A'), meter: unique('Meter'), bridge: unique('Bridge') };

  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    other = await hub.create.tenancy();
    reader = await createReader(hub, tenancyId);
    operator = await createReader(hub, '1');
    const categoryId = await hub.create.category(tenancyId);
    created.lamp = await hub.create.product(tenancyId, { productName: names.lamp });
    created.meter = await hub.create.product(tenancyId, {
      productName: names.meter,
      categoryId,
      protocolId: 2,
      classId: 4,
    });
    created.bridge = await hub.create.product(tenancyId, { productName: names.bridge, nodeType: 2, classId: 4 });
    await hub.create.product(other, { productName: names.lamp });
  });
  afterAll(() => hub.close());

  const listed = async (sent: object, client: Pick<TestUser, 'ok'> = reader) =>
    (await client.ok(productCalls.queryDeviceProductList, { pageSize: 200, ...sent })).list;
  const found = async (sent: object) => (await listed({ sortMode: 1, ...sent })).map(({ productId }) => productId);

  describe('the product list', () => {
    // Spec 7.64
    it('filters by each field and by several at once', async () => {
      const { lamp, meter, bridge } = created;
      expect(await found({})).toEqual([lamp, meter, bridge]);
      expect(await found({ productName: 'METER' })).toEqual([meter]);
      expect(await found({ productName: '灯a' })).toEqual([lamp]);
      expect(await found({ productId: lamp.toLowerCase().slice(2, 9) })).toEqual([lamp]);
      expect(await found({ productId: names.meter })).toEqual([]);
      expect(await found({ searchValue: bridge.toUpperCase() })).toEqual([bridge]);
      expect(await found({ searchValue: names.bridge })).toEqual([bridge]);
      expect(await found({ categoryId: 'std-lighting' })).toEqual([lamp, bridge]);
      expect(await found({ nodeType: 2 })).toEqual([bridge]);
      expect(await found({ protocolId: 2 })).toEqual([meter]);
      expect(await found({ classId: 4 })).toEqual([meter, bridge]);
      expect(await found({ classId: 4, nodeType: 1 })).toEqual([meter]);
      expect(await found({ nodeType: '', protocolId: '', classId: '', categoryId: '' })).toHaveLength(3);
      expect(await found({ nodeType: 3 })).toEqual([]);
    });

    // Spec 7.64
    it('sorts by creation and update time', async () => {
      const { lamp, meter, bridge } = created;
      for (const [index, productId] of [meter, bridge, lamp].entries())
        await hub.db
          .updateTable('product')
          .set({ updated_at: Date.now() + index * 1000 })
          .where('product_id', '=', productId)
          .execute();
      expect(await found({ sortField: 2, sortMode: 1 })).toEqual([meter, bridge, lamp]);
      expect(await found({ sortField: 2, sortMode: 2 })).toEqual([lamp, bridge, meter]);
      expect(await found({ sortField: 1, sortMode: 2 })).toEqual([bridge, meter, lamp]);
    });

    it('filters by tenant for the platform operator', async () => {
      const all = await listed({ productName: '灯a' }, operator);
      expect(all.map((row) => row.tenancyId).sort()).toEqual([tenancyId, other].sort());
      expect(await listed({ tenancyId: other }, operator)).toMatchObject([
        { tenancyId: other, productName: names.lamp },
      ]);
      expect(await listed({ tenancyId: other })).toEqual([]);
    });

    it('counts the devices of each product', async () => {
      const applicationId = await hub.create.application(tenancyId);
      for (const productId of [created.lamp, created.lamp, created.bridge])
        await hub.create.device({ productId, applicationId });
      const counts = (await listed({ sortMode: 1 })).map(({ deviceCount }) => deviceCount);
      expect(counts).toEqual([2, 0, 1]);
    });
  });

  describe('the device list', () => {
    // Spec 7.75, 9.12
    it('filters by each field, and returns all attributes', async () => {
      const applicationId = await hub.create.application(tenancyId);
      const first = await hub.create.device({ productId: created.meter, applicationId, online: 1 });
      const second = await hub.create.device({ productId: created.bridge, applicationId });
      await hub.db
        .updateTable('device')
        .set({ parent_id: first, mac: '00:11:22:AA:44:55', mac_key: '00:11:22:aa:44:55' })
        .where('device_id', '=', second)
        .execute();
      const devices = async (sent: object, language = 'en-US') =>
        (await reader.ok(deviceCalls.queryDeviceList, { applicationId, sortMode: 1, ...sent }, { language })).list;
      const ids = async (sent: object) => (await devices(sent)).map(({ deviceId }) => deviceId);
      expect(await ids({})).toEqual([first, second]);
      expect(await ids({ online: 1 })).toEqual([first]);
      expect(await ids({ online: 2 })).toEqual([second]);
      expect(await ids({ deviceId: second.toUpperCase() })).toEqual([second]);
      expect(await ids({ deviceName: first })).toEqual([first]);
      expect(await ids({ productId: created.meter })).toEqual([first]);
      expect(await ids({ categoryId: 'std-lighting' })).toEqual([second]);
      expect(await ids({ nodeType: 2 })).toEqual([second]);
      expect(await ids({ protocolId: 2 })).toEqual([first]);
      expect(await ids({ parentId: first })).toEqual([second]);
      expect(await ids({ mac: '22:Aa' })).toEqual([second]);
      expect(await devices({ online: 1 })).toMatchObject([
        { productName: names.meter, nodeTypeName: 'Monomer', protocolName: 'LoRaWAN', onlineName: 'Online', tenancyId },
      ]);
      expect(await devices({ nodeType: 2 }, 'zh-CN')).toMatchObject([
        { categoryName: '照明灯具', nodeTypeName: '网关设备', protocolName: 'WIFI', onlineName: '离线', mock: 0 },
      ]);
    });
  });

  it('shows only the devices of a product on its page', async () => {
    const applicationId = await hub.create.application(tenancyId);
    const productId = await hub.create.product(tenancyId);
    const created = [
      await hub.create.device({ productId, applicationId }),
      await hub.create.device({ productId, applicationId }),
    ];
    await hub.create.device({ productId: await hub.create.product(tenancyId), applicationId });
    const keeper = await hub.create.user({ tenancyId, menus: [502] });
    const page = await keeper.ok(productCalls.getProductDevices, { productId, sortMode: 1 });
    expect(page.list.map(({ deviceId }) => deviceId)).toEqual(created);
    expect(page).toMatchObject({ total: 2, pageIndex: 1 });
    expect(await keeper.ok(productCalls.getProductDevices, { productId, pageSize: 1, pageIndex: 2 })).toMatchObject({
      total: 2,
      list: [{ deviceId: created[0], applicationId, online: 2, productId }],
    });
  });

  it("counts online, firmware and new devices on a product's page", async () => {
    const applicationId = await hub.create.application(tenancyId);
    const productId = await hub.create.product(tenancyId);
    const DAY = 86_400_000;
    const ages = [0, 0, 3, 40];
    for (const [index, days] of ages.entries()) {
      const deviceId = await hub.create.device({ productId, applicationId, online: index === 0 ? 1 : 2 });
      await hub.db
        .updateTable('device')
        .set({ created_at: Date.now() - days * DAY, version_number: ['1.0.0', '1.0.0', '1.1.0', ''][index] ?? '' })
        .where('device_id', '=', deviceId)
        .execute();
    }
    const keeper = await hub.create.user({ tenancyId, menus: [502] });
    const overview = await keeper.ok(productCalls.getProductOverview, { productId, timezone: 'Asia/Shanghai' });
    expect(overview).toMatchObject({
      devices: 4,
      online: 1,
      versions: [
        { versionNumber: '1.0.0', devices: 2 },
        { versionNumber: '', devices: 1 },
        { versionNumber: '1.1.0', devices: 1 },
      ],
      otherVersions: { versions: 0, devices: 0 },
    });
    expect(overview.days.map(({ devices }) => devices)).toEqual([...Array(26).fill(1), 2, 2, 2, 4]);
    const foreign = await hub.create.user({ tenancyId: other, menus: [502] });
    expect(await foreign.error(productCalls.getProductOverview, { productId })).toMatchObject({
      code: 'PRODUCT_NOT_FOUND',
    });
  });

  // Spec 7.70
  it('names product classes in both languages', async () => {
    const classes = (language: string) => reader.ok(productCalls.getDeviceProductClass, {}, { language });
    const english = await classes('en-US');
    expect(english.map(({ classId }) => classId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(english[6]).toEqual({ classId: 7, className: 'Health' });
    expect((await classes('zh-CN'))[6]).toEqual({ classId: 7, className: '健康' });
  });
});
