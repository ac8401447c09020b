import { type MockDetails, mockCalls } from '@device-center/contract';
import { createMock, type Mock } from '@device-center/virtual-device';
import { type Hub, unique } from './hub.ts';

export type MockPlace = {
  tenancyId: string;
  applicationId: string;
  productId: string;
  gatewayProductId: string;
  childProductId: string;
};

/** A product of each node type, all lamps, with one application. */
export const mockPlace = async (hub: Hub, tenancyId = '1'): Promise<MockPlace> => {
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

/** A monomer, or a gateway where it has children. */
export const makeMock = async (
  { admin }: Pick<Hub, 'admin'>,
  { productId, gatewayProductId, childProductId }: MockPlace,
  { children = 0 } = {},
): Promise<string> => {
  const made = await admin.ok(mockCalls.createMockDevice, {
    deviceName: unique('mock'),
    productId: children > 0 ? gatewayProductId : productId,
    children: Array.from({ length: children }, () => ({ deviceName: unique('child'), productId: childProductId })),
  });
  return made.deviceId;
};

export const mockDetails = ({ admin }: Pick<Hub, 'admin'>, deviceId: string): Promise<MockDetails> =>
  admin.ok(mockCalls.getMockDeviceDetails, { deviceId });

/** Its body, as a page of the console has it: over WebSocket, through the hub's HTTP port. */
export const startMock = async (hub: Pick<Hub, 'admin' | 'url'>, deviceId: string): Promise<Mock> =>
  createMock({
    hubUrl: hub.url,
    transport: 'ws',
    details: await mockDetails(hub, deviceId),
    backoff: { first: 50, max: 500 },
  });
