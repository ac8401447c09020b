import { z } from 'zod';
import { listSearch, textParam } from '../../ui/list-search.ts';

export const versionListSearch = listSearch({
  searchValue: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
});
export type VersionListSearch = z.output<typeof versionListSearch>;

/** Preselects the product of a new version. */
export const versionFormSearch = z.object({ productId: textParam() });
