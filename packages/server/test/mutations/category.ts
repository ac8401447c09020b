import { categoryCalls } from '@device-center/contract';
import { property, service } from '../functions.ts';
import { unique } from '../hub.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of categories and their functions. */
export const categoryMutations: Mutations = (hub, tenancyId) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });

  const withFunction = async () => {
    const categoryId = await hub.create.category(tenancyId);
    const { id } = await admin.ok(categoryCalls.addOpenFunction, { categoryId, ...property('power') });
    return { categoryId, id };
  };

  return {
    'category.addCategory': async () => {
      const after = { categoryName: unique('cat-'), description: '灯', copyFrom: await hub.create.category(tenancyId) };
      const answer = await admin.call(categoryCalls.addCategory, { ...after, tenancyId });
      return { answer, expected: { ...by(answer.success ? answer.data.categoryId : ''), after } };
    },
    'category.updateCategory': async () => {
      const before = { categoryName: unique('cat-'), description: 'before' };
      const { categoryId } = await admin.ok(categoryCalls.addCategory, { ...before, tenancyId });
      const after = { categoryName: unique('cat-'), description: 'after' };
      const answer = await admin.call(categoryCalls.updateCategory, { categoryId, ...after });
      return { answer, expected: { ...by(categoryId), before, after } };
    },
    'category.deleteCategory': async () => {
      const before = { categoryName: unique('cat-'), description: 'gone' };
      const { categoryId } = await admin.ok(categoryCalls.addCategory, { ...before, tenancyId });
      const answer = await admin.call(categoryCalls.deleteCategory, { categoryId });
      return { answer, expected: { ...by(categoryId), before } };
    },
    'category.deleteBatchCategory': async () => {
      const before = { categoryName: unique('cat-'), description: 'gone' };
      const { categoryId } = await admin.ok(categoryCalls.addCategory, { ...before, tenancyId });
      const categoryIds = [await hub.create.category(tenancyId), categoryId];
      const answer = await admin.call(categoryCalls.deleteBatchCategory, { categoryIds });
      return { answer, expected: { ...by(categoryId), before } };
    },
    'category.addOpenFunction': async () => {
      const categoryId = await hub.create.category(tenancyId);
      const answer = await admin.call(categoryCalls.addOpenFunction, { categoryId, ...property('power') });
      const before = { modelVersion: 1, functions: [] };
      const after = { modelVersion: 2, functions: [property('power')] };
      return { answer, expected: { ...by(categoryId), before, after } };
    },
    'category.addOpenFunctions': async () => {
      const categoryId = await hub.create.category(tenancyId);
      const functions = [property('power'), service('blink')];
      const answer = await admin.call(categoryCalls.addOpenFunctions, { categoryId, functions });
      const before = { modelVersion: 1, functions: [] };
      return { answer, expected: { ...by(categoryId), before, after: { modelVersion: 2, functions } } };
    },
    'category.updateOpenFunction': async () => {
      const { categoryId, id } = await withFunction();
      const { functionType: _same, ...changed } = property('level');
      const answer = await admin.call(categoryCalls.updateOpenFunction, { id, ...changed });
      const before = { modelVersion: 2, functions: [property('power')] };
      const after = { modelVersion: 3, functions: [property('level')] };
      return { answer, expected: { ...by(categoryId), before, after } };
    },
    'category.deleteOpenFunction': async () => {
      const { categoryId, id } = await withFunction();
      const answer = await admin.call(categoryCalls.deleteOpenFunction, { id });
      const before = { modelVersion: 2, functions: [property('power')] };
      return { answer, expected: { ...by(categoryId), before, after: { modelVersion: 3, functions: [] } } };
    },
    'category.saveOpenFunctions': async () => {
      const { categoryId } = await withFunction();
      const functions = [service('blink')];
      const answer = await admin.call(categoryCalls.saveOpenFunctions, { categoryId, modelVersion: 2, functions });
      const before = { modelVersion: 2, functions: [property('power')] };
      return { answer, expected: { ...by(categoryId), before, after: { modelVersion: 3, functions } } };
    },
  };
};
