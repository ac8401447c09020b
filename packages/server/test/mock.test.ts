import { deviceCalls, mockCalls, type Sent } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { addMock, createMockProducts, type MockProducts, mockDetails } from './mock-fixtures.ts';

let hub: Hub;
let user: TestUser;
let place: MockProducts;
let theirs: MockProducts;

beforeAll(async () => {
  hub = await sharedHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [1101] });
  place = await createMockProducts(hub, tenancyId);
  theirs = await createMockProducts(hub, await hub.create.tenancy());
});
afterAll(() => hub.close());

type Creation = Sent<typeof mockCalls.createMockDevice>;

const count = async (table: 'device' | 'mock_device' | 'audit_log'): Promise<number> => {
  const { n } = await hub.db
    .selectFrom(table)
    .select((row) => row.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
};
const countAll = async () => [await count('device'), await count('mock_device'), await count('audit_log')];

const childrenOf = (number: number, productId = place.childProductId) =>
  Array.from({ length: number }, () => ({ deviceName: unique('child'), productId }));

const gatewayWith = (children: number): Promise<string> => addMock(hub, place, { children });
const listed = async (sent: Sent<typeof mockCalls.queryMockDeviceList>, client: Hub['admin'] = user) =>
  (await client.ok(mockCalls.queryMockDeviceList, { pageSize: 200, ...sent })).list.map(({ deviceId }) => deviceId);

describe('a mock device', () => {
  // Spec 4.25, 7.122
  it('is created of a monomer product by a role with only this menu, and is a normal device', async () => {
    const { productId, applicationId, tenancyId } = place;
    const deviceName = unique('设备_1@-(b)');
    const { deviceId, children } = await user.ok(mockCalls.createMockDevice, { deviceName, productId });
    expect(children).toEqual([]);
    expect(await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({
      deviceId,
      deviceName,
      productId,
      applicationId,
      tenancyId,
      mock: 1,
      online: 2,
      parentId: '',
    });
  });

  it('is created of a gateway product with ten children, in the given order', async () => {
    const { gatewayProductId: productId } = place;
    const children = childrenOf(10);
    const made = await user.ok(mockCalls.createMockDevice, { deviceName: 'g', productId, children }, { as: 'json' });
    expect(made.children).toHaveLength(10);
    const details = await user.ok(mockCalls.getMockDeviceDetails, { deviceId: made.deviceId });
    expect(details.children.map(({ deviceId }) => deviceId)).toEqual(made.children);
    expect(details.children.map(({ deviceName }) => deviceName)).toEqual(children.map(({ deviceName }) => deviceName));
    const { parentId } = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: made.children[9] ?? '' });
    expect(parentId).toBe(made.deviceId);
  });

  it('is in the application that is given, otherwise in the product’s own', async () => {
    const applicationId = await hub.create.application(place.tenancyId);
    const sent = { deviceName: 'x', productId: place.productId, applicationId };
    const { deviceId } = await user.ok(mockCalls.createMockDevice, sent);
    expect(await mockDetails(hub, deviceId)).toMatchObject({ applicationId });
  });

  const refusals: [string, () => Partial<Creation>, object, string][] = [
    ['a name with a space', () => ({ deviceName: 'a b' }), { statusCode: 400, code: 'BAD_INPUT' }, 'deviceName'],
    ['no name', () => ({ deviceName: '' }), { statusCode: 400 }, 'deviceName'],
    ['a name of 51 characters', () => ({ deviceName: 'n'.repeat(51) }), { statusCode: 400 }, 'deviceName'],
    ['no product', () => ({ productId: '' }), { statusCode: 400, code: 'BAD_INPUT' }, 'productId'],
    [
      'an unknown product',
      () => ({ productId: 'nobody' }),
      { statusCode: 404, code: 'PRODUCT_NOT_FOUND' },
      'productId',
    ],
    ['another’s product', () => ({ productId: theirs.productId }), { statusCode: 404 }, 'productId'],
    [
      'a product for children',
      () => ({ productId: place.childProductId }),
      { statusCode: 409, code: 'PRODUCT_NOT_FOR_MOCK', message: 'Only monomer and gateway products can be selected' },
      'productId',
    ],
    [
      'children of a monomer',
      () => ({ productId: place.productId, children: childrenOf(1) }),
      { statusCode: 409, code: 'MOCK_NOT_A_GATEWAY' },
      'children',
    ],
    [
      'a child of another node type',
      () => ({ children: [...childrenOf(1), ...childrenOf(1, place.productId)] }),
      { statusCode: 409, code: 'PRODUCT_NOT_FOR_CHILD' },
      'children[1].productId',
    ],
    [
      'a child of another’s product',
      () => ({ children: childrenOf(1, theirs.childProductId) }),
      { statusCode: 404, code: 'PRODUCT_NOT_FOUND' },
      'children[0].productId',
    ],
    [
      'a child without a name',
      () => ({ children: [{ deviceName: '', productId: 'x' }] }),
      {},
      'children[0].deviceName',
    ],
    ['an eleventh child', () => ({ children: childrenOf(11) }), { statusCode: 400 }, 'children'],
    ['another’s application', () => ({ applicationId: theirs.applicationId }), { statusCode: 404 }, 'applicationId'],
  ];

  // Spec 5.58
  it.each(refusals)('is rejected with %s, and nothing is created', async (_what, wrong, expected, field) => {
    const before = await countAll();
    const sent = { deviceName: 'x', productId: place.gatewayProductId, children: [], ...wrong() };
    const refusal = await user.error(mockCalls.createMockDevice, sent, { as: 'json' });
    expect(refusal).toMatchObject(expected);
    expect(refusal.details?.map((detail) => detail.field)).toEqual([field]);
    expect(await countAll()).toEqual(before);
  });

  // Spec 5.56
  it('requires a product, with the message in both languages', async () => {
    const told = async (language: string) =>
      (await user.error(mockCalls.createMockDevice, { deviceName: 'x', productId: '' }, { language })).details;
    expect(await told('en-US')).toEqual([{ field: 'productId', message: 'Product selection cannot be empty' }]);
    expect(await told('zh-CN')).toEqual([{ field: 'productId', message: '产品选择不能为空' }]);
  });

  it('of the platform operator accepts no child of another tenant', async () => {
    const children = childrenOf(1, theirs.childProductId);
    const sent = { deviceName: 'x', productId: place.gatewayProductId, children };
    expect(await hub.admin.error(mockCalls.createMockDevice, sent)).toMatchObject({
      code: 'PRODUCT_NOT_FOR_CHILD',
    });
  });

  it('of a product without an application requires one', async () => {
    const productId = await hub.create.product(place.tenancyId);
    const refusal = await user.error(mockCalls.createMockDevice, { deviceName: 'x', productId });
    expect(refusal).toMatchObject({ statusCode: 409, code: 'PRODUCT_WITHOUT_APPLICATION' });
    expect(refusal.details?.[0]?.field).toBe('applicationId');
  });
});

