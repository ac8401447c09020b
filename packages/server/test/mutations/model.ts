import { modelCalls } from '@device-center/contract';
import { event, property, service } from '../functions.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of the model of a product. */
export const modelMutations: Mutations = (hub, tenancyId) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });
  const empty = () => hub.create.product(tenancyId, { inheritFunctions: 0 });
  const power = [property('power')];

  const withFunction = async () => {
    const productId = await empty();
    const { id } = await admin.ok(modelCalls.addProductFunction, { productId, ...property('power') });
    return { productId, id };
  };

  return {
    'model.addProductFunction': async () => {
      const productId = await empty();
      const answer = await admin.call(modelCalls.addProductFunction, { productId, ...property('power') });
      const before = { modelVersion: 1, functions: [] };
      return { answer, expected: { ...by(productId), before, after: { modelVersion: 2, functions: power } } };
    },
    'model.addProductFunctions': async () => {
      const productId = await empty();
      const functions = [property('power'), service('blink')];
      const answer = await admin.call(modelCalls.addProductFunctions, { productId, functions });
      const before = { modelVersion: 1, functions: [] };
      return { answer, expected: { ...by(productId), before, after: { modelVersion: 2, functions } } };
    },
    'model.updateProductFunction': async () => {
      const { productId, id } = await withFunction();
      const answer = await admin.call(modelCalls.updateProductFunction, { id, ...property('level') });
      const before = { modelVersion: 2, functions: power };
      const after = { modelVersion: 3, functions: [property('level')] };
      return { answer, expected: { ...by(productId), before, after } };
    },
    'model.deleteProductFunction': async () => {
      const { productId, id } = await withFunction();
      const answer = await admin.call(modelCalls.deleteProductFunction, { id });
      const before = { modelVersion: 2, functions: power };
      return { answer, expected: { ...by(productId), before, after: { modelVersion: 3, functions: [] } } };
    },
    'model.saveProductModel': async () => {
      const { productId } = await withFunction();
      const functions = [event('burnt')];
      const answer = await admin.call(modelCalls.saveProductModel, { productId, modelVersion: 2, functions });
      const before = { modelVersion: 2, functions: power };
      return { answer, expected: { ...by(productId), before, after: { modelVersion: 3, functions } } };
    },
    'model.importProductModel': async () => {
      const { productId } = await withFunction();
      const functions = [event('burnt')];
      const answer = await admin.call(modelCalls.importProductModel, { productId, content: functions });
      const before = { modelVersion: 2, functions: power };
      return { answer, expected: { ...by(productId), before, after: { modelVersion: 3, functions } } };
    },
    'model.restoreModelVersion': async () => {
      const { productId } = await withFunction();
      const answer = await admin.call(modelCalls.restoreModelVersion, { productId, version: 1 });
      const before = { modelVersion: 2, functions: power };
      return { answer, expected: { ...by(productId), before, after: { modelVersion: 3, functions: [] } } };
    },
  };
};
