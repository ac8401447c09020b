import * as fields from '../src/fields.ts';
import { categoryCalls } from '../src/http/category.ts';
import { modelCalls } from '../src/http/model.ts';
import { productCalls } from '../src/http/product.ts';
import { nodeTypeIds, productClassIds, protocolIds } from '../src/model/product-kinds.ts';
import { at, emptyOr, type Place, type Rule, refuse } from './rule-fixtures.ts';

const both = (slice: string, calls: string[], field: string): Place[] =>
  calls.map((call) => at(`${slice}.${call}`, field));

const CATEGORY = ['addCategory', 'updateCategory'];
const PRODUCT = ['addDeviceProduct', 'updateDeviceProduct'];

const option = (field: 'nodeType' | 'protocolId' | 'classId', ids: readonly number[], calls: string[]): Rule[] => [
  {
    rule: field,
    schema: fields.formOption(ids),
    places: both('product', calls, field),
    accepted: ids.map(String),
    refused: emptyOr('NOT_AN_OPTION', '0', '-1', String(ids.length + 1), 'x', '1.5', '1,2'),
  },
  {
    rule: `${field} to look for`,
    schema: fields.blankable(fields.formOption(ids)),
    places: [
      at('product.queryDeviceProductList', field),
      ...(field === 'classId' ? [] : [at('device.queryDeviceList', field)]),
    ],
    accepted: ['', ...ids.map(String)],
    refused: refuse('NOT_AN_OPTION', '0', String(ids.length + 1), 'x', ' '),
  },
];

const versionRefused = [
  ...refuse('NOT_A_NUMBER', 'x', '1.5', ' ', '0x1'),
  { value: '0', says: 'TOO_SMALL', limit: { minimum: 1 } } as const,
  { value: '2000000001', says: 'TOO_BIG', limit: { maximum: 2_000_000_000 } } as const,
];