describe('addMockChildren', () => {
  const add = (deviceId: string, number: number) =>
    user.call(mockCalls.addMockChildren, { deviceId, children: childrenOf(number) });

  // Spec 5.59
  it('appends children, ten at most', async () => {
    const deviceId = await gatewayWith(8);
    const first = (await mockDetails(hub, deviceId)).children.map((child) => child.deviceId);
    const { children } = await user.ok(mockCalls.addMockChildren, { deviceId, children: childrenOf(2) });
    const all = (await mockDetails(hub, deviceId)).children.map((child) => child.deviceId);
    expect(all).toEqual([...first, ...children]);
    const before = await countAll();
    expect(await add(deviceId, 1)).toMatchObject({
      statusCode: 409,
      code: 'MOCK_CHILDREN_FULL',
      message: 'At most 10 child devices can be mounted',
    });
    expect(await countAll()).toEqual(before);
  });

  // Spec 5.59
  it('never creates an eleventh, also concurrently', async () => {
    const deviceId = await gatewayWith(7);
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(deviceId, 2)));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    const full = { statusCode: 409, code: 'MOCK_CHILDREN_FULL' };
    for (const answer of answers.filter(({ success }) => !success)) expect(answer).toMatchObject(full);
    expect((await mockDetails(hub, deviceId)).children).toHaveLength(9);
  });

  it('accepts own gateways only', async () => {
    expect(await add(await addMock(hub, place), 1)).toMatchObject({ statusCode: 409, code: 'MOCK_NOT_A_GATEWAY' });
    const others = await addMock(hub, theirs, { children: 1 });
    expect(await add(others, 1)).toMatchObject({ statusCode: 404, code: 'DEVICE_NOT_FOUND' });
    expect((await mockDetails(hub, others)).children).toHaveLength(1);
  });
});

