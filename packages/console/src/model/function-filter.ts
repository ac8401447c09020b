import { FunctionType, type OwnFunctionType } from '@device-center/contract';
import i18next from 'i18next';

export type KindFilter = 'all' | 'property' | 'service' | 'event';

const typeOf = {
  property: FunctionType.property,
  service: FunctionType.service,
  event: FunctionType.event,
} as const;

type Listed = { functionType: OwnFunctionType; functionName: string; signCode: string };

export const matches = (fn: Listed, kind: KindFilter, searchText: string): boolean => {
  if (kind !== 'all' && fn.functionType !== typeOf[kind]) return false;
  const wanted = searchText.trim().toLowerCase();
  return wanted === '' || fn.functionName.toLowerCase().includes(wanted) || fn.signCode.toLowerCase().includes(wanted);
};

/** Filter options: all, properties, services and events, each with its count. */
export const kindOptions = (
  count: (type: OwnFunctionType) => number,
  total: number,
): { value: KindFilter; label: string }[] => [
  { value: 'all', label: `${i18next.t('common:all')} ${total}` },
  { value: 'property', label: `${i18next.t('model:properties')} ${count(FunctionType.property)}` },
  { value: 'service', label: `${i18next.t('model:services')} ${count(FunctionType.service)}` },
  { value: 'event', label: `${i18next.t('model:events')} ${count(FunctionType.event)}` },
];
