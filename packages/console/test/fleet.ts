import { deviceCalls, Menu, type NodeTypeId, productCalls } from '@device-center/contract';
import { admin, newApplication, newUserWith, unique } from './hub.ts';

/** A tenant with an application, a product, and a user who looks after its devices. */
export const newFleet = async () => {
  const { session, tenancyId } = await newUserWith([Menu.deviceList, Menu.blackDeviceList, Menu.productList]);
  const operator = await admin();
  const application = await newApplication(tenancyId);

  const newProduct = async (more: { nodeType?: NodeTypeId; applicationId?: string } = {}) => {
    const productName = unique('prod');
    const { productId } = await operator.ok(productCalls.addDeviceProduct, {
      productName,
      categoryId: 'std-lighting',
      nodeType: 1,
      protocolId: 1,
      classId: 1,
      applicationId: application.applicationId,
      tenancyId,
      ...more,
    });
    return { productId, productName };
  };
  const product = await newProduct();

  const newDevice = async (more: { productId?: string; deviceId?: string } = {}) => {
    const deviceId = more.deviceId ?? unique('dev-');
    const deviceName = unique('lamp');
    const { productId = product.productId } = more;
    await operator.ok(deviceCalls.addDevice, { productId, deviceId, deviceName });
    return { deviceId, deviceName };
  };
  return { session, tenancyId, operator, application, product, newProduct, newDevice };
};
export type Fleet = Awaited<ReturnType<typeof newFleet>>;
