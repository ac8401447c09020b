import { mockCalls } from '@device-center/contract';
import { unique } from '../hub.ts';
import { addMock, createMockProducts } from '../mock-fixtures.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of mock devices. */
export const mockMutations: Mutations = (hub, tenancyId, secrets) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });
  const created = async () => {
    const products = await createMockProducts(hub, tenancyId);
    const deviceId = await addMock(hub, products, { children: 1 });
    const details = await admin.ok(mockCalls.getMockDeviceDetails, { deviceId });
    secrets.push(details.deviceSecret, ...details.children.map(({ deviceSecret }) => deviceSecret));
    return { ...products, details, deviceId };
  };

  return {
    'mock.createMockDevice': async () => {
      const { gatewayProductId: productId, childProductId, applicationId } = await createMockProducts(hub, tenancyId);
      const deviceName = unique('mock');
      const sent = { deviceName, productId, children: [{ deviceName: '子设备', productId: childProductId }] };
      const answer = await admin.call(mockCalls.createMockDevice, sent);
      const { deviceId = '', children = [] } = answer.success ? answer.data : {};
      return { answer, expected: { ...by(deviceId), after: { deviceName, productId, applicationId, children } } };
    },
    'mock.addMockChildren': async () => {
      const { deviceId, childProductId: productId } = await created();
      const children = [{ deviceName: unique('child'), productId }];
      const answer = await admin.call(mockCalls.addMockChildren, { deviceId, children });
      const after = { children: answer.success ? answer.data.children : [] };
      return { answer, expected: { ...by(deviceId), after } };
    },
    'mock.deleteMockDevice': async () => {
      const { deviceId, applicationId, gatewayProductId: productId, details } = await created();
      const answer = await admin.call(mockCalls.deleteMockDevice, { deviceId });
      const before = { deviceName: details.deviceName, productId, applicationId };
      return { answer, expected: { ...by(deviceId), before } };
    },
    'mock.saveFunctionDefaults': async () => {
      const { deviceId } = await created();
      const values = { power: true };
      const answer = await admin.call(mockCalls.saveFunctionDefaults, { deviceId, values });
      return { answer, expected: { ...by(deviceId), before: { values: {} }, after: { values } } };
    },
    'mock.saveMockRun': async () => {
      const { deviceId } = await created();
      const sequence = [{ after: 1_000, deviceId, kind: 'property' as const, name: '', value: { power: true } }];
      const sent = { deviceId, runInHub: 0, mode: 2, everySeconds: 9, sequence } as const;
      const answer = await admin.call(mockCalls.saveMockRun, { ...sent, sequence });
      const before = { runInHub: 0, mode: 1, everySeconds: 5, sequence: 0 };
      return {
        answer,
        expected: { ...by(deviceId), before, after: { runInHub: 0, mode: 2, everySeconds: 9, sequence: 1 } },
      };
    },
    'mock.expireMockToken': async () => {
      const { deviceId } = await created();
      return { answer: await admin.call(mockCalls.expireMockToken, { deviceId }), expected: by(deviceId) };
    },
  };
};
