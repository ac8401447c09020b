import type { z } from 'zod';
import { listSearch, textParam } from '../../../ui/list-search.ts';

export const blackListSearch = listSearch({
  searchValue: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
});
export type BlackListSearch = z.output<typeof blackListSearch>;

export const blackListPath = '/productConfig/blackDeviceList';
