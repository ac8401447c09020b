import type { CategoryRow } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const categoryListSearch = listSearch({
  searchValue: textParam(),
  standard: optionParam([0, 1]),
  tenancyId: textParam(),
});

/** `categoryId` edits a category. Without it, `tenancyId` and `copyFrom` preselect tenant and origin of a new one. */
export const categoryFormSearch = z.object({
  categoryId: textParam(),
  tenancyId: textParam(),
  copyFrom: textParam(),
});

/** Only products of its own tenant can use a custom category, so the form gets the tenant too. */
export const forNewProduct = ({ categoryId, standard, tenancyId }: CategoryRow) =>
  standard === 1 ? { categoryId } : { categoryId, tenancyId };
