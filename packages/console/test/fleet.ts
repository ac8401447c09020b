import { deviceCalls, Menu, type NodeTypeId, productCalls } from '@device-center/contract';
import { admin, createApplication, createUserWithMenus, unique } from './hub.ts';

/** Creates a tenant with an application, a product and a user with the device and product menus. */
export const createFleet = async () => {
  const { session, tenancyId } = await createUserWithMenus([Menu.deviceList, Menu.blackDeviceList, Menu.productList]);
  const operator = await admin();
  const application = await createApplication(tenancyId);

  const createProduct = async (options: { nodeType?: NodeTypeId; applicationId?: string } = {}) => {
    const productName = unique('prod');
    const { productId } = await operator.ok(productCalls.addDeviceProduct, {
      productName,
      categoryId: 'std-lighting',
      nodeType: 1,
      protocolId: 1,
      classId: 1,
      applicationId: application.applicationId,
      tenancyId,
      ...options,
    });
    return { productId, productName };
  };
  const product = await createProduct();

  const registerDevice = async (options: { productId?: string; deviceId?: string } = {}) => {
    const deviceId = options.deviceId ?? unique('dev-');
    const deviceName = unique('lamp');
    const { productId = product.productId } = options;
    await operator.ok(deviceCalls.addDevice, { productId, deviceId, deviceName });
    return { deviceId, deviceName };
  };
  return { session, tenancyId, operator, application, product, createProduct, registerDevice };
};
export type Fleet = Awaited<ReturnType<typeof createFleet>>;
