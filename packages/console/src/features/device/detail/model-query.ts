import { bareFunction, type FunctionWithId, type ModelFunction, modelCalls } from '@device-center/contract';
import { useMemo } from 'react';
import { useCall } from '../../../api/use-call.ts';

/** The functions of the device's product, in model order. */
export const useFunctions = (productId: string) => {
  const query = useCall(modelCalls.getDeviceFunctionDefinitionList, { productId }, { staleTime: 60_000 });
  const { data } = query;
  const functions = useMemo(
    (): ModelFunction[] | undefined => data?.map((entry) => bareFunction(entry as FunctionWithId)),
    [data],
  );
  return { data: functions, error: query.error, refetch: query.refetch };
};

export type PropertyFunction = ModelFunction & { functionType: 1 };
export const isProperty = (entry: ModelFunction): entry is PropertyFunction => entry.functionType === 1;
