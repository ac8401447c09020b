import { apiKeyCalls, syncDeliveryCalls } from '@device-center/contract';
import { admin, client, createApplication, createUserWithMenus, unique } from './hub.ts';

const power = {
  signCode: 'power',
  functionName: 'Power',
  functionType: 1,
  description: '',
  functionDefinition: { accessMode: 'rw', dataType: { type: 'boolean', trueText: 'on', falseText: 'off' } },
};

/** A product and a device that another hub synchronised into an application, and a user of its tenant. */
export const createReceivedFixture = async (menus: number[]) => {
  const { session, tenancyId } = await createUserWithMenus(menus);
  const application = await createApplication(tenancyId);
  const { key } = await (await admin()).ok(apiKeyCalls.addApiKey, {
    keyName: unique('key'),
    scope: 'sync',
    applicationId: application.applicationId,
    tenancyId,
  });
  const product = { productId: unique('sent'), productName: unique('lamp') };
  const device = { deviceId: unique('sent'), deviceName: unique('device') };
  const origin = { origin: 'another-hub', revision: 1 } as const;
  const { productName } = product;
  const model = { nodeType: 1, protocolId: 1, classId: 1, allowMd5: 1, modelVersion: 1, functions: [power] };
  const attributes = { productId: product.productId, mac: '', versionNumber: '1.0.0', parentId: '', values: [] };
  const hub = client(`Bearer ${key}`);
  const send = async (functions: unknown[], revision: number) => {
    const { results } = await hub.ok(syncDeliveryCalls.deliverSync, {
      zoneId: 1,
      preview: 0,
      items: [
        {
          ...{ kind: 'model', id: product.productId, ...origin, revision },
          content: { productName, description: '', categoryName: 'Lighting', ...model, functions },
        },
        {
          ...{ kind: 'device', id: device.deviceId, ...origin, revision },
          content: { deviceName: device.deviceName, ...attributes },
        },
      ],
    });
    if (results.some(({ result }) => result === 'refused')) throw new Error(JSON.stringify(results));
  };
  // Sent twice, so that the model has an earlier version.
  await send([power], 1);
  await send([power, { ...power, signCode: 'night', functionName: 'Night' }], 2);
  return { session, tenancyId, application, product, device };
};
