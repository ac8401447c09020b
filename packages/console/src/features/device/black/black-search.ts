import { listSearch, textParam } from '../../../ui/list-search.ts';

export const blackListSearch = listSearch({
  searchValue: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
});
