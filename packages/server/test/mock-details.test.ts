import { deviceCalls, mockCalls, productCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { recordsOf } from './device-records.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { addMock, createMockProducts, type MockProducts, mockDetails, startMock } from './mock-fixtures.ts';
import { connectDevice, loginFields, tryLogin } from './raw-device.ts';

let hub: Hub;
let user: TestUser;
let products: MockProducts;
let theirs: MockProducts;

beforeAll(async () => {
  hub = await sharedHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [1101] });
  products = await createMockProducts(hub, tenancyId);
  theirs = await createMockProducts(hub, await hub.create.tenancy());
});
afterAll(() => hub.close());

const notFound = { statusCode: 404, code: 'DEVICE_NOT_FOUND', message: 'Device does not exist' };

const rowsOf = async (deviceIds: string[]): Promise<number> => {
  const rows = async (table: 'device' | 'mock_device' | 'device_session') =>
    (await hub.db.selectFrom(table).select('device_id').where('device_id', 'in', deviceIds).execute()).length;
  return (await rows('device')) + (await rows('mock_device')) + (await rows('device_session'));
};

const recordCount = async (deviceIds: string[]): Promise<number> =>
  Object.values(await recordsOf(hub, deviceIds)).flat().length;

describe('the details of a mock device', () => {
  // Spec 1.17, 7.121
  it('contain all that a client needs to run it: secret, method, constants, functions, defaults, children', async () => {
    const deviceId = await addMock(hub, products, { children: 2 });
    const details = await user.ok(mockCalls.getMockDeviceDetails, { deviceId });
    expect(details).toMatchObject({
      deviceId,
      mock: 1,
      nodeType: 2,
      tenantId: '3',
      version: '1.0.1',
      firstDataId: 10_000,
      signMethod: 'md5',
      defaults: { power: false, brightness: 1, fadeTo: { accepted: false } },
      run: { runInHub: 0, mode: 1, everySeconds: 5, sequence: [] },
    });
    expect(details.functions.map(({ signCode }) => signCode)).toEqual(expect.arrayContaining(['power', 'fadeTo']));
    const secrets = [details, ...details.children].map(({ deviceSecret }) => deviceSecret);
    expect(new Set(secrets).size).toBe(3);
    for (const secret of secrets) expect(secret).toMatch(/^\w{32}$/);
  });

  it('name hmacsha256 when the product forbids md5, for each device by its own product', async () => {
    const deviceId = await addMock(hub, products, { children: 1 });
    const { gatewayProductId: productId } = products;
    const forbid = (allowMd5: 0 | 1) =>
      hub.admin.ok(productCalls.updateDeviceProduct, { productId, productName: unique('p'), allowMd5 });
    await forbid(0);
    const details = await mockDetails(hub, deviceId);
    expect(details.signMethod).toBe('hmacsha256');
    expect(details.children[0]?.signMethod).toBe('md5');
    const who = { productId, deviceId, secret: details.deviceSecret };
    const refused = await tryLogin(hub.url, loginFields({ ...who, signMethod: 'md5' }));
    expect(refused).toMatchObject({ data: null, code: 'MD5_FORBIDDEN' });
    expect((await tryLogin(hub.url, loginFields({ ...who, signMethod: 'hmacsha256' }))).data).not.toBeNull();
    await forbid(1);
  });

  it('exist for mock devices only: the secret of a real one cannot be read', async () => {
    const { productId, applicationId } = products;
    const deviceId = await hub.create.device({ productId, applicationId });
    for (const client of [user, hub.admin])
      expect(await client.error(mockCalls.getMockDeviceDetails, { deviceId })).toMatchObject(notFound);
    // Nor by a manipulated mark in its row.
    await hub.db.updateTable('device').set({ mock: 1 }).where('device_id', '=', deviceId).execute();
    expect(await hub.admin.error(mockCalls.getMockDeviceDetails, { deviceId })).toMatchObject(notFound);
  });

  it('of another tenant and of an unknown device are reported as not found', async () => {
    const others = await addMock(hub, theirs, { children: 1 });
    const child = (await mockDetails(hub, others)).children[0]?.deviceId ?? '';
    for (const deviceId of [others, child, 'nobody'])
      expect(await user.error(mockCalls.getMockDeviceDetails, { deviceId })).toMatchObject(notFound);
  });

  it('are the only place that shows the secret', async () => {
    const deviceId = await addMock(hub, products);
    const { deviceSecret } = await mockDetails(hub, deviceId);
    const elsewhere = [
      await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId }),
      await hub.admin.ok(deviceCalls.queryDeviceList, { deviceId }),
      await user.ok(mockCalls.queryMockDeviceList, { deviceId }),
      await hub.db.selectFrom('audit_log').selectAll().where('target_id', '=', deviceId).execute(),
      await hub.db.selectFrom('device').selectAll().where('device_id', '=', deviceId).execute(),
    ];
    expect(JSON.stringify(elsewhere)).toContain(deviceId);
    expect(JSON.stringify(elsewhere)).not.toContain(deviceSecret);
  });
});

