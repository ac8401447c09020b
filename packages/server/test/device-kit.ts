import { deviceCalls, productCalls, type Sent } from '@device-center/contract';
import { expect } from 'vitest';
import { type Hub, unique } from './hub.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';

export type Workshop = { tenancyId: string; applicationId: string; productId: string; productSecret: string };

/** A product whose devices may register themselves, with its application and its secret. */
export const workshop = async (
  hub: Hub,
  more: Partial<Sent<typeof productCalls.addDeviceProduct>> = {},
  tenancyId = '1',
): Promise<Workshop> => {
  const applicationId = await hub.has.application(tenancyId);
  const { productId, productSecret } = await hub.admin.get(productCalls.addDeviceProduct, {
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

/** A device that came to be by its first log-in and is connected. */
export const comeAlive = async (
  hub: Hub,
  { productId, productSecret }: Workshop,
  options: Parameters<typeof connectDevice>[2] = {},
  deviceId = unique('dev'),
): Promise<RawDevice> => connectDevice(hub.url, { productId, deviceId, secret: productSecret }, options);

export const expectOnline = (hub: Hub, deviceId: string, online: 1 | 2) =>
  expect
    .poll(async () => (await hub.admin.get(deviceCalls.getDeviceDetails, { deviceId })).online, {
      timeout: 20_000,
      interval: 50,
    })
    .toBe(online);
