import type { DataType, Param } from './data-type.ts';
import type { FunctionDefinition, FunctionWithId, OwnFunctionType } from './function-definition.ts';

/** Why a change breaks devices that implement the previous model. */
export const breakReasons = ['removed', 'renamed', 'type', 'narrowed', 'access', 'required'] as const;
export type BreakReason = (typeof breakReasons)[number];

export type Detail = {
  /** Path within the function, with parameters by identifier: `['input', 'level', 'dataType', 'max']`. */
  path: string[];
  before?: unknown;
  after?: unknown;
  breaks: BreakReason | null;
};

export type ModelChange = {
  kind: 'added' | 'removed' | 'changed';
  signCode: string;
  functionName: string;
  functionType: OwnFunctionType;
  breaking: boolean;
  details: Detail[];
};

export type ModelDifference = { changes: ModelChange[]; reordered: boolean };

type Values = Record<string, unknown>;

/** Break reason of a changed value, by key; other keys never break. */
const breaksOf: Record<string, (before: unknown, after: unknown) => BreakReason | null> = {
  signCode: () => 'renamed',
  functionType: () => 'type',
  type: () => 'type',
  callType: () => 'type',
  accessMode: (_before, after) => (after === 'rw' ? null : 'access'),
  required: (_before, after) => (after === true ? 'required' : null),
  min: (before, after) => narrowed(before, after, (was, is) => is > was),
  max: (before, after) => narrowed(before, after, (was, is) => is < was),
  length: (before, after) => narrowed(before, after, (was, is) => is < was),
  count: (before, after) => narrowed(before, after, (was, is) => is < was),
};

const numberOf = (limit: unknown): bigint | number =>
  typeof limit === 'string' ? BigInt(limit) : typeof limit === 'number' ? limit : Number.NaN;

/** A missing limit is wider than any limit. */
const narrowed = (
  before: unknown,
  after: unknown,
  tighter: (was: bigint | number, is: bigint | number) => boolean,
): BreakReason | null => {
  if (after === undefined) return null;
  return before === undefined || tighter(numberOf(before), numberOf(after)) ? 'narrowed' : null;
};

const same = (before: unknown, after: unknown): boolean => JSON.stringify(before) === JSON.stringify(after);

const plainDetails = (path: string[], before: Values, after: Values, keys: string[]): Detail[] =>
  keys
    .filter((key) => !same(before[key], after[key]))
    .map((key) => ({
      path: [...path, key],
      before: before[key],
      after: after[key],
      breaks: breaksOf[key]?.(before[key], after[key]) ?? null,
    }));

const byKey = <Item>(path: string[], before: Item[], after: Item[], keyOf: (item: Item) => string) => {
  const [old, now] = [before, after].map((list) => new Map(list.map((item) => [keyOf(item), item])));
  const removed = before.filter((item) => !now?.has(keyOf(item)));
  const added = after.filter((item) => !old?.has(keyOf(item)));
  const kept = after.flatMap((item) => {
    const was = old?.get(keyOf(item));
    return was === undefined ? [] : [{ was, item, path: [...path, keyOf(item)] }];
  });
  const keys = (list: Item[], others: Map<string, Item> | undefined) =>
    list.map(keyOf).filter((key) => others?.has(key));
  const [oldOrder, newOrder] = [keys(before, now), keys(after, old)];
  const moved: Detail[] = same(oldOrder, newOrder)
    ? []
    : [{ path: [...path, 'order'], before: oldOrder, after: newOrder, breaks: null }];
  return { removed, added, kept, moved };
};

const paramDetails = (path: string[], before: Param[], after: Param[]): Detail[] => {
  const { removed, added, kept, moved } = byKey(path, before, after, (entry) => entry.identifier);
  const removedDetails = removed.map(
    (entry): Detail => ({ path: [...path, entry.identifier], before: entry, after: undefined, breaks: 'removed' }),
  );
  const addedDetails = added.map(
    (entry): Detail => ({
      path: [...path, entry.identifier],
      before: undefined,
      after: entry,
      breaks: entry.required ? 'required' : null,
    }),
  );
  const changed = kept.flatMap(({ was, item, path: own }) => [
    ...plainDetails(own, was, item, ['name', 'required']),
    ...typeDetails([...own, 'dataType'], was.dataType, item.dataType),
  ]);
  return [...removedDetails, ...addedDetails, ...changed, ...moved];
};

