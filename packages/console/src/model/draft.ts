import { compareModels, type FunctionWithId, type ModelDifference } from '@device-center/contract';
import type { ModelState } from './model-source.ts';
import { uniqueIdentifier } from './unique-identifier.ts';

/** The key does not change when the function does, so that React keeps the row. */
export type DraftEntry = { key: string; fn: FunctionWithId };

export type Draft = {
  /** The last known state of the hub: changes are computed against it. */
  base: ModelState;
  entries: DraftEntry[];
  past: DraftEntry[][];
  future: DraftEntry[][];
};

/** Edits of the functions; each can be undone. */
export type DraftEdit =
  | { do: 'add'; functions: FunctionWithId[]; after?: string }
  | { do: 'change'; key: string; fn: FunctionWithId }
  | { do: 'remove'; key: string }
  | { do: 'duplicate'; key: string }
  | { do: 'move'; key: string; target: string; side: 'before' | 'after' }
  | { do: 'replaceAll'; functions: FunctionWithId[] };

export type DraftAction =
  | { do: 'edit'; edit: DraftEdit }
  | { do: 'undo' | 'redo' | 'discard' }
  /** The hub has stored this state; edits made during the request are not part of it. */
  | { do: 'saved'; state: ModelState }
  /** Replaces the draft with the state of the hub. */
  | { do: 'adopt'; state: ModelState }
  /** Replaces base and functions after local edits were merged with a newer state of the hub. */
  | { do: 'rebased'; state: ModelState; functions: FunctionWithId[] };

const UNDO_STEPS = 50;

let lastKey = 0;
const newKey = (): string => {
  lastKey += 1;
  return `function-${lastKey}`;
};
const entryOf = (fn: FunctionWithId): DraftEntry => ({ key: newKey(), fn });

export const functionsOf = (draft: Draft): FunctionWithId[] => draft.entries.map(({ fn }) => fn);

/** Entries for a list of functions. Functions that existed before keep their key. */
const entriesFor = (functions: FunctionWithId[], present: DraftEntry[]): DraftEntry[] => {
  const byId = new Map(present.flatMap((entry) => (entry.fn.id === undefined ? [] : [[entry.fn.id, entry] as const])));
  const byCode = new Map(present.map((entry) => [entry.fn.signCode, entry]));
  const used = new Set<string>();
  return functions.map((fn) => {
    const was = (fn.id === undefined ? undefined : byId.get(fn.id)) ?? byCode.get(fn.signCode);
    if (!was || used.has(was.key)) return entryOf(fn);
    used.add(was.key);
    return { key: was.key, fn };
  });
};

export const draftOf = (state: ModelState): Draft => ({
  base: { functions: state.functions, modelVersion: state.modelVersion },
  entries: state.functions.map(entryOf),
  past: [],
  future: [],
});

const copyOf = ({ id: _id, ...fn }: FunctionWithId, entries: DraftEntry[]): FunctionWithId => {
  const taken = new Set(entries.map((entry) => entry.fn.signCode));
  const signCode = uniqueIdentifier(fn.signCode, taken);
  return { ...fn, signCode } as FunctionWithId;
};

const insertAfter = (entries: DraftEntry[], key: string | undefined, fresh: DraftEntry[]): DraftEntry[] => {
  const index = entries.findIndex((entry) => entry.key === key);
  return index < 0 ? [...entries, ...fresh] : entries.toSpliced(index + 1, 0, ...fresh);
};

const edited = (entries: DraftEntry[], action: DraftEdit): DraftEntry[] => {
  switch (action.do) {
    case 'add':
      return insertAfter(entries, action.after, action.functions.map(entryOf));
    case 'change':
      return entries.map((entry) =>
        // The hub may have assigned the id while the function was being edited.
        entry.key === action.key ? { ...entry, fn: { ...action.fn, id: entry.fn.id } } : entry,
      );
    case 'remove':
      return entries.filter((entry) => entry.key !== action.key);
    case 'duplicate': {
      const original = entries.find((entry) => entry.key === action.key);
      if (!original) return entries;
      return insertAfter(entries, action.key, [entryOf(copyOf(original.fn, entries))]);
    }
    case 'move': {
      const moving = entries.find((entry) => entry.key === action.key);
      const rest = entries.filter((entry) => entry.key !== action.key);
      const target = rest.findIndex((entry) => entry.key === action.target);
      if (!moving || target < 0) return entries;
      return rest.toSpliced(action.side === 'before' ? target : target + 1, 0, moving);
    }
    case 'replaceAll':
      return entriesFor(action.functions, entries);
  }
};

const withEntries = (draft: Draft, entries: DraftEntry[]): Draft => ({
  ...draft,
  entries,
  past: [...draft.past, draft.entries].slice(-UNDO_STEPS),
  future: [],
});

const withBase = (draft: Draft, base: ModelState, entries: DraftEntry[]): Draft => ({
  ...draft,
  base: { functions: base.functions, modelVersion: base.modelVersion },
  entries,
  past: [],
  future: [],
});

export const reduceDraft = (draft: Draft, action: DraftAction): Draft => {
  switch (action.do) {
    case 'undo': {
      const before = draft.past.at(-1);
      if (!before) return draft;
      return { ...draft, entries: before, past: draft.past.slice(0, -1), future: [draft.entries, ...draft.future] };
    }
    case 'redo': {
      const [after, ...future] = draft.future;
      return after ? { ...draft, entries: after, past: [...draft.past, draft.entries], future } : draft;
    }
    case 'discard':
      return withEntries(draft, entriesFor(draft.base.functions, draft.entries));
    case 'saved':
      return withBase(draft, action.state, draft.entries);
    case 'adopt':
      return withBase(draft, action.state, entriesFor(action.state.functions, draft.entries));
    case 'rebased':
      return withBase(draft, action.state, entriesFor(action.functions, draft.entries));
    case 'edit':
      return withEntries(draft, edited(draft.entries, action.edit));
  }
};

export const differenceOf = (draft: Draft): ModelDifference => compareModels(draft.base.functions, functionsOf(draft));

export const isDirty = ({ changes, reordered }: ModelDifference): boolean => changes.length > 0 || reordered;

/**
 * Assigns ids to a list without them, such as edited JSON. A function with the same identifier and type keeps its id.
 * An unmatched function with the same position and type counts as renamed.
 */
export const keepIds = (present: FunctionWithId[], read: FunctionWithId[]): FunctionWithId[] => {
  const identityOf = (fn: FunctionWithId) => `${fn.functionType} ${fn.signCode}`;
  const byIdentity = new Map(present.map((fn) => [identityOf(fn), fn]));
  const readIdentities = new Set(read.map(identityOf));
  return read.map((fn, index) => {
    const there = present[index];
    const renamed =
      there && there.functionType === fn.functionType && !readIdentities.has(identityOf(there)) ? there : undefined;
    const was = byIdentity.get(identityOf(fn)) ?? renamed;
    return was?.id === fn.id || was?.id === undefined ? fn : { ...fn, id: was.id };
  });
};
