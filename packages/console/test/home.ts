import { bucketCalls, deviceCalls, Menu } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { inject } from 'vitest';
import { createFleet } from './fleet.ts';
import { client, createUserWithMenus, unique } from './hub.ts';

export const HOME = '/message/messageChart';

/** A fleet, plus users of its home page and devices that connect. */
export const createHomeFixture = async () => {
  const fleet = await createFleet();
  const { tenancyId, operator, product } = fleet;
  const running: Device[] = [];

  /** A session of a user whose role has the home page and these menus. */
  const createViewer = async (...menus: number[]) =>
    (await createUserWithMenus([Menu.messageChart, ...menus], tenancyId)).session;

  /** An SDK device that connects over WebSocket, as the console's mock devices do. */
  const createSdkDevice = async (productId = product.productId) => {
    const [deviceId, deviceName] = [unique('dev-'), unique('lamp')];
    const { deviceSecret } = await operator.ok(deviceCalls.addDevice, { productId, deviceId, deviceName });
    const device = createDevice({ hubUrl: inject('hubUrl'), productId, deviceId, secret: deviceSecret });
    running.push(device);
    return { deviceId, deviceName, device };
  };

  /** A device login with a wrong signature, which the hub rejects. */
  const sendInvalidLogin = (deviceId: string) =>
    client().error(bucketCalls.loginDevice, {
      productId: product.productId,
      deviceId,
      timestamp: Date.now(),
      nonce: unique('n'),
      signMethod: 'hmacsha256',
      signature: '0'.repeat(64),
    });

  const stop = () => Promise.all(running.map((device) => device.stop()));
  return { ...fleet, createViewer, createSdkDevice, sendInvalidLogin, stop };
};
export type HomeFixture = Awaited<ReturnType<typeof createHomeFixture>>;
