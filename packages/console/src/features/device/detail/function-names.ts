import { type MessageRow, modelCalls } from '@device-center/contract';
import i18next from 'i18next';
import { useCallback, useMemo } from 'react';
import { useCall } from '../../../api/use-call.ts';

/** By a function's sign code; what the model does not have is called by the code itself. */
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

/** What a message is about, by name. `*` is several at once: its value holds them all. */
export const functionWords = (
  { functionId, value }: Pick<MessageRow, 'functionId' | 'value'>,
  nameOf: NameOf,
): string => {
  if (functionId !== '*') return nameOf(functionId);
  const names = keysOf(value).map(nameOf);
  return names.length === 0 ? i18next.t('deviceDetail:several') : names.join(i18next.t('common:listSeparator'));
};
