import {
  compareModels,
  type Language,
  type SyncEffect,
  type SyncedDevice,
  type SyncedModel,
  type SyncItem,
  type SyncItemResult,
  syncedDevice,
  syncedModel,
} from '@device-center/contract';
import { hashOf } from './sync.items.ts';
import { reasonText } from './sync.reason.ts';

type Values = Record<string, unknown>;

/** Not compared as plain fields: versions and categories are local to an installation, the others are compared apart. */
const NOT_COMPARED = ['modelVersion', 'categoryName', 'functions', 'values'];

const isSame = (one: unknown, other: unknown): boolean => hashOf({ value: one }) === hashOf({ value: other });

const plainOf = (content: Values): Values =>
  Object.fromEntries(Object.entries(content).filter(([key]) => !NOT_COMPARED.includes(key)));

const valuesOf = ({ values = [] }: Partial<SyncedDevice>): Values =>
  Object.fromEntries(values.map(({ signCode, value }) => [`values.${signCode}`, value]));

const fieldsOf = (before: Values, after: Values): SyncEffect['fields'] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !isSame(before[field], after[field]))
    .map((field) => ({
      field,
      ...(field in before ? { before: before[field] } : {}),
      ...(field in after ? { after: after[field] } : {}),
    }));

const functionsOf = (before: Partial<SyncedModel>, after: SyncedModel): SyncEffect['functions'] =>
  compareModels(before.functions ?? [], after.functions).changes;

const difference = ({ kind, content }: SyncItem, present: unknown): Pick<SyncEffect, 'fields' | 'functions'> => {
  const read = (kind === 'model' ? syncedModel : syncedDevice).safeParse(present);
  if (!read.success) return { fields: [], functions: [] };
  const [before, after] = [read.data as Values, content as Values];
  const fields = fieldsOf({ ...plainOf(before), ...valuesOf(before) }, { ...plainOf(after), ...valuesOf(after) });
  return { fields, functions: kind === 'model' ? functionsOf(before, content as SyncedModel) : [] };
};

/** What sending an item would do, by the receiver's answer. Its `present` content is foreign and needs validation. */
export const effectOf = (item: SyncItem, answer: SyncItemResult, language: Language): SyncEffect => {
  const { result, code, params, message, present } = answer;
  const changes = { ...difference(item, present) };
  const isEqual = result === 'changed' && present && changes.fields.length === 0 && changes.functions.length === 0;
  return {
    change: isEqual ? 'same' : result,
    reason: result === 'refused' ? reasonText({ code, params, message }, language) : '',
    reasonCode: result === 'refused' ? code : '',
    ...changes,
  };
};
