import { compareVersions, type DeviceRow, type DeviceSortFieldId, deviceCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareVersionKeys, versionColumns } from '../src/domain/ota/version-keys.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  let user: TestUser;
  let all: DeviceRow[];
  /** Two products, two applications, presence and times in no order. */
  const ids = { products: [''], applications: [''] };

  const COUNT = 60;
  const PAGE = 7;

  const list = (sent: object) => user.ok(deviceCalls.queryDeviceList, { pageSize: PAGE, ...sent });

  beforeAll(async () => {
    hub = await sharedHub();
    const tenancyId = await hub.create.tenancy();
    user = await hub.create.user({ tenancyId, menus: [501] });
    ids.applications = [await hub.create.application(tenancyId), await hub.create.application(tenancyId)];
    ids.products = [
      await hub.create.product(tenancyId, { nodeType: 2 }),
      await hub.create.product(tenancyId, { protocolId: 3 }),
    ];
    const addListed = async (index: number): Promise<void> => {
      const deviceId = unique('List-');
      await user.ok(deviceCalls.addDevice, {
        deviceId,
        deviceName: index % 3 === 0 ? `厨房灯${index}` : `Lamp_${index}(${index % 4})`,
        mac: `00:${index % 5}A`,
        productId: ids.products[index % 2] ?? '',
        applicationId: ids.applications[index % 4 < 2 ? 0 : 1],
      });
      const columns = {
        online: index % 5 === 0 ? (1 as const) : (2 as const),
        created_at: 1_700_000_000_000 + Math.floor(index / 2) * 1_000,
        updated_at: 1_700_000_000_000 + ((index * 37) % COUNT) * 1_000,
        presence_at: index % 6 === 0 ? 0 : 1_700_000_000_000 + ((index * 23) % 31) * 1_000,
        ...versionColumns(['', '1.9.0', '1.10.0', '1.10.0-rc.2', '2.0'][index % 5] ?? ''),
      };
      await hub.db.updateTable('device').set(columns).where('device_id', '=', deviceId).execute();
    };
    await Promise.all(Array.from({ length: COUNT }, (_, index) => addListed(index)));
    all = (await user.ok(deviceCalls.queryDeviceList, { pageSize: 200 })).list;
  }, 60_000);
  afterAll(() => hub.close());

  const has = (text: string, word: string) => text.toLowerCase().includes(word.toLowerCase());

  const filters: [object | (() => object), (row: DeviceRow) => boolean][] = [
    [{}, () => true],
    [{ online: 1 }, (row) => row.online === 1],
    [{ nodeType: 2 }, (row) => row.nodeType === 2],
    [{ protocolId: 3, online: 2 }, (row) => row.protocolId === 3 && row.online === 2],
    [{ categoryId: 'std-lighting' }, () => true],
    [() => ({ productId: ids.products[0] }), (row) => row.productId === ids.products[0]],
    [() => ({ productId: ids.products[1], online: 1 }), (row) => row.productId === ids.products[1] && row.online === 1],
    [() => ({ applicationId: ids.applications[0] }), (row) => row.applicationId === ids.applications[0]],
    [
      () => ({ applicationId: ids.applications[1], productId: ids.products[0] }),
      (row) => row.applicationId === ids.applications[1] && row.productId === ids.products[0],
    ],
    [
      () => ({ applicationId: ids.applications[0], online: 2 }),
      (row) => row.applicationId === ids.applications[0] && row.online === 2,
    ],
    [{ deviceName: 'LAMP_' }, (row) => has(row.deviceName, 'lamp_')],
    [{ deviceName: '厨房' }, (row) => has(row.deviceName, '厨房')],
    [{ deviceName: '厨房灯' }, (row) => has(row.deviceName, '厨房灯')],
    [{ searchValue: '(1)' }, (row) => has(row.deviceName, '(1)')],
    [{ searchValue: '0' }, () => true],
    [{ mac: ':3a' }, (row) => has(row.mac, ':3A')],
    [{ mac: ':3a', deviceName: 'lamp' }, (row) => has(row.mac, ':3A') && has(row.deviceName, 'lamp')],
    [{ deviceId: 'list-', online: 1 }, (row) => row.online === 1],
    [{ deviceName: 'q"' }, () => false],
    [{ deviceName: '灯' }, (row) => has(row.deviceName, '灯')],
    [{ deviceName: ')' }, (row) => has(row.deviceName, ')')],
    [{ mac: '3a' }, (row) => has(row.mac, '3A')],
    [{ deviceName: '1)', online: 1 }, (row) => has(row.deviceName, '1)') && row.online === 1],
    [{ searchValue: '"; drop' }, () => false],
    [{ searchValue: '%a%' }, () => false],
    [{ deviceName: 'x_y' }, () => false],
  ];

  describe.each(filters)('device list with %o', (asked, fits) => {
    // Spec 7.75
    it('returns the matching rows, each once, in both orders and from both ends', async () => {
      const filter = typeof asked === 'function' ? asked() : asked;
      for (const [sortField, time] of [
        [1, 'createTime'],
        [2, 'updateTime'],
      ] as const)
        for (const sortMode of [1, 2] as const) {
          const key = (row: DeviceRow) => `${row[time]} ${row.deviceId}`;
          const expected = all.filter(fits).map(key).sort();
          if (sortMode === 2) expected.reverse();
          // One page more than there are rows for.
          const indexes = Array.from({ length: Math.ceil(expected.length / PAGE) + 1 }, (_, index) => index + 1);
          const pages = await Promise.all(
            indexes.map((pageIndex) => list({ ...filter, sortField, sortMode, pageIndex })),
          );
          for (const page of pages) expect(page.total).toBe(expected.length);
          expect(pages.flatMap((page) => page.list.map(key))).toEqual(expected);
        }
      const counted = await user.ok(deviceCalls.countDevices, filter);
      const online = all.filter(fits).filter((row) => row.online === 1).length;
      expect(counted).toEqual({ total: all.filter(fits).length, online, offline: all.filter(fits).length - online });
    });
  });

  const orders: [DeviceSortFieldId, string, (one: DeviceRow, other: DeviceRow) => number][] = [
    [3, 'name', (one, other) => compareText(one.deviceName.toLowerCase(), other.deviceName.toLowerCase())],
    [4, 'status since', (one, other) => compareText(one.presenceTime, other.presenceTime)],
    [5, 'firmware', (one, other) => compareVersions(one.versionNumber, other.versionNumber)],
  ];
  const compareText = (one: string, other: string): number => Number(one > other) - Number(one < other);

  describe.each(orders)('sorted by %i, the %s,', (sortField, _what, compare) => {
    it.each([
      ['nothing', {}],
      ['presence', { online: 2 }],
      ['a word', { deviceName: 'lamp_' }],
    ])('filtered by %s returns each row once over its pages, in both directions', async (_by, filter) => {
      const { list: rows } = await list({ ...filter, pageSize: 200 });
      for (const sortMode of [1, 2] as const) {
        const expected = rows.toSorted(
          (one, other) => compare(one, other) || compareText(one.deviceId, other.deviceId),
        );
        if (sortMode === 2) expected.reverse();
        const pages = Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, index) =>
          list({ ...filter, sortField, sortMode, pageIndex: index + 1 }),
        );
        const read = (await Promise.all(pages)).flatMap((page) => page.list);
        expect(read.map((row) => row.deviceId)).toEqual(expected.map((row) => row.deviceId));
      }
    });
  });

  it('sorts versions of devices that were stored before there were sort keys', async () => {
    await hub.db.updateTable('device').set({ version_key: '' }).where('product_id', 'in', ids.products).execute();
    await hub.db.deleteFrom('hub_fact').where('fact_name', '=', 'version keys').execute();
    await prepareVersionKeys(hub.db);
    const { list: rows } = await list({ sortField: 5, sortMode: 2, pageSize: 200 });
    const versions = [...new Set(rows.map((row) => row.versionNumber))];
    expect(versions).toEqual(['2.0', '1.10.0', '1.10.0-rc.2', '1.9.0', '']);
  });

  it('finds a device by its current name, and a deleted one no more', async () => {
    const deviceId = unique('gone');
    const found = async (searchValue: string) => (await list({ searchValue })).list.map((row) => row.deviceId);
    await user.ok(deviceCalls.addDevice, {
      deviceId,
      productId: ids.products[0] ?? '',
      applicationId: ids.applications[0],
    });
    await user.ok(deviceCalls.updateDevice, { deviceId, deviceName: 'Balcony-west' });
    expect(await found('balcony')).toEqual([deviceId]);
    await user.ok(deviceCalls.updateDevice, { deviceId, deviceName: 'Balcony-east' });
    expect(await found('y-west')).toEqual([]);
    expect(await found('y-EAST')).toEqual([deviceId]);
    expect(await found(deviceId)).toEqual([deviceId]);
    await user.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    expect(await found('balcony')).toEqual([]);
  });
});
