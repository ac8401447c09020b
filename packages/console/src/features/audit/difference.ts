import type { AuditRow } from '@device-center/contract';

export type Json = AuditRow['before'];

export type Difference =
  | { field: string; kind: 'added'; after: Json }
  | { field: string; kind: 'removed'; before: Json }
  | { field: string; kind: 'changed'; before: Json; after: Json };

type Branch = Record<string, Json>;

const isBranch = (value: Json | undefined): value is Branch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists of plain values, such as menu ids, are read as a whole; lists of objects item by item. */
const branchOf = (value: Json | undefined): Branch | undefined => {
  if (Array.isArray(value)) return value.some(isBranch) ? Object.fromEntries(value.entries()) : undefined;
  return isBranch(value) ? value : undefined;
};

const isEmptyBranch = (value: Json | undefined): boolean => {
  const branch = branchOf(value);
  return branch !== undefined && Object.keys(branch).length === 0;
};

const same = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right);

const compare = (field: string, before: Json | undefined, after: Json | undefined): Difference[] => {
  const [was, is] = [branchOf(before), branchOf(after)];
  if ((was || before === undefined) && (is || after === undefined) && (was || is)) return within(was, is, field);
  if (before === undefined) return after === undefined ? [] : [{ field, kind: 'added', after }];
  if (after === undefined) return [{ field, kind: 'removed', before }];
  return same(before, after) ? [] : [{ field, kind: 'changed', before, after }];
};

const within = (before: Branch = {}, after: Branch = {}, prefix = ''): Difference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    compare(prefix === '' ? key : `${prefix}.${key}`, before[key], after[key]),
  );

/** Which fields an entry added, changed or removed. An entry may have no before (created) or no after (deleted). */
export const differencesOf = (before: Json, after: Json): Difference[] =>
  within(
    isBranch(before) && !isEmptyBranch(before) ? before : {},
    isBranch(after) && !isEmptyBranch(after) ? after : {},
  );
