import { type MockDetails, mockCalls } from '@device-center/contract';
import i18next from 'i18next';
import { send } from '../../../api/send.ts';
import type { Notes } from './create-product.ts';
import { templates } from './templates.ts';

const unitNames = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => i18next.t('guide:unitName', { name, place: index + 1 }));

const createMock = async (notes: Notes): Promise<string> => {
  const { product, child, template } = notes.read();
  const children = child
    ? unitNames(child.name, templates[template].children).map((deviceName) => ({ deviceName, productId: child.id }))
    : [];
  const [deviceName = ''] = unitNames(product?.name ?? '', 1);
  const input = { deviceName, productId: product?.id ?? '', children };
  return (await send(mockCalls.createMockDevice, input, { as: 'json' })).deviceId;
};

/** The product is the guide's own, so a mock device of it is what an earlier try, or somebody by hand, has made. */
const findMock = async (productId: string): Promise<string | undefined> =>
  (await send(mockCalls.queryMockDeviceList, { productId, pageSize: 1 })).list[0]?.deviceId;

export const ensureMock = async (notes: Notes): Promise<MockDetails> => {
  const { device, product } = notes.read();
  const deviceId = device?.id ?? (await findMock(product?.id ?? '')) ?? (await createMock(notes));
  const details = await send(mockCalls.getMockDeviceDetails, { deviceId });
  notes.write({ device: { id: deviceId, name: details.deviceName } });
  return details;
};
