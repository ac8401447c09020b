import { bucketCalls, deviceCalls, Menu } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { inject } from 'vitest';
import { newFleet } from './fleet.ts';
import { client, newUserWith, unique } from './hub.ts';

export const HOME = '/message/messageChart';

/** A fleet, with users who look at its home page and devices that come to life. */
export const newHome = async () => {
  const fleet = await newFleet();
  const { tenancyId, operator, product } = fleet;
  const running: Device[] = [];

  /** Whose role has the home page and these menus. */
  const watcher = async (...menus: number[]) => (await newUserWith([Menu.messageChart, ...menus], tenancyId)).session;

  /** A real device, connected over WebSocket as a page's would be. */
  const liveDevice = async (productId = product.productId) => {
    const [deviceId, deviceName] = [unique('dev-'), unique('lamp')];
    const { deviceSecret } = await operator.ok(deviceCalls.addDevice, { productId, deviceId, deviceName });
    const device = createDevice({ hubUrl: inject('hubUrl'), productId, deviceId, secret: deviceSecret });
    running.push(device);
    return { deviceId, deviceName, device };
  };

  /** A log-in that the hub refuses. */
  const knock = (deviceId: string) =>
    client().error(bucketCalls.loginDevice, {
      productId: product.productId,
      deviceId,
      timestamp: Date.now(),
      nonce: unique('n'),
      signMethod: 'hmacsha256',
      signature: '0'.repeat(64),
    });

  const stop = () => Promise.all(running.map((device) => device.stop()));
  return { ...fleet, watcher, liveDevice, knock, stop };
};
export type Home = Awaited<ReturnType<typeof newHome>>;
