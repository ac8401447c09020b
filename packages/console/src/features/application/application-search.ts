import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const applicationListSearch = listSearch({
  searchValue: textParam(),
  tenancyId: textParam(),
  enabled: optionParam([0, 1]),
});

/** A new application of this tenant. */
export const applicationFormSearch = z.object({ tenancyId: textParam() });
