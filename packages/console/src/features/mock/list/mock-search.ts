import { nodeTypeIds } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../../ui/list-search.ts';

export const mockListSearch = listSearch({
  searchValue: textParam(),
  nodeType: optionParam(nodeTypeIds),
  online: optionParam([1, 2]),
  tenancyId: textParam(),
  /** Cards by default. */
  view: z.literal('table').optional().catch(undefined),
});
export type MockListSearch = z.output<typeof mockListSearch>;
