import { productCalls, productTakeoverCalls } from '@device-center/contract';
import { unique } from '../hub.ts';
import { PNG, pictureIdOf, upload } from '../pictures.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of products. */
export const productMutations: Mutations = (hub, tenancyId, secrets) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });

  return {
    'product.addDeviceProduct': async () => {
      const after = {
        productName: unique('p'),
        description: '灯',
        categoryId: 'std-lighting',
        nodeType: 2,
        protocolId: 3,
        classId: 4,
        applicationId: await hub.create.application(tenancyId),
        allowRegister: 0,
        allowMd5: 1,
        inheritFunctions: 1,
      } as const;
      const answer = await admin.call(productCalls.addDeviceProduct, { ...after, tenancyId });
      if (answer.success) secrets.push(answer.data.productSecret);
      return { answer, expected: { ...by(answer.success ? answer.data.productId : ''), after } };
    },
    'product.updateDeviceProduct': async () => {
      const before = { productName: unique('p'), description: 'before', classId: 1, allowMd5: 1 } as const;
      const productId = await hub.create.product(tenancyId, before);
      const after = { productName: unique('p'), description: 'after', classId: 8, allowMd5: 0 } as const;
      const answer = await admin.call(productCalls.updateDeviceProduct, { productId, ...after });
      return { answer, expected: { ...by(productId), before, after } };
    },
    'product.deleteDeviceProduct': async () => {
      const before = { productName: unique('p'), description: 'gone' };
      const productId = await hub.create.product(tenancyId, before);
      const productIds = [await hub.create.product(tenancyId), productId];
      const answer = await admin.call(productCalls.deleteDeviceProduct, { productIds });
      return { answer, expected: { ...by(productId), before } };
    },
    'product.resetProductSecret': async () => {
      const productId = await hub.create.product(tenancyId);
      const answer = await admin.call(productCalls.resetProductSecret, { productId });
      if (answer.success) secrets.push(answer.data.productSecret);
      return { answer, expected: by(productId) };
    },
    'product.takeOverProduct': async () => {
      const productId = await hub.create.product(tenancyId);
      await hub.db.updateTable('product').set({ origin_id: 'elsewhere' }).where('product_id', '=', productId).execute();
      const answer = await admin.call(productTakeoverCalls.takeOverProduct, { productId });
      return { answer, expected: { ...by(productId), before: { origin: 'elsewhere' }, after: { devices: 0 } } };
    },
    'product.uploadProductPicture': async () => {
      const answer = await upload(admin, productCalls.uploadProductPicture, { bytes: PNG });
      const icon = answer.success ? (answer.data as { icon: string }).icon : '';
      const after = { contentType: 'image/png' };
      return { answer, expected: { username: 'admin', tenancyId: '1', targetId: pictureIdOf(icon), after } };
    },
  };
};
