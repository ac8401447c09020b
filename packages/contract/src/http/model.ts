import { z } from 'zod';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, description, formInt, id } from '../fields.ts';
import { breakReasons } from '../model/difference.ts';
import {
  functionFields,
  MODEL_MAX_BYTES,
  modelOfProduct,
  ownFunctionTypes,
  storedDefinition,
} from '../model/function-definition.ts';
import { modelContent } from '../model/model-file.ts';
import { functionsOrReferences } from './function-list.ts';

const product = '/iot-hub/admin/device/product';

/** Number of model versions that are stored. */
export const MODEL_VERSIONS_KEPT = 20;

const productFunction = z.object({
  id: z.string(),
  productId: z.string(),
  signCode: z.string(),
  functionName: z.string(),
  functionType: z.literal(ownFunctionTypes),
  description: z.string(),
  functionDefinition: storedDefinition(),
});
export type ProductFunction = z.output<typeof productFunction>;

const detail = z.object({
  path: z.array(z.string()),
  /** Omitted if there was no value before, or is none after. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  breaks: z.enum(breakReasons).nullable(),
});

const difference = z.object({
  changes: z.array(
    z.object({
      kind: z.enum(['added', 'removed', 'changed']),
      signCode: z.string(),
      functionName: z.string(),
      functionType: z.literal(ownFunctionTypes),
      breaking: z.boolean(),
      details: z.array(detail),
    }),
  ),
  reordered: z.boolean(),
});

/** Effect of a model change on existing devices. */
const effect = z.object({ ...difference.shape, deviceCount: z.int(), breaking: z.boolean() });
export type ModelEffect = z.output<typeof effect>;

const changed = z.object({ modelVersion: z.int(), deviceCount: z.int() });

const version = () => formInt(1, 2_000_000_000);
/** Version on which the change is based; rejected if the model has changed since. Without it, the last save wins. */
const basedOn = () => blankable(version());

const versionRow = z.object({
  modelVersion: z.int(),
  /** Number of added, removed and changed functions, and the version that was restored, if any. */
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  restoredFrom: z.int().nullable(),
  functionCount: z.int(),
  creator: z.string(),
  createTime: z.string(),
});
export type ModelVersionRow = z.output<typeof versionRow>;

export const exportFormats = ['json', 'tsl', 'jsonSchema', 'typescript', 'cHeader'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const modelCalls = defineCalls({
  getDeviceFunctionDefinitionList: {
    method: 'GET',
    path: `${product}/getDeviceFunctionDefinitionList`,
    kind: 'query',
    access: 'product:list',
    summary: { zh_CN: '产品的功能，按其顺序', en_US: 'List the functions of a product in order' },
    input: z.object({ productId: id() }),
    output: z.array(productFunction),
  },
  addProductFunctions: {
    method: 'PUT',
    path: `${product}/addProductFunctions`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '批量添加功能：完整的功能，或要复制的品类功能的 { id }；全部成功或全部不变',
      en_US: 'Add functions: complete ones, or { id } of a category function to copy; all or none',
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({ productId: id(), functions: functionsOrReferences(), modelVersion: basedOn() }),
    output: z.object({ ...changed.shape, ids: z.array(z.string()) }),
  },
  addProductFunction: {
    method: 'PUT',
    path: `${product}/addProductFunction`,
    kind: 'mutation',
    access: 'product:write',
    summary: { zh_CN: '添加功能', en_US: 'Add a function' },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({ productId: id(), ...functionFields, modelVersion: basedOn() }),
    output: z.object({ ...changed.shape, id: z.string() }),
  },
  updateProductFunction: {
    method: 'POST',
    path: `${product}/updateProductFunction`,
    kind: 'mutation',
    access: 'product:write',
    summary: { zh_CN: '修改功能；功能类型不变', en_US: 'Update a function; its type cannot change' },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      id: id(),
      productId: blankable(id()),
      signCode: functionFields.signCode,
      functionName: functionFields.functionName,
      functionType: blankable(functionFields.functionType),
      description: description().optional(),
      functionDefinition: functionFields.functionDefinition,
      modelVersion: basedOn(),
    }),
    output: changed,
  },
  deleteProductFunction: {
    method: 'DELETE',
    path: `${product}/deleteProductFunction`,
    kind: 'mutation',
    access: 'product:write',
    summary: { zh_CN: '删除功能', en_US: 'Delete a function' },
    input: z.object({ id: id(), modelVersion: basedOn() }),
    output: changed,
    success: 'deleted',
  },
  saveProductModel: {
    method: 'POST',
    path: `${product}/saveProductModel`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '扩展：以给出的列表替换产品的全部功能；modelVersion 不是当前版本时拒绝',
      en_US: 'Extension: replace all functions of the product; rejected if modelVersion is not the current version',
    },
    maxBytes: MODEL_MAX_BYTES,
    input: z.object({ productId: id(), modelVersion: version(), functions: modelOfProduct() }),
    output: changed,
  },
  previewProductModel: {
    method: 'POST',
    path: `${product}/previewProductModel`,
    kind: 'query',
    access: 'product:write',
    summary: {
      zh_CN: '扩展：保存这些功能会改变什么、涉及多少设备、哪些改动会使其失效；不作任何修改',
      en_US:
        'Extension: preview what saving these functions changes, the number of affected devices and breaking changes',
    },
    maxBytes: MODEL_MAX_BYTES,
    input: z.object({ productId: id(), functions: modelOfProduct() }),
    output: effect,
  },
  importProductModel: {
    method: 'POST',
    path: `${product}/importProductModel`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '扩展：导入本平台导出的 JSON 或 TSL；mode 为 replace（替换）或 merge（合并）',
      en_US: 'Extension: import an exported model or TSL; mode is replace or merge',
    },
    maxBytes: MODEL_MAX_BYTES,
    input: z.object({
      productId: id(),
      /** File content, as JSON or text: an export of this platform, a list of functions, or TSL. */
      content: modelContent(),
      mode: z.enum(['replace', 'merge']).default('replace'),
      modelVersion: basedOn(),
    }),
    output: z.object({
      ...changed.shape,
      changes: difference.shape.changes,
      notes: z.array(z.object({ place: z.string(), text: z.string() })),
    }),
  },
  exportProductModel: {
    method: 'GET',
    path: `${product}/exportProductModel`,
    kind: 'query',
    access: 'product:list',
    summary: {
      zh_CN: '扩展：下载物模型：json、tsl、jsonSchema、typescript 或 cHeader；version 为所保留的版本之一',
      en_US: 'Extension: download a stored version of the model as json, tsl, jsonSchema, typescript or cHeader',
    },
    input: z.object({
      productId: id(),
      format: z.enum(exportFormats).default('json'),
      modelVersion: blankable(version()),
    }),
    answersFile: true,
    output: z.null(),
  },
  getModelVersions: {
    method: 'GET',
    path: `${product}/getModelVersions`,
    kind: 'query',
    access: 'product:list',
    summary: {
      zh_CN: '扩展：所保留的物模型版本，新的在前',
      en_US: 'Extension: list the stored versions of a model, newest first',
    },
    input: z.object({ productId: id() }),
    output: z.array(versionRow),
  },
  getModelVersion: {
    method: 'GET',
    path: `${product}/getModelVersion`,
    kind: 'query',
    access: 'product:list',
    summary: { zh_CN: '扩展：物模型某个版本的功能', en_US: 'Extension: get the functions of a version' },
    input: z.object({ productId: id(), modelVersion: version() }),
    output: z.object({
      ...versionRow.shape,
      functions: z.array(z.object({ id: z.string().optional(), ...functionFields })),
    }),
  },
  compareModelVersions: {
    method: 'GET',
    path: `${product}/compareModelVersions`,
    kind: 'query',
    access: 'product:list',
    summary: { zh_CN: '扩展：两个版本之间的差异', en_US: 'Extension: compare two versions' },
    input: z.object({ productId: id(), from: version(), to: version() }),
    output: effect,
  },
  restoreModelVersion: {
    method: 'POST',
    path: `${product}/restoreModelVersion`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '扩展：回到早先的版本；得到内容相同的新版本',
      en_US: 'Extension: restore an earlier version, as a new version with the same content',
    },
    input: z.object({ productId: id(), version: version(), modelVersion: basedOn() }),
    output: changed,
  },
});