describe('deletion of a mock device', () => {
  // Spec 7.123
  it('that is a gateway deletes its children and all their records, and disconnects it', async () => {
    const deviceId = await addMock(hub, products, { children: 2 });
    const mock = await startMock(hub, deviceId);
    const refused: (string | undefined)[] = [];
    mock.device.on('refused', ({ refusal }) => refused.push(refusal.codeName));
    await mock.device.start();
    mock.mountAll();
    for (const id of mock.deviceIds) {
      await expectOnline(hub, id, 1);
      await mock.send({ deviceId: id, kind: 'property', name: '', value: { power: true } });
    }
    expect(await recordCount(mock.deviceIds)).toBeGreaterThan(6);
    await user.ok(mockCalls.deleteMockDevice, { deviceId });
    expect(await rowsOf(mock.deviceIds)).toBe(0);
    await expect.poll(() => mock.device.online, { timeout: 20_000 }).toBe(false);
    // It logs in again with the secret of the deleted device.
    await expect.poll(() => refused, { timeout: 20_000 }).toContain('SIGNATURE');
    await mock.stop();
    await expect.poll(() => recordCount(mock.deviceIds), { timeout: 30_000 }).toBe(0);
    expect(await user.error(mockCalls.deleteMockDevice, { deviceId })).toMatchObject(notFound);
  });

  it('that is a child keeps its gateway and the other children', async () => {
    const deviceId = await addMock(hub, products, { children: 2 });
    const [first, second] = (await mockDetails(hub, deviceId)).children;
    await user.ok(mockCalls.deleteMockDevice, { deviceId: first?.deviceId ?? '' });
    const { children } = await mockDetails(hub, deviceId);
    expect(children.map((child) => child.deviceId)).toEqual([second?.deviceId]);
  });

  it('disconnects one that uses the plain protocol', async () => {
    const deviceId = await addMock(hub, products);
    const { productId, deviceSecret: secret } = await mockDetails(hub, deviceId);
    const device = await connectDevice(hub.url, { productId, deviceId, secret, signMethod: 'md5' });
    await user.ok(mockCalls.deleteMockDevice, { deviceId });
    await waitForClose(device);
    expect(device.client.connected).toBe(false);
  });

  it('rejects real devices and another’s; nothing is changed', async () => {
    const real = await connectNewDevice(hub, await createProductFixture(hub, {}, products.tenancyId));
    const others = await addMock(hub, theirs, { children: 1 });
    const ids = [others, ...(await mockDetails(hub, others)).children.map((child) => child.deviceId)];
    const before = await rowsOf([...ids, real.deviceId]);
    for (const deviceId of [real.deviceId, ...ids])
      expect(await user.error(mockCalls.deleteMockDevice, { deviceId })).toMatchObject(notFound);
    expect(await hub.admin.error(mockCalls.deleteMockDevice, { deviceId: real.deviceId })).toMatchObject(notFound);
    expect(await rowsOf([...ids, real.deviceId])).toBe(before);
    expect(real.client.connected).toBe(true);
    await real.end();
  });
});
