import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const applicationListSearch = listSearch({
  searchValue: textParam(),
  tenancyId: textParam(),
  enabled: optionParam([0, 1]),
});

/** Preselects the tenant of a new application. */
export const applicationFormSearch = z.object({ tenancyId: textParam() });
