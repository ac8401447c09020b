import { bareFunction, type FunctionWithId } from '@device-center/contract';

export type MergeSide = 'mine' | 'theirs';

/** Both users changed the same function differently. null: the function does not exist in that version. */
export type Conflict = {
  key: string;
  base: FunctionWithId | null;
  mine: FunctionWithId | null;
  theirs: FunctionWithId | null;
};

export type Rebased = {
  /** Merged functions. A conflict without a choice uses their version. */
  functions: FunctionWithId[];
  conflicts: Conflict[];
};

const same = (one: FunctionWithId | null, other: FunctionWithId | null): boolean => {
  if (one === null || other === null) return one === other;
  return JSON.stringify(bareFunction(one)) === JSON.stringify(bareFunction(other));
};

/**
 * Stored functions are matched by id. A function without an id matches the stored one with its identifier, unless that
 * one is in the same list under another identifier.
 */
const keysOf = (list: FunctionWithId[], idByIdentifier: ReadonlyMap<string, string>): string[] => {
  const own = new Set(list.map(({ id }) => id));
  return list.map(({ id, signCode }) => {
    const known = idByIdentifier.get(signCode);
    if (id !== undefined) return id;
    return known === undefined || own.has(known) ? `new ${signCode}` : known;
  });
};

const idsByIdentifier = (lists: FunctionWithId[][]): Map<string, string> =>
  new Map(lists.flat().flatMap(({ id, signCode }) => (id === undefined ? [] : [[signCode, id] as const])));

/** The order of the first list; keys that only the second list has are inserted after their predecessor there. */
const mergedOrder = (first: string[], second: string[]): string[] => {
  const order = [...first];
  const present = new Set(first);
  for (const [index, key] of second.entries()) {
    if (present.has(key)) continue;
    const neighbour = second
      .slice(0, index)
      .reverse()
      .find((word) => present.has(word));
    order.splice(neighbour === undefined ? 0 : order.indexOf(neighbour) + 1, 0, key);
    present.add(key);
  }
  return order;
};

const isReordered = (before: string[], after: string[]): boolean => {
  const [old, now] = [new Set(before), new Set(after)];
  const remaining = after.filter((key) => old.has(key));
  return before.filter((key) => now.has(key)).some((key, index) => key !== remaining[index]);
};

const withId = (fn: FunctionWithId, id: string | undefined): FunctionWithId => {
  const { id: _id, ...rest } = fn;
  return (id === undefined ? rest : { ...rest, id }) as FunctionWithId;
};

type Versions = [FunctionWithId | null, FunctionWithId | null, FunctionWithId | null];

/**
 * Rebases my changes onto another user's. A function changed by one user is taken from that user. A function changed
 * by both is a conflict, unless both made the same change.
 */
export const rebase = (
  base: FunctionWithId[],
  mine: FunctionWithId[],
  theirs: FunctionWithId[],
  choices: ReadonlyMap<string, MergeSide> = new Map(),
): Rebased => {
  // If an identifier has two ids, the last one counts: the current id on the hub.
  const known = idsByIdentifier([mine, base, theirs]);
  const keyed = (list: FunctionWithId[]) => {
    const keys = keysOf(list, known);
    return { keys, byKey: new Map(keys.map((key, index) => [key, list[index] as FunctionWithId])) };
  };
  const [baseVersion, mineVersion, theirsVersion] = [keyed(base), keyed(mine), keyed(theirs)];
  const order = isReordered(baseVersion.keys, mineVersion.keys)
    ? mergedOrder(mineVersion.keys, theirsVersion.keys)
    : mergedOrder(theirsVersion.keys, mineVersion.keys);
  const conflicts: Conflict[] = [];
  const functions = order.flatMap((key) => {
    const [before, ours, now] = [baseVersion, mineVersion, theirsVersion].map(
      ({ byKey }) => byKey.get(key) ?? null,
    ) as Versions;
    const conflicting = !same(ours, before) && !same(now, before) && !same(ours, now);
    if (conflicting) conflicts.push({ key, base: before, mine: ours, theirs: now });
    const takeMine = conflicting ? choices.get(key) === 'mine' : !same(ours, before);
    const taken = takeMine ? ours : now;
    // An id that was deleted on the hub cannot be saved again.
    return taken ? [withId(taken, now?.id)] : [];
  });
  return { functions, conflicts };
};
