import { deviceCalls, productCalls, type Sent } from '@device-center/contract';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../src/db/connect.ts';
import { type Hub, unique } from './hub.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';

export type ProductFixture = { tenancyId: string; applicationId: string; productId: string; productSecret: string };

/** A product whose devices may register themselves, with its application and its secret. */
export const createProductFixture = async (
  hub: Hub,
  more: Partial<Sent<typeof productCalls.addDeviceProduct>> = {},
  tenancyId = '1',
): Promise<ProductFixture> => {
  const applicationId = await hub.create.application(tenancyId);
  const { productId, productSecret } = await hub.admin.ok(productCalls.addDeviceProduct, {
    productName: unique('product'),
    categoryId: 'std-lighting',
    nodeType: 1,
    protocolId: 1,
    classId: 1,
    tenancyId,
    applicationId,
    ...more,
  });
  return { tenancyId, applicationId, productId, productSecret };
};

/** A device that registered itself at its first login and is connected. */
export const connectNewDevice = async (
  hub: Hub,
  { productId, productSecret }: ProductFixture,
  options: Parameters<typeof connectDevice>[2] = {},
  deviceId = unique('dev'),
): Promise<RawDevice> => connectDevice(hub.url, { productId, deviceId, secret: productSecret }, options);

/** The same, and waits until the hub's lists show it online. */
export const connectAndWaitOnline = async (hub: Hub, fixture: ProductFixture): Promise<RawDevice> => {
  const device = await connectNewDevice(hub, fixture);
  await expectOnline(hub, device.deviceId, 1);
  return device;
};

/** Many devices that were never online: only rows in the table. */
export const insertOffline = async (
  db: Db,
  { tenancyId, productId, applicationId }: ProductFixture,
  count: number,
  versionNumber: string,
): Promise<void> => {
  await sql`
    insert into device (device_id, tenancy_id, product_id, application_id, device_name, device_name_key, device_id_key,
      mac, mac_key, version_number, online, parent_id, mock, created_at, updated_at)
    with recursive step (n) as (select 1 union all select n + 1 from step where n < ${sql.lit(count)})
    select 'many-' || n, ${tenancyId}, ${productId}, ${applicationId}, 'many-' || n, 'many-' || n,
      'many-' || n, '', '', ${versionNumber}, 2, '', 0, 1, 1 from step`.execute(db);
};

export const expectOnline = (hub: Hub, deviceId: string, online: 1 | 2, timeout = 20_000) =>
  expect
    .poll(async () => (await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).online, {
      timeout,
      interval: 50,
    })
    .toBe(online);
