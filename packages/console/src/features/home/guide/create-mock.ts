import { type MockDetails, mockCalls } from '@device-center/contract';
import i18next from 'i18next';
import { send } from '../../../api/send.ts';
import type { ResourceStore } from './create-product.ts';
import { templates } from './templates.ts';

const mockNames = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => i18next.t('guide:unitName', { name, place: index + 1 }));

const createMock = async (resources: ResourceStore): Promise<string> => {
  const { product, child, template } = resources.read();
  const children = child
    ? mockNames(child.name, templates[template].children).map((deviceName) => ({ deviceName, productId: child.id }))
    : [];
  const [deviceName = ''] = mockNames(product?.name ?? '', 1);
  const input = { deviceName, productId: product?.id ?? '', children };
  return (await send(mockCalls.createMockDevice, input, { as: 'json' })).deviceId;
};

/** The guide created the product, so a mock device of it comes from an earlier attempt or from a user. */
const findMock = async (productId: string): Promise<string | undefined> =>
  (await send(mockCalls.queryMockDeviceList, { productId, pageSize: 1 })).list[0]?.deviceId;

export const ensureMock = async (resources: ResourceStore): Promise<MockDetails> => {
  const { device, product } = resources.read();
  const deviceId = device?.id ?? (await findMock(product?.id ?? '')) ?? (await createMock(resources));
  const details = await send(mockCalls.getMockDeviceDetails, { deviceId });
  resources.write({ device: { id: deviceId, name: details.deviceName } });
  return details;
};