const enumDetails = (path: string[], before: DataType & { type: 'enum' }, after: DataType & { type: 'enum' }) => {
  const { removed, added, kept, moved } = byKey(path, before.items, after.items, (item) => item.value);
  const line = (value: string, was: unknown, now: unknown, breaks: BreakReason | null): Detail => ({
    path: [...path, value],
    before: was,
    after: now,
    breaks,
  });
  return [
    ...removed.map((item) => line(item.value, item.description, undefined, 'narrowed')),
    ...added.map((item) => line(item.value, undefined, item.description, null)),
    ...kept
      .filter(({ was, item }) => was.description !== item.description)
      .map(({ was, item }) => line(item.value, was.description, item.description, null)),
    ...moved,
  ];
};

const typeDetails = (path: string[], before: DataType, after: DataType): Detail[] => {
  if (before.type !== after.type) return [{ path, before, after, breaks: 'type' }];
  if (before.type === 'enum' && after.type === 'enum') return enumDetails([...path, 'items'], before, after);
  if (before.type === 'json' && after.type === 'json')
    return paramDetails([...path, 'fields'], before.fields, after.fields);
  if (before.type === 'array' && after.type === 'array')
    return [
      ...plainDetails(path, before, after, ['count']),
      ...typeDetails([...path, 'element'], before.element, after.element),
    ];
  return plainDetails(path, before, after, ['min', 'max', 'step', 'unit', 'length', 'trueText', 'falseText']);
};

const paramsOf = (definition: FunctionDefinition, key: 'input' | 'output'): Param[] =>
  (definition as Partial<Record<typeof key, Param[]>>)[key] ?? [];

const definitionDetails = (before: FunctionDefinition, after: FunctionDefinition): Detail[] => [
  ...plainDetails([], before, after, ['accessMode', 'callType', 'eventType']),
  ...('dataType' in before && 'dataType' in after ? typeDetails(['dataType'], before.dataType, after.dataType) : []),
  ...(['input', 'output'] as const).flatMap((key) => paramDetails([key], paramsOf(before, key), paramsOf(after, key))),
];

const functionDetails = (before: FunctionWithId, after: FunctionWithId): Detail[] => {
  const own = plainDetails([], before, after, ['signCode', 'functionType', 'functionName', 'description']);
  if (before.functionType !== after.functionType) return own;
  return [...own, ...definitionDetails(before.functionDefinition, after.functionDefinition)];
};

const changeOf = (kind: ModelChange['kind'], entry: FunctionWithId, details: Detail[]): ModelChange => ({
  kind,
  signCode: entry.signCode,
  functionName: entry.functionName,
  functionType: entry.functionType,
  breaking: kind === 'removed' || details.some(({ breaks }) => breaks !== null),
  details,
});

/** Pairs functions by identifier, the remaining ones by id, so that a renamed function counts as changed. */
const pair = (before: FunctionWithId[], after: FunctionWithId[]): Map<FunctionWithId, FunctionWithId> => {
  const byCode = new Map(before.map((entry) => [entry.signCode, entry]));
  const pairs = new Map<FunctionWithId, FunctionWithId>();
  for (const entry of after) {
    const was = byCode.get(entry.signCode);
    if (was) pairs.set(entry, was);
  }
  const used = new Set(pairs.values());
  const byId = new Map(before.filter((entry) => entry.id && !used.has(entry)).map((entry) => [entry.id, entry]));
  for (const entry of after) {
    const was = entry.id === undefined || pairs.has(entry) ? undefined : byId.get(entry.id);
    if (was) pairs.set(entry, was);
  }
  return pairs;
};

/** Compares two models; marks changes that break devices that implement the first. */
export const compareModels = (before: FunctionWithId[], after: FunctionWithId[]): ModelDifference => {
  const pairs = pair(before, after);
  const kept = new Set(pairs.values());
  const changes = [
    ...before.filter((entry) => !kept.has(entry)).map((entry) => changeOf('removed', entry, [])),
    ...after.flatMap((entry) => {
      const was = pairs.get(entry);
      if (!was) return [changeOf('added', entry, [])];
      const details = functionDetails(was, entry);
      return details.length > 0 ? [changeOf('changed', entry, details)] : [];
    }),
  ];
  const oldOrder = before.filter((entry) => kept.has(entry));
  const newOrder = after.flatMap((entry) => pairs.get(entry) ?? []);
  return { changes, reordered: oldOrder.some((entry, index) => entry !== newOrder[index]) };
};

export const isBreaking = ({ changes }: ModelDifference): boolean => changes.some(({ breaking }) => breaking);
