import type { FunctionWithId, ModelEffect } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.ts';
import { announceSuccess } from '../api/feedback.ts';
import type { ModelSource, ModelState } from './model-source.ts';
import { rejectedIndex } from './problems.ts';
import type { DraftHandle } from './use-draft.ts';

type SaveOptions = {
  source: ModelSource;
  handle: DraftHandle;
  /** Validates the model before it is sent. Returns the problem or null. */
  check: () => string | null;
  /** A change of this value clears the error, in addition to a change of the draft. */
  changed: unknown;
  /** Opens the function that the hub rejected. */
  onRefused: (index: number) => void;
};

const needsConsent = ({ changes, deviceCount, breaking }: ModelEffect): boolean =>
  changes.length > 0 && (deviceCount > 0 || breaking);

/** Saves the model: validate, preview the effect on devices, confirm, save, and merge if another user saved first. */
export const useSave = ({ source, handle, check, changed, onRefused }: SaveOptions) => {
  const { t } = useTranslation('model');
  const { draft, functions, act } = handle;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [effect, setEffect] = useState<ModelEffect | null>(null);
  const [theirs, setTheirs] = useState<ModelState | null>(null);

  // The error of the last attempt does not apply to later changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change clears the error.
  useEffect(() => setProblem(null), [functions, changed]);

  const failed = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'MODEL_CHANGED') return setTheirs(await source.reload());
    setProblem(error.message);
    const index = rejectedIndex(error.details);
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
      const preview = source.preview ? await source.preview(functions) : null;
      if (preview && needsConsent(preview)) setEffect(preview);
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
    /** Fetches the version that another user saved, to merge it. */
    fetchTheirs: () => guarded(async () => setTheirs(await source.reload())),
    merged: (state: ModelState, merged: FunctionWithId[]) => {
      act({ do: 'rebased', state, functions: merged });
      setTheirs(null);
      setProblem(null);
      announceSuccess(t('mergeDone', { version: state.modelVersion }));
    },
    cancelMerge: () => setTheirs(null),
  };
};
