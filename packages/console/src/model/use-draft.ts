import type { FunctionWithId, ModelDifference } from '@device-center/contract';
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
  functions: FunctionWithId[];
  difference: ModelDifference;
  dirty: boolean;
  /** The current version on the hub if it is newer than the base of a dirty draft. */
  newer: number | null;
  act: (action: DraftAction) => void;
  edit: (edit: DraftEdit) => void;
};

/** The draft of a model. Adopts the state of the source whenever no local edit is lost. */
export const useDraft = (source: ModelSource): DraftHandle => {
  const [draft, act] = useReducer(reduceDraft, source, draftOf);
  const edit = useCallback((change: DraftEdit) => act({ do: 'edit', edit: change }), []);
  const functions = useMemo(() => functionsOf(draft), [draft]);
  const difference = useMemo(() => differenceOf(draft), [draft]);
  const dirty = isDirty(difference);
  const { modelVersion, functions: sourceFunctions } = source;
  const { base } = draft;
  useEffect(() => {
    // The query data of the page may be older than the last save.
    if (modelVersion < base.modelVersion || sourceFunctions === base.functions) return;
    const state = { functions: sourceFunctions, modelVersion };
    if (!dirty) act({ do: 'adopt', state });
    else if (modelVersion === base.modelVersion) {
      // The same version, now with the ids of the functions that were just saved.
      act({ do: 'rebased', state, functions: rebase(base.functions, functions, sourceFunctions).functions });
    }
  }, [modelVersion, sourceFunctions, base, dirty, functions]);
  const newer = dirty && modelVersion > base.modelVersion ? modelVersion : null;
  return { draft, functions, difference, dirty, newer, act, edit };
};
