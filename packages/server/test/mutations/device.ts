import { deviceCalls, deviceTakeoverCalls } from '@device-center/contract';
import { expect } from 'vitest';
import { unique } from '../hub.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of devices. */
export const deviceMutations: Mutations = (hub, tenancyId, secrets) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });
  const place = async () => ({
    productId: await hub.create.product(tenancyId),
    applicationId: await hub.create.application(tenancyId),
  });

  return {
    'device.addDevice': async () => {
      const { productId, applicationId } = await place();
      const after = { productId, applicationId, deviceName: unique('lamp'), mac: '00:11:22' };
      const deviceId = unique('d');
      const answer = await admin.call(deviceCalls.addDevice, { deviceId, ...after });
      if (answer.success) secrets.push(answer.data.deviceSecret);
      return { answer, expected: { ...by(deviceId), after } };
    },
    'device.registerDevices': async () => {
      const { productId, applicationId } = await place();
      const deviceId = unique('d');
      const devices = [{ deviceId }, { deviceId: unique('d'), deviceName: '灯' }, { deviceId }];
      const sent = { productId, applicationId, devices };
      const answer = await admin.call(deviceCalls.registerDevices, sent, { as: 'json' });
      if (answer.success) secrets.push(...answer.data.registered.map(({ deviceSecret }) => deviceSecret));
      return { answer, expected: { ...by(productId), after: { applicationId, registered: 2, refused: 1 } } };
    },
    'device.updateDevice': async () => {
      const deviceId = await hub.create.device(await place());
      const deviceName = unique('renamed');
      const after = { deviceName, mac: '00:11:33' };
      const answer = await admin.call(deviceCalls.updateDevice, { deviceId, ...after });
      return { answer, expected: { ...by(deviceId), before: { deviceName: deviceId, mac: '' }, after } };
    },
    'device.deleteDevices': async () => {
      const { productId, applicationId } = await place();
      const deviceId = await hub.create.device({ productId, applicationId });
      const deviceIds = [await hub.create.device({ productId, applicationId }), deviceId];
      const answer = await admin.call(deviceCalls.deleteDevices, { deviceIds });
      return { answer, expected: { ...by(deviceId), before: { deviceName: deviceId, productId, applicationId } } };
    },
    'device.resetDeviceSecret': async () => {
      const deviceId = await hub.create.device(await place());
      const answer = await admin.call(deviceCalls.resetDeviceSecret, { deviceId });
      if (answer.success) secrets.push(answer.data.deviceSecret);
      return { answer, expected: by(deviceId) };
    },
    'device.takeOverDevice': async () => {
      const deviceId = await hub.create.device(await place());
      await hub.db.updateTable('device').set({ origin_id: 'elsewhere' }).where('device_id', '=', deviceId).execute();
      const answer = await admin.call(deviceTakeoverCalls.takeOverDevice, { deviceId });
      return { answer, expected: { ...by(deviceId), before: { origin: 'elsewhere' }, after: { origin: '' } } };
    },
    'device.allowReregistration': async () => {
      const deviceId = await hub.create.device(await place());
      const answer = await admin.call(deviceCalls.allowReregistration, { deviceId });
      return { answer, expected: { ...by(deviceId), after: { reregisterUntil: expect.any(String) as string } } };
    },
  };
};
