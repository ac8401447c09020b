import { z } from 'zod';
import { listSearch, textParam } from '../../ui/list-search.ts';

export const versionListSearch = listSearch({
  searchValue: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
});
export type VersionListSearch = z.output<typeof versionListSearch>;

/** The product that a new version is for. */
export const versionFormSearch = z.object({ productId: textParam() });
