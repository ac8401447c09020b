import { type Answer, controlCalls } from '@device-center/contract';
import { connectNewDevice, createProductFixture, expectOnline } from '../device-fixtures.ts';
import type { RawDevice } from '../raw-device.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations that act on devices. */
export const controlMutations: Mutations = (hub, tenancyId, secrets) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });

  const alive = async (): Promise<RawDevice> => {
    const device = await connectNewDevice(hub, await createProductFixture(hub, {}, tenancyId));
    secrets.push(device.secret, device.answer.token);
    await expectOnline(hub, device.deviceId, 1);
    return device;
  };
  /** Sends a request and lets the device accept the resulting command. */
  const agreed = async (
    device: RawDevice,
    asked: Promise<Answer<unknown, unknown>>,
  ): Promise<Answer<unknown, unknown>> => {
    const request = await device.next((envelope) => envelope.dataFlow === 0);
    await device.respond(request, 200, request.type === 2 ? { properties: {} } : { output: {} });
    const answer = await asked;
    await device.end();
    return answer;
  };
  const registered = async () => {
    const productId = await hub.create.product(tenancyId);
    const applicationId = await hub.create.application(tenancyId);
    return { applicationId, deviceId: await hub.create.device({ productId, applicationId }) };
  };

  return {
    'control.reboot': async () => {
      const device = await alive();
      const { deviceId } = device;
      const answer = await agreed(device, admin.call(controlCalls.reboot, { deviceId, type: 2 }));
      return { answer, expected: { ...by(deviceId), after: { functionId: 'restart', input: { type: 2 } } } };
    },
    'control.commandDeviceFunction': async () => {
      const device = await alive();
      const { deviceId } = device;
      const sent = { deviceId, functionId: 'power', functionValue: 'true' };
      const answer = await agreed(device, admin.call(controlCalls.commandDeviceFunction, sent));
      return { answer, expected: { ...by(deviceId), after: { functionId: 'power', properties: { power: true } } } };
    },
    'control.configLogLevel': async () => {
      const device = await alive();
      const { deviceId } = device;
      const answer = await agreed(device, admin.call(controlCalls.configLogLevel, { deviceId, logLevel: 3 }));
      return { answer, expected: { ...by(deviceId), after: { functionId: 'logLevel', input: { logLevel: 3 } } } };
    },
    'control.configLogSwitch': async () => {
      const device = await alive();
      const { deviceId } = device;
      const answer = await agreed(device, admin.call(controlCalls.configLogSwitch, { deviceId, logSwitch: 1 }));
      return { answer, expected: { ...by(deviceId), after: { functionId: 'logSwitch', input: { logSwitch: 1 } } } };
    },
    'control.markBlack': async () => {
      const { deviceId } = await registered();
      const { deviceId: other } = await registered();
      const answer = await admin.call(controlCalls.markBlack, { idList: [other, deviceId], op: 1, reason: 'stolen' });
      const expected = { before: { blacklisted: 0 }, after: { blacklisted: 1, reason: 'stolen' } };
      return { answer, expected: { ...by(deviceId), ...expected } };
    },
    'control.kickOut': async () => {
      const { deviceId } = await registered();
      const answer = await admin.call(controlCalls.kickOut, { deviceId, op: 1, until: 3, reason: 'noisy' });
      const expected = { before: { kickedUntil: '' }, after: { op: 1, reason: 'noisy' } };
      return { answer, expected: { ...by(deviceId), ...expected } };
    },
    'control.updateDeviceConfiguration': async () => {
      const { deviceId, applicationId } = await registered();
      const other = await hub.create.application(tenancyId);
      const answer = await admin.call(controlCalls.updateDeviceConfiguration, {
        deviceId,
        applicationId: other,
        haZoneId: 2,
        loggerLevel: 4,
        realTimePushSwitch: 0,
      });
      const expected = { before: { applicationId, haZoneId: 1 }, after: { applicationId: other, haZoneId: 2 } };
      return { answer, expected: { ...by(deviceId), ...expected } };
    },
    'control.configHaArea': async () => {
      const { deviceId } = await registered();
      const answer = await admin.call(controlCalls.configHaArea, { deviceId, haZoneId: 2 });
      return { answer, expected: { ...by(deviceId), before: { haZoneId: 1 }, after: { haZoneId: 2 } } };
    },
    'control.configApplication': async () => {
      const { deviceId, applicationId } = await registered();
      const other = await hub.create.application(tenancyId);
      const answer = await admin.call(controlCalls.configApplication, { deviceId, applicationId: other });
      return { answer, expected: { ...by(deviceId), before: { applicationId }, after: { applicationId: other } } };
    },
  };
};
