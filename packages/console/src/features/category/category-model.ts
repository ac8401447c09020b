import { CATEGORY_FUNCTIONS_MAX, type CategoryRow, categoryCalls, type FunctionWithId } from '@device-center/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { readConsistently, storedFunctionOf } from '../../api/read-model.ts';
import { send } from '../../api/send.ts';
import { keyOf } from '../../api/use-call.ts';
import type { ModelState } from '../../model/model-source.ts';

export const readCategoryModel = async (categoryId: string): Promise<ModelState> => {
  const { owner, functions } = await readConsistently<CategoryRow, FunctionWithId[]>(
    () => send(categoryCalls.getCategoryDetails, { categoryId }),
    async () =>
      (await send(categoryCalls.getOpenFunctions, { categoryId, pageSize: CATEGORY_FUNCTIONS_MAX })).list.map(
        storedFunctionOf,
      ),
  );
  return { functions, modelVersion: owner.modelVersion };
};

/** Read once, and again after a mutation of categories. It is never refetched on focus: that would change an edited model. */
export const useCategoryModel = (categoryId: string): UseQueryResult<ModelState, ApiError> =>
  useQuery<ModelState, ApiError>({
    queryKey: [...keyOf(categoryCalls.getOpenFunctions, { categoryId }), 'whole'],
    queryFn: () => readCategoryModel(categoryId),
    staleTime: Number.POSITIVE_INFINITY,
  });
