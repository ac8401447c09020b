import { type MessageRow, modelCalls } from '@device-center/contract';
import i18next from 'i18next';
import { useCallback, useMemo } from 'react';
import { useCall } from '../../../api/use-call.ts';

/** The name of a function by its sign code; the code itself if the model lacks the function. */
export type NameOf = (signCode: string) => string;

export const useFunctionNames = (productId: string): NameOf => {
  const { data } = useCall(modelCalls.getDeviceFunctionDefinitionList, { productId }, { staleTime: 60_000 });
  const names = useMemo(() => new Map(data?.map(({ signCode, functionName }) => [signCode, functionName])), [data]);
  return useCallback((signCode) => names.get(signCode) ?? signCode, [names]);
};

const keysOf = (json: string): string[] => {
  try {
    const value: unknown = JSON.parse(json);
    if (Array.isArray(value)) return value.filter((key) => typeof key === 'string');
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  } catch {
    return [];
  }
};

/** The names of the functions in a message. `*` stands for several, which are the keys of its value. */
export const functionText = (
  { functionId, value }: Pick<MessageRow, 'functionId' | 'value'>,
  nameOf: NameOf,
): string => {
  if (functionId !== '*') return nameOf(functionId);
  const names = keysOf(value).map(nameOf);
  return names.length === 0 ? i18next.t('deviceDetail:several') : names.join(i18next.t('common:listSeparator'));
};