/** Field rules of categories and products, and of selections of them. */
export const productRules: Rule[] = [
  {
    rule: 'category name',
    schema: fields.categoryName(),
    places: both('category', CATEGORY, 'categoryName'),
    accepted: ['abcd', '空调', '中ab', 'Air-conditioner', 'a'.repeat(30), '中'.repeat(15), '_-@()', '2024', '㐀㐀'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('CATEGORY_NAME', 'abc', '中', '中a', 'a'.repeat(31), '中'.repeat(16), `${'中'.repeat(15)}a`),
      ...refuse('CATEGORY_NAME', 'a b c', 'abcd!', 'abc.d', 'abcdé', '（空调）', 'abcd\n', 'abcd😀'),
    ],
  },
  {
    rule: 'category name that is only shown',
    schema: categoryCalls.addOpenFunction.input.shape.categoryName,
    places: [at('category.addOpenFunction', 'categoryName')],
    accepted: ['', '照明', 'x'.repeat(100)],
    refused: [{ value: 'x'.repeat(101), says: 'TOO_LONG', limit: { maximum: 100 } }],
  },
  {
    rule: 'description',
    schema: fields.description(),
    places: [
      ...both('category', [...CATEGORY, 'addOpenFunction', 'updateOpenFunction'], 'description'),
      ...both('product', PRODUCT, 'description'),
      ...both('model', ['addProductFunction', 'updateProductFunction'], 'description'),
    ],
    accepted: ['', ' ', 'a'.repeat(100), `${'中'.repeat(33)}a`, '😀'.repeat(25), 'é'.repeat(50), 'two\nlines', '<b>*/'],
    refused: [
      ...refuse('DESCRIPTION', 'a'.repeat(101), '中'.repeat(34), '😀'.repeat(26), 'é'.repeat(51)),
      ...refuse('INVALID', 'a\u0000b', '\u0000'),
    ],
  },
  {
    rule: 'product id',
    schema: fields.productId(),
    places: [],
    accepted: ['a', '7', 'P1a2b3c4', 'Z'.repeat(64)],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('PRODUCT_ID', 'a b', 'a-b', 'a_b', '产品', 'é', 'Z'.repeat(65), 'a\n', '１'),
    ],
  },
  ...option('nodeType', nodeTypeIds, ['addDeviceProduct']),
  ...option('protocolId', protocolIds, ['addDeviceProduct']),
  ...option('classId', productClassIds, PRODUCT),
  {
    rule: 'flag of a product',
    schema: fields.flag(),
    places: [
      ...both('product', PRODUCT, 'allowRegister'),
      ...both('product', PRODUCT, 'allowMd5'),
      at('product.addDeviceProduct', 'inheritFunctions'),
    ],
    accepted: ['0', '1', ' 1 '],
    refused: emptyOr('NOT_AN_OPTION', '2', '-1', 'true', 'on'),
  },
  {
    rule: 'icon',
    schema: productCalls.addDeviceProduct.input.shape.icon,
    places: both('product', PRODUCT, 'icon'),
    accepted: [''],
    refused: [
      ...refuse('INVALID', 'a-b', 'https://example.com/a.png', 'x'.repeat(65), '?pictureId=../../x', '\u0000'),
      { value: 'x'.repeat(201), says: 'TOO_LONG', limit: { maximum: 200 } },
    ],
  },
  {
    rule: 'function to change or delete',
    schema: fields.id(),
    places: [
      ...both('category', ['updateOpenFunction', 'deleteOpenFunction'], 'id'),
      ...both('model', ['updateProductFunction', 'deleteProductFunction'], 'id'),
    ].map((place) => ({ ...place, leadsTo: 'FUNCTION_NOT_FOUND' })),
    accepted: ['x', '中', 'x'.repeat(64), "' or 1=1 --"],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('INVALID', 'a\u0000'),
      { value: 'x'.repeat(65), says: 'TOO_LONG', limit: { maximum: 64 } },
    ],
  },
  {
    rule: 'category to copy',
    schema: fields.blankable(fields.id()),
    places: [at('category.addCategory', 'copyFrom', 'CATEGORY_NOT_FOUND')],
    accepted: ['x', 'x'.repeat(64)],
    refused: [...refuse('INVALID', 'a\u0000'), { value: 'x'.repeat(65), says: 'TOO_LONG', limit: { maximum: 64 } }],
  },
  {
    rule: 'version that a save starts from',
    schema: fields.formInt(1, 2_000_000_000),
    places: [
      at('model.saveProductModel', 'modelVersion', 'MODEL_CHANGED'),
      at('category.saveOpenFunctions', 'modelVersion', 'MODEL_CHANGED'),
      at('model.restoreModelVersion', 'version', 'MODEL_VERSION_NOT_FOUND'),
    ],
    accepted: ['700', '2000000000'],
    refused: [...emptyOr('NOT_A_NUMBER'), ...versionRefused],
  },
  {
    rule: 'version that a change may start from',
    schema: fields.blankable(fields.formInt(1, 2_000_000_000)),
    places: [
      'addProductFunction',
      'addProductFunctions',
      'updateProductFunction',
      'deleteProductFunction',
      'importProductModel',
      'restoreModelVersion',
    ].map((call) => at(`model.${call}`, 'modelVersion', 'MODEL_CHANGED')),
    accepted: ['700', '2000000000'],
    refused: versionRefused,
  },
  {
    rule: 'file to import',
    schema: modelCalls.importProductModel.input.shape.content,
    places: [at('model.importProductModel', 'content')],
    accepted: ['[]', '{"functions":[]}'],
    refused: refuse('NOT_A_MODEL', '', 'x', '7', 'null', '"[]"', '[1'),
  },
  {
    rule: 'how to import',
    schema: modelCalls.importProductModel.input.shape.mode,
    places: [at('model.importProductModel', 'mode')],
    accepted: ['replace', 'merge'],
    refused: emptyOr('NOT_AN_OPTION', 'Replace', 'append', 'constructor'),
  },
];
