import { type MockDetails, mockCalls } from '@device-center/contract';
import { createMock, type Mock } from '@device-center/virtual-device';
import { type Hub, unique } from './hub.ts';

export type MockProducts = {
  tenancyId: string;
  applicationId: string;
  productId: string;
  gatewayProductId: string;
  childProductId: string;
};

/** A lamp product of each node type, with one application. */
export const createMockProducts = async (hub: Hub, tenancyId = '1'): Promise<MockProducts> => {
  const applicationId = await hub.create.application(tenancyId);
  const product = (nodeType: 1 | 2 | 3) => hub.create.product(tenancyId, { nodeType, applicationId });
  return {
    tenancyId,
    applicationId,
    productId: await product(1),
    gatewayProductId: await product(2),
    childProductId: await product(3),
  };
};

/** Creates a mock monomer, or a gateway when children are given. */
export const addMock = async (
  { admin }: Pick<Hub, 'admin'>,
  { productId, gatewayProductId, childProductId }: MockProducts,
  { children = 0 } = {},
): Promise<string> => {
  const created = await admin.ok(mockCalls.createMockDevice, {
    deviceName: unique('mock'),
    productId: children > 0 ? gatewayProductId : productId,
    children: Array.from({ length: children }, () => ({ deviceName: unique('child'), productId: childProductId })),
  });
  return created.deviceId;
};

export const mockDetails = ({ admin }: Pick<Hub, 'admin'>, deviceId: string): Promise<MockDetails> =>
  admin.ok(mockCalls.getMockDeviceDetails, { deviceId });

/** Runs a mock device as the console does: over WebSocket on the hub's HTTP port. */
export const startMock = async (hub: Pick<Hub, 'admin' | 'url'>, deviceId: string): Promise<Mock> =>
  createMock({
    hubUrl: hub.url,
    transport: 'ws',
    details: await mockDetails(hub, deviceId),
    backoff: { first: 50, max: 500 },
  });
