import { deviceCalls, mockCalls } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { type Hub, unique } from '../packages/server/test/hub.ts';

export type DeviceScreenIds = { lampId: string; gatewayId: string; mockId: string };

type Owner = { tenancyId: string; applicationId: string };

const READINGS = 24;

/** A lamp with samples, logs and a rejected login, and a gateway that was never online. */
export const seedDevices = async (hub: Hub, { tenancyId, applicationId }: Owner): Promise<DeviceScreenIds> => {
  const productId = await hub.create.product(tenancyId, { productName: '走廊灯-(可调光)', applicationId });
  const lampId = unique('lamp-');
  const registered = { deviceId: lampId, deviceName: '三楼走廊灯-04', productId, applicationId };
  const { deviceSecret } = await hub.admin.ok(deviceCalls.addDevice, registered);
  const lamp = { hubUrl: hub.url, productId, deviceId: lampId, versionNumber: '2.3.1', mac: '00:1B:44:11:3A:B7' };
  const impostor = createDevice({ ...lamp, secret: 'not-the-secret-of-it' });
  await impostor.login().catch(() => undefined);
  const device = createDevice({ ...lamp, secret: deviceSecret });
  await device.start();
  await device.report({ power: true, scene: 'reading', color: { red: 255, green: 214, blue: 170 } });
  for (let index = 0; index < READINGS; index++)
    await device.report({ brightness: 50 + Math.round(30 * Math.sin(index / 3)), colorTemperature: 2700 + index * 50 });
  await Promise.all([
    device.log(4, 'boot ok, firmware 2.3.1'),
    device.log(5, 'supply voltage 10.9 V is below 11 V'),
    device.log(6, 'dimmer did not answer within 200 ms; tried again'),
  ]);
  await device.stop();
  const gateways = await hub.create.product(tenancyId, { categoryId: 'std-gateway', nodeType: 2, applicationId });
  const gatewayId = await hub.create.device({ productId: gateways, applicationId });
  const children = await hub.create.product(tenancyId, { nodeType: 3, applicationId });
  const { deviceId: mockId } = await hub.admin.ok(
    mockCalls.createMockDevice,
    {
      deviceName: '模拟网关-演示',
      productId: gateways,
      children: [1, 2, 3].map((index) => ({ deviceName: `模拟灯-${index}`, productId: children })),
    },
    { as: 'json' },
  );
  return { lampId, gatewayId, mockId };
};

export const deviceScreensOf = ({ lampId, gatewayId }: DeviceScreenIds): Record<string, string> => ({
  deviceOverview: `/detail/detailDevice/${lampId}`,
  deviceFunctions: `/detail/detailDevice/${lampId}?tab=functions`,
  deviceMessages: `/detail/detailDevice/${lampId}?tab=messages`,
  deviceConnections: `/detail/detailDevice/${lampId}?tab=connections`,
  deviceLogs: `/detail/detailDevice/${lampId}?tab=logs`,
  deviceConfiguration: `/detail/detailDevice/${lampId}?tab=configuration`,
  deviceChildren: `/detail/detailDevice/${gatewayId}?tab=children`,
  deviceMissing: '/detail/detailDevice/nobody',
  realTimeLog: `/detail/realTimeLog/${lampId}`,
  realTimeLogEmpty: `/detail/realTimeLog/${gatewayId}`,
});
