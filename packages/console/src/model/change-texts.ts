import { type DataType, type Detail, FunctionType, type Param } from '@device-center/contract';
import i18next from 'i18next';
import { dataTypeText, functionTypeText } from './function-texts.ts';

const labelled = [
  'signCode',
  'functionType',
  'functionName',
  'description',
  'accessMode',
  'callType',
  'eventType',
  'dataType',
  'min',
  'max',
  'step',
  'unit',
  'length',
  'count',
  'trueText',
  'falseText',
  'name',
  'required',
  'order',
] as const;
type Labelled = (typeof labelled)[number];

const isLabelled = (key: string): key is Labelled => labelled.some((known) => known === key);
const labelOf = (key: string): string => (isLabelled(key) ? i18next.t(`model:${key}`) : key);

const listOf = { input: 'inputParam', output: 'outputParam', fields: 'field' } as const;
const isList = (key: string): key is keyof typeof listOf => Object.hasOwn(listOf, key);

/**
 * The path of a detail, outermost first. A parameter may be named `input` or `max` like a key of the model, so the
 * meaning of a step depends on the previous one: after a list comes an identifier.
 */
export const pathTexts = ({ path, before, after }: Detail): string[] => {
  const words: string[] = [];
  const isOrder = (index: number) =>
    path[index] === 'order' && index === path.length - 1 && Array.isArray(before) && Array.isArray(after);
  for (let index = 0; index < path.length; index++) {
    const step = path[index] ?? '';
    const last = index === path.length - 1;
    if (isList(step) || step === 'items') {
      index++;
      const within = path[index] ?? '';
      if (isOrder(index)) words.push(i18next.t(`model:${step}`), i18next.t('model:order'));
      else if (step === 'items') words.push(i18next.t('model:item', { value: within }));
      else words.push(`${i18next.t(`model:${listOf[step]}`)} ${within}`);
    } else if (step === 'element') words.push(i18next.t('model:element'));
    else if (step !== 'dataType' || last) words.push(labelOf(step));
  }
  return words;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const choices = {
  accessMode: ['rw', 'r', 'w'],
  callType: ['sync', 'async'],
  eventType: ['info', 'call', 'alarm'],
} as const;

type Choice = (typeof choices)[keyof typeof choices][number];

const choiceOf = (key: string, value: unknown): Choice | undefined =>
  Object.hasOwn(choices, key)
    ? (choices[key as keyof typeof choices] as readonly Choice[]).find((known) => known === value)
    : undefined;

const ownTypes = [FunctionType.property, FunctionType.event, FunctionType.service] as const;

const paramText = (param: Param): string => {
  const need = i18next.t(param.required ? 'model:required' : 'model:optional');
  return `${param.name} (${dataTypeText(param.dataType)}, ${need})`;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Text of a value of the model: `r` is "Read-only", a data type includes its limits. */
export const valueText = (key: string, value: unknown): string => {
  if (value === undefined || value === null || value === '') return i18next.t('model:none');
  const choice = choiceOf(key, value);
  if (choice) return i18next.t(`model:${choice}`);
  const type = key === 'functionType' ? ownTypes.find((known) => known === value) : undefined;
  if (type) return functionTypeText(type);
  if (typeof value === 'boolean') return i18next.t(value ? 'model:yes' : 'model:no');
  if (Array.isArray(value)) return value.map(textOf).join(i18next.t('model:listSeparator'));
  // Both come from compareModels, whose input models are validated.
  if (isObject(value) && 'identifier' in value) return paramText(value as Param);
  if (isObject(value) && 'type' in value) return dataTypeText(value as DataType);
  return textOf(value);
};

const breakKeys = {
  removed: 'breakRemoved',
  renamed: 'breakRenamed',
  type: 'breakType',
  narrowed: 'breakNarrowed',
  access: 'breakAccess',
  required: 'breakRequired',
} as const;

export const breakReasonText = (reason: NonNullable<Detail['breaks']>): string =>
  i18next.t(`model:${breakKeys[reason]}`);
