import { z } from 'zod';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, categoryName, chosenIds, description, flag, formInt, formOption, id, search } from '../fields.ts';
import {
  functionFields,
  MODEL_MAX_BYTES,
  modelOfCategory,
  ownFunctionTypes,
  storedDefinition,
} from '../model/function-definition.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { functionsOrReferences } from './function-list.ts';

const category = '/iot-hub/admin/category';

const categoryRow = z.object({
  categoryId: z.string(),
  categoryName: z.string(),
  description: z.string(),
  /** 1: standard category of the platform; 0: custom category of a tenant. */
  standard: flag(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  propertyCount: z.int(),
  serviceCount: z.int(),
  eventCount: z.int(),
  /** Number of products visible to the caller that use the category. */
  productCount: z.int(),
  /** Increases with each change of the functions. */
  modelVersion: z.int(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type CategoryRow = z.output<typeof categoryRow>;

const openFunction = z.object({
  id: z.string(),
  categoryId: z.string(),
  categoryName: z.string(),
  signCode: z.string(),
  functionName: z.string(),
  functionType: z.literal(ownFunctionTypes),
  description: z.string(),
  functionDefinition: storedDefinition(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type OpenFunction = z.output<typeof openFunction>;

const changed = z.object({ modelVersion: z.int() });

export const categoryCalls = defineCalls({
  getCategoryList: {
    method: 'GET',
    path: `${category}/getCategoryList`,
    kind: 'query',
    access: 'category:list',
    summary: {
      zh_CN: '品类列表：标准品类和本租户的自定义品类；standard 区分二者',
      en_US: "List categories: standard ones and the tenant's custom ones, distinguished by standard",
    },
    input: z.object({
      ...paging,
      ...sorting,
      searchValue: search(),
      standard: blankable(flag()),
      tenancyId: blankable(id()),
    }),
    output: pageOf(categoryRow),
  },
  getCategoryDetails: {
    method: 'GET',
    path: `${category}/getCategoryDetails`,
    kind: 'query',
    access: 'category:list',
    summary: { zh_CN: '品类详情', en_US: 'Get a category' },
    input: z.object({ categoryId: id() }),
    output: categoryRow,
  },
  addCategory: {
    method: 'POST',
    path: `${category}/addCategory`,
    kind: 'mutation',
    access: 'category:write',
    summary: {
      zh_CN: '新建品类；平台租户的为标准品类。copyFrom（扩展）：从该品类复制全部功能',
      en_US:
        'Create a category; those of the platform tenant are standard. copyFrom (extension): copy the functions of that category',
    },
    input: z.object({
      categoryName: categoryName(),
      description: description().default(''),
      copyFrom: blankable(id()),
      tenancyId: blankable(id()),
    }),
    output: z.object({ categoryId: z.string() }),
  },
  updateCategory: {
    method: 'POST',
    path: `${category}/updateCategory`,
    kind: 'mutation',
    access: 'category:write',
    summary: { zh_CN: '修改品类', en_US: 'Update a category' },
    input: z.object({ categoryId: id(), categoryName: categoryName(), description: description().optional() }),
    output: z.null(),
  },
  deleteCategory: {
    method: 'DELETE',
    path: `${category}/deleteCategory`,
    kind: 'mutation',
    access: 'category:write',
    summary: { zh_CN: '删除没有产品使用的品类', en_US: 'Delete a category that no product uses' },
    input: z.object({ categoryId: id() }),
    output: z.null(),
    success: 'deleted',
  },
  deleteBatchCategory: {
    method: 'DELETE',
    path: `${category}/deleteBatchCategory`,
    kind: 'mutation',
    access: 'category:write',
    summary: { zh_CN: '批量删除品类，全部成功或全部不变', en_US: 'Delete categories, all or none' },
    input: z.object({ categoryIds: chosenIds('NO_CATEGORY', 'TOO_MANY_CATEGORIES') }),
    output: z.object({ deleted: z.int() }),
    success: 'deleted',
  },
  getOpenFunctions: {
    method: 'GET',
    path: `${category}/getOpenFunctions`,
    kind: 'query',
    access: 'category:list',
    summary: {
      zh_CN: '品类的功能，按其顺序；searchValue 匹配名称和标识符',
      en_US: 'List the functions of a category in order; searchValue matches name and identifier',
    },
    input: z.object({
      ...paging,
      categoryId: id(),
      searchValue: search(),
      functionType: blankable(formOption(ownFunctionTypes)),
    }),
    output: pageOf(openFunction),
  },
  addOpenFunctions: {
    method: 'PUT',
    path: `${category}/addOpenFunctions`,
    kind: 'mutation',
    access: 'category:write',
    summary: {
      zh_CN: '批量添加功能：完整的功能，或要复制的品类功能的 { id }；全部成功或全部不变',
      en_US: 'Add functions: complete ones, or { id } of a category function to copy; all or none',
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({ categoryId: id(), functions: functionsOrReferences() }),
    output: z.object({ modelVersion: z.int(), ids: z.array(z.string()) }),
  },
  addOpenFunction: {
    method: 'PUT',
    path: `${category}/addOpenFunction`,
    kind: 'mutation',
    access: 'category:write',
    summary: { zh_CN: '添加功能；categoryName 不起作用', en_US: 'Add a function; categoryName has no effect' },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({ categoryId: id(), categoryName: z.string().max(100).optional(), ...functionFields }),
    output: z.object({ modelVersion: z.int(), id: z.string() }),
  },
  updateOpenFunction: {
    method: 'POST',
    path: `${category}/updateOpenFunction`,
    kind: 'mutation',
    access: 'category:write',
    summary: { zh_CN: '修改功能；功能类型不变', en_US: 'Update a function; its type cannot change' },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      id: id(),
      categoryId: blankable(id()),
      signCode: functionFields.signCode,
      functionName: functionFields.functionName,
      description: description().optional(),
      functionDefinition: functionFields.functionDefinition,
    }),
    output: changed,
  },
  deleteOpenFunction: {
    method: 'DELETE',
    path: `${category}/deleteOpenFunction`,
    kind: 'mutation',
    access: 'category:write',
    summary: { zh_CN: '删除功能；产品中的副本不变', en_US: 'Delete a function; copies in products are not affected' },
    input: z.object({ id: id() }),
    output: changed,
    success: 'deleted',
  },
  saveOpenFunctions: {
    method: 'POST',
    path: `${category}/saveOpenFunctions`,
    kind: 'mutation',
    access: 'category:write',
    summary: {
      zh_CN: '扩展：以给出的列表替换品类的全部功能；modelVersion 不是当前版本时拒绝',
      en_US: 'Extension: replace all functions of the category; rejected if modelVersion is not the current version',
    },
    maxBytes: MODEL_MAX_BYTES,
    input: z.object({ categoryId: id(), modelVersion: formInt(1, 2_000_000_000), functions: modelOfCategory() }),
    output: changed,
  },
});
