import type { KeptFunction, ModelEffect } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.ts';
import { announceSuccess } from '../api/feedback.ts';
import type { ModelSource, ModelState } from './model-source.ts';
import { refusedIndex } from './problems.ts';
import type { DraftHandle } from './use-draft.ts';

type SaveOptions = {
  source: ModelSource;
  handle: DraftHandle;
  /** Looks at everything before it is sent; tells what is wrong. */
  check: () => string | null;
  /** Whatever else than the draft may have been mended. */
  changed: unknown;
  /** Shows the function that the hub refuses. */
  onRefused: (index: number) => void;
};

const needsConsent = ({ changes, deviceCount, breaking }: ModelEffect): boolean =>
  changes.length > 0 && (deviceCount > 0 || breaking);

/** Save: check, ask what it does to devices, have that confirmed, save; and what to do when somebody was faster. */
export const useSave = ({ source, handle, check, changed, onRefused }: SaveOptions) => {
  const { t } = useTranslation('model');
  const { draft, functions, act } = handle;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [effect, setEffect] = useState<ModelEffect | null>(null);
  const [theirs, setTheirs] = useState<ModelState | null>(null);

  // What was said of the last try is not said of what has been changed since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change takes the sentence away.
  useEffect(() => setProblem(null), [functions, changed]);

  const failed = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'MODEL_CHANGED') return setTheirs(await source.reload());
    setProblem(error.message);
    const index = refusedIndex(error.details);
    if (index !== undefined) onRefused(index);
  };
  const guarded = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work().catch(failed);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    } finally {
      setBusy(false);
    }
  };
  const send = async () => {
    const { modelVersion } = await source.save(functions, draft.base.modelVersion);
    setEffect(null);
    act({ do: 'saved', state: { functions, modelVersion } });
    announceSuccess(t('saved', { version: modelVersion }));
  };
  const save = () => {
    const wrong = check();
    if (wrong !== null) return Promise.resolve(setProblem(wrong));
    return guarded(async () => {
      const told = source.preview ? await source.preview(functions) : null;
      if (told && needsConsent(told)) setEffect(told);
      else await send();
    });
  };
  return {
    busy,
    problem,
    effect,
    theirs,
    save,
    confirm: () =>
      guarded(async () => {
        await send().finally(() => setEffect(null));
      }),
    cancel: () => setEffect(null),
    /** Somebody else has saved meanwhile: fetch it, so that it can be merged. */
    fetchTheirs: () => guarded(async () => setTheirs(await source.reload())),
    merged: (state: ModelState, merged: KeptFunction[]) => {
      act({ do: 'rebased', state, functions: merged });
      setTheirs(null);
      setProblem(null);
      announceSuccess(t('mergeDone', { version: state.modelVersion }));
    },
    cancelMerge: () => setTheirs(null),
  };
};
