import { type DataType, FunctionType, type ModelFunction, type OwnFunctionType } from '@device-center/contract';
import i18next from 'i18next';

export const kindKeys = { 1: 'property', 22: 'event', 32: 'service' } as const;

export const functionTypeText = (type: OwnFunctionType): string => i18next.t(`model:${kindKeys[type]}`);

const SHOWN_ITEMS = 3;

type Limits = {
  min?: number | string | undefined;
  max?: number | string | undefined;
  step?: number | string | undefined;
  unit?: string | undefined;
};

const isNegative = (limit: number | string): boolean => String(limit).startsWith('-');

/** With negative limits the dash gets spaces, so that it is not read as a minus sign. */
const spanText = (min: number | string, max: number | string): string =>
  isNegative(min) || isNegative(max) ? `${min} – ${max}` : `${min}–${max}`;

const rangeText = ({ min, max }: Limits): string => {
  if (min !== undefined && max !== undefined) return spanText(min, max);
  if (min !== undefined) return `≥ ${min}`;
  return max === undefined ? '' : `≤ ${max}`;
};

const numberText = (type: 'integer' | 'long' | 'double', limits: Limits): string => {
  const words = [i18next.t(`model:${type}`), rangeText(limits), limits.unit ?? ''].filter((word) => word !== '');
  const step = limits.step === undefined ? [] : [i18next.t('model:summaryStep', { step: limits.step })];
  return [words.join(' '), ...step].join(', ');
};

const enumText = (items: { description: string }[]): string => {
  const shown = items.slice(0, SHOWN_ITEMS).map(({ description }) => description);
  const names = { items: shown.join(i18next.t('model:listSeparator')), count: items.length };
  return i18next.t(items.length > SHOWN_ITEMS ? 'model:summaryEnumMore' : 'model:summaryEnum', names);
};

/** `Integer 0–100 %, step 1` */
export const dataTypeText = (type: DataType): string => {
  switch (type.type) {
    case 'integer':
    case 'long':
    case 'double':
      return numberText(type.type, type);
    case 'enum':
      return enumText(type.items);
    case 'boolean': {
      const { trueText, falseText } = type;
      if (trueText === undefined && falseText === undefined) return i18next.t('model:boolean');
      return i18next.t('model:summaryBoolean', { trueText: trueText ?? 'true', falseText: falseText ?? 'false' });
    }
    case 'string':
      return i18next.t('model:summaryString', { length: type.length });
    case 'json':
      return i18next.t('model:summaryJson', { count: type.fields.length });
    case 'array':
      return i18next.t('model:summaryArray', { count: type.count, element: dataTypeText(type.element) });
  }
};

/** Summary of a definition: the data type of a property, or the number of parameters. */
export const definitionText = (entry: ModelFunction): string => {
  if (entry.functionType === FunctionType.property) return dataTypeText(entry.functionDefinition.dataType);
  if (entry.functionType === FunctionType.event)
    return i18next.t('model:summaryOutput', { output: entry.functionDefinition.output.length });
  const { input, output } = entry.functionDefinition;
  return i18next.t('model:summaryParams', { input: input.length, output: output.length });
};

/** Access mode of a property, call type of a service, or event type. */
export const modeText = (entry: ModelFunction): string => {
  if (entry.functionType === FunctionType.property) return i18next.t(`model:${entry.functionDefinition.accessMode}`);
  if (entry.functionType === FunctionType.event) return i18next.t(`model:${entry.functionDefinition.eventType}`);
  return i18next.t(`model:${entry.functionDefinition.callType}`);
};