describe('the list of mock devices', () => {
  // Spec 7.120
  it('contains gateways and monomers with their state, without children and real devices, newest first', async () => {
    const { productId, applicationId } = place;
    const [monomer, gateway] = [await addMock(hub, place), await gatewayWith(2)];
    const real = await hub.create.device({ productId, applicationId });
    const ids = await listed({});
    expect(ids.slice(0, 2)).toEqual([gateway, monomer]);
    const { children } = await mockDetails(hub, gateway);
    for (const hidden of [real, ...children.map((child) => child.deviceId)]) expect(ids).not.toContain(hidden);
    const [row] = (await user.ok(mockCalls.queryMockDeviceList, { pageSize: 1 })).list;
    expect(row).toMatchObject({ deviceId: gateway, nodeType: 2, mock: 1, runInHub: 0, runningInHub: 0, online: 2 });
    expect((await listed({ sortMode: 1 })).at(-1)).toBe(gateway);
  });

  it('applies every filter, and all of them', async () => {
    const [monomer, gateway] = [await addMock(hub, place), await gatewayWith(1)];
    const { deviceName } = await mockDetails(hub, monomer);
    await hub.db.updateTable('device').set({ online: 1 }).where('device_id', '=', monomer).execute();
    expect(await listed({ deviceId: monomer.slice(-9).toUpperCase() })).toEqual([monomer]);
    expect(await listed({ deviceName: deviceName.toUpperCase() })).toEqual([monomer]);
    expect(await listed({ searchValue: deviceName })).toEqual([monomer]);
    expect(await listed({ searchValue: gateway })).toEqual([gateway]);
    expect(await listed({ online: 1 })).toEqual([monomer]);
    expect(await listed({ online: 2 })).not.toContain(monomer);
    expect(await listed({ nodeType: 2 })).toContain(gateway);
    expect(await listed({ nodeType: 2 })).not.toContain(monomer);
    expect(await listed({ nodeType: 3 })).toEqual([]);
    expect(await listed({ productId: place.productId })).not.toContain(gateway);
    expect(await listed({ productId: place.productId, deviceName, nodeType: 1, online: 1 })).toEqual([monomer]);
    expect(await listed({ deviceName, nodeType: 2 })).toEqual([]);
    await hub.db.updateTable('device').set({ online: 2 }).where('device_id', '=', monomer).execute();
  });

  it('shows a child that has lost its gateway', async () => {
    const gateway = await gatewayWith(2);
    const children = (await mockDetails(hub, gateway)).children.map(({ deviceId }) => deviceId);
    await hub.admin.ok(deviceCalls.deleteDevices, { deviceIds: [gateway] });
    expect((await listed({ nodeType: 3 })).sort()).toEqual(children.sort());
    for (const deviceId of children) await user.ok(mockCalls.deleteMockDevice, { deviceId });
    expect(await listed({ nodeType: 3 })).toEqual([]);
  });

  it("shows the own tenant's; a platform operator sees all, or one tenant's", async () => {
    const [own, others] = [await addMock(hub, place), await addMock(hub, theirs)];
    expect(await listed({})).not.toContain(others);
    expect(await listed({ tenancyId: theirs.tenancyId })).toEqual([]);
    expect(await listed({}, hub.admin)).toEqual(expect.arrayContaining([own, others]));
    const narrowed = await listed({ tenancyId: theirs.tenancyId }, hub.admin);
    expect(narrowed).toContain(others);
    expect(narrowed).not.toContain(own);
  });
});
