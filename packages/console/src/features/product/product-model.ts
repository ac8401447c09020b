import { type FunctionWithId, modelCalls, type ProductRow, productCalls } from '@device-center/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { readConsistently, storedFunctionOf } from '../../api/read-model.ts';
import { send } from '../../api/send.ts';
import { keyOf } from '../../api/use-call.ts';
import type { ModelState } from '../../model/model-source.ts';

export const readProductModel = async (productId: string): Promise<ModelState> => {
  const { owner, functions } = await readConsistently<ProductRow, FunctionWithId[]>(
    () => send(productCalls.getDeviceProductDetails, { productId }),
    async () => (await send(modelCalls.getDeviceFunctionDefinitionList, { productId })).map(storedFunctionOf),
  );
  return { functions, modelVersion: owner.modelVersion };
};

/** Fetched once and after mutations of the feature, but not on window focus: a model being edited must not change. */
export const useProductModel = (productId: string): UseQueryResult<ModelState, ApiError> =>
  useQuery<ModelState, ApiError>({
    queryKey: [...keyOf(modelCalls.getDeviceFunctionDefinitionList, { productId }), 'whole'],
    queryFn: () => readProductModel(productId),
    staleTime: Number.POSITIVE_INFINITY,
  });
