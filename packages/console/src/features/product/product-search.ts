import { type ExportFormat, nodeTypeIds, productClassIds, protocolIds } from '@device-center/contract';
import { z } from 'zod';
import { deviceParams } from '../../filters/device-params.ts';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const productListSearch = listSearch({
  searchValue: textParam(),
  categoryId: textParam(),
  nodeType: optionParam(nodeTypeIds),
  protocolId: optionParam(protocolIds),
  classId: optionParam(productClassIds),
  tenancyId: textParam(),
  /** Table by default. */
  view: z.literal('cards').optional().catch(undefined),
});
export type ProductListSearch = z.output<typeof productListSearch>;

/** With a product id: edit it; otherwise create one with this category and tenant. */
export const productFormSearch = z.object({ productId: textParam(), categoryId: textParam(), tenancyId: textParam() });

export const productTabs = ['information', 'model', 'versions', 'devices', 'code'] as const;
export type ProductTab = (typeof productTabs)[number];

// Not imported: the contract's list would pull in the model calls, and this module is loaded before login.
const formats = ['json', 'tsl', 'jsonSchema', 'typescript', 'cHeader'] as const satisfies readonly ExportFormat[];

const versionParam = () => z.coerce.number<number>().int().min(1).max(2_000_000_000).optional().catch(undefined);

export const productDetailSearch = listSearch({
  /** Parameters of the devices tab. */
  ...deviceParams,
  /** A tab of this page or one added by another feature. */
  tab: z.string().max(32).catch('information').default('information'),
  /** Two versions to compare. */
  from: versionParam(),
  to: versionParam(),
  /** Version whose functions are shown. */
  version: versionParam(),
  format: z.enum(formats).catch('json').default('json'),
});
export type ProductDetailSearch = z.output<typeof productDetailSearch>;

/** Changes search parameters. A function gets those of the URL, which may be newer than the rendered ones. */
export type ChangeSearch = (
  change: Partial<ProductDetailSearch> | ((current: ProductDetailSearch) => Partial<ProductDetailSearch>),
) => void;
