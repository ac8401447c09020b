import type { CategoryRow } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const categoryListSearch = listSearch({
  searchValue: textParam(),
  standard: optionParam([0, 1]),
  tenancyId: textParam(),
});

/** With a category, edit it; else a new one, of this tenant, from the functions of that one. */
export const categoryFormSearch = z.object({
  categoryId: textParam(),
  tenancyId: textParam(),
  copyFrom: textParam(),
});

/** A tenant's own category serves products of that tenant alone. */
export const forNewProduct = ({ categoryId, standard, tenancyId }: CategoryRow): Record<string, string> =>
  standard === 1 ? { categoryId } : { categoryId, tenancyId };
