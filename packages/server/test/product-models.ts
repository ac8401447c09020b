import {
  type Answer,
  type ModelFunction,
  modelCalls,
  type ProductFunction,
  productCalls,
} from '@device-center/contract';
import { afterAll, beforeAll } from 'vitest';
import { threeFunctions } from './functions.ts';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

/** The functions without ids and owner. */
export const bareFunctions = (list: ProductFunction[]): ModelFunction[] =>
  list.map(
    ({ signCode, functionName, functionType, description, functionDefinition }) =>
      ({ signCode, functionName, functionType, description, functionDefinition }) as ModelFunction,
  );

/** For all tests of a file: a hub, a user who may manage products, and common helpers. */
export const createModelFixture = () => {
  let hub: Hub;
  let user: TestUser;
  beforeAll(async () => {
    hub = await sharedHub();
    user = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [502] });
  });
  afterAll(() => hub.close());

  const product = () => hub.create.product(user.tenancyId, { inheritFunctions: 0 });
  const list = (productId: string) => user.ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
  const models = {
    /** A product without functions, at version 1. */
    product,
    list,
    /** A product with one function of each kind, at version 2. */
    withThree: async () => {
      const productId = await product();
      const { ids } = await user.ok(modelCalls.addProductFunctions, { productId, functions: threeFunctions() });
      const [first = '', second = '', third = ''] = ids;
      return { productId, ids: [first, second, third] as const };
    },
    version: async (productId: string): Promise<number> =>
      (await user.ok(productCalls.getDeviceProductDetails, { productId })).modelVersion,
    versions: (productId: string) => user.ok(modelCalls.getModelVersions, { productId }),
    save: (
      productId: string,
      modelVersion: number,
      functions: object[],
      language = 'en-US',
    ): Promise<Answer<unknown>> =>
      user.send(modelCalls.saveProductModel, { productId, modelVersion, functions }, { as: 'json', language }),
    devices: async (productId: string, count: number): Promise<void> => {
      const applicationId = await hub.create.application(user.tenancyId);
      for (let created = 0; created < count; created++) await hub.create.device({ productId, applicationId });
    },
  };
  return {
    models,
    /** Available from the first test on. */
    get hub(): Hub {
      return hub;
    },
    get user(): TestUser {
      return user;
    },
  };
};
