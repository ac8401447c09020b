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
  /** As a table unless said otherwise. */
  view: z.literal('cards').optional().catch(undefined),
});
export type ProductListSearch = z.output<typeof productListSearch>;

/** With a product, edit it; else a new one, of this category and tenant. */
export const productFormSearch = z.object({ productId: textParam(), categoryId: textParam(), tenancyId: textParam() });

export const productTabs = ['information', 'model', 'versions', 'devices', 'code'] as const;
export type ProductTab = (typeof productTabs)[number];

// By hand, as the contract's own list would bring the calls of the model with it, and this is loaded before log-in.
const formats = ['json', 'tsl', 'jsonSchema', 'typescript', 'cHeader'] as const satisfies readonly ExportFormat[];

const versionParam = () => z.coerce.number<number>().int().min(1).max(2_000_000_000).optional().catch(undefined);

export const productDetailSearch = listSearch({
  /** Of the tab of devices. */
  ...deviceParams,
  /** One of the page's own, or one that another slice brings. */
  tab: z.string().max(32).catch('information').default('information'),
  /** Two versions to compare. */
  from: versionParam(),
  to: versionParam(),
  /** The version whose functions are shown. */
  version: versionParam(),
  format: z.enum(formats).catch('json').default('json'),
});
export type ProductDetailSearch = z.output<typeof productDetailSearch>;

/** Changes search parameters. A function gets the address's current ones, which may be newer than those on the screen. */
export type ChangeSearch = (
  change: Partial<ProductDetailSearch> | ((current: ProductDetailSearch) => Partial<ProductDetailSearch>),
) => void;
