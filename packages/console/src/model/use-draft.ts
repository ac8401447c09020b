import type { KeptFunction, ModelDifference } from '@device-center/contract';
import { useCallback, useEffect, useMemo, useReducer } from 'react';
import {
  type Draft,
  type DraftAction,
  type DraftEdit,
  differenceOf,
  draftOf,
  functionsOf,
  isDirty,
  reduceDraft,
} from './draft.ts';
import type { ModelSource } from './model-source.ts';
import { rebase } from './rebase.ts';

export type DraftHandle = {
  draft: Draft;
  functions: KeptFunction[];
  difference: ModelDifference;
  dirty: boolean;
  /** The version that the hub has by now, when it is not the one this draft began with. */
  newer: number | null;
  act: (action: DraftAction) => void;
  edit: (edit: DraftEdit) => void;
};

/** The model as it is being edited; takes over what the source has whenever that loses nothing. */
export const useDraft = (source: ModelSource): DraftHandle => {
  const [draft, act] = useReducer(reduceDraft, source, draftOf);
  const edit = useCallback((change: DraftEdit) => act({ do: 'edit', edit: change }), []);
  const functions = useMemo(() => functionsOf(draft), [draft]);
  const difference = useMemo(() => differenceOf(draft), [draft]);
  const dirty = isDirty(difference);
  const { modelVersion, functions: sourceFunctions } = source;
  const { base } = draft;
  useEffect(() => {
    // What the page has may be older than what was just saved.
    if (modelVersion < base.modelVersion || sourceFunctions === base.functions) return;
    const state = { functions: sourceFunctions, modelVersion };
    if (!dirty) act({ do: 'take', state });
    else if (modelVersion === base.modelVersion) {
      // The same model once more, now with the ids of what was just saved.
      act({ do: 'rebased', state, functions: rebase(base.functions, functions, sourceFunctions).functions });
    }
  }, [modelVersion, sourceFunctions, base, dirty, functions]);
  const newer = dirty && modelVersion > base.modelVersion ? modelVersion : null;
  return { draft, functions, difference, dirty, newer, act, edit };
};
