import { MOCK_STEPS_MAX, type MockStep } from '@device-center/contract';
import { type Mock, playSequence, startRepeat } from '@device-center/virtual-device';
import { createStore, type StoreApi, useStore } from 'zustand';
import { usePanel } from '../panel-context.ts';

const PAUSE_MAX_MS = 3_600_000;

export type RepeatPlan = {
  deviceIds: readonly string[];
  /** If empty, all readable properties. */
  signCodes: readonly string[];
  everySeconds: number;
};

export type AutomationState = {
  plan: RepeatPlan;
  /** Number of messages sent by the running repetition; null if none is running. */
  repeated: number | null;
  steps: readonly MockStep[];
  /** The steps last saved on the hub. */
  kept: readonly MockStep[];
  recording: boolean;
  /** Index of the step that was sent last; -1 before the first. */
  playing: { place: number; loop: boolean } | null;
};

/** Repetition, recording and playback of a mock device while its panel is open, also while another tab is shown. */
const createAutomation = (mock: Mock, sequence: readonly MockStep[], before?: AutomationState) => {
  const store: StoreApi<AutomationState> = createStore<AutomationState>(() => ({
    plan: before?.plan ?? { deviceIds: [mock.device.deviceId], signCodes: [], everySeconds: 5 },
    repeated: null,
    // Keep recorded, unsaved steps when the mock is replaced or the page is opened again.
    steps: before && before.steps !== before.kept ? before.steps : sequence,
    kept: sequence,
    recording: false,
    playing: null,
  }));
  const { getState, setState } = store;
  let endRepeat = (): void => undefined;
  let endPlay = (): void => undefined;
  let endRecord = (): void => undefined;

  const stopRepeat = (): void => {
    endRepeat();
    setState({ repeated: null });
  };
  const stopPlaying = (): void => {
    endPlay();
    setState({ playing: null });
  };
  const stopRecording = (): void => {
    endRecord();
    setState({ recording: false });
  };

  mock.on('stopped', () => {
    stopRepeat();
    stopPlaying();
    stopRecording();
  });

  return {
    store,
    change: (change: Partial<RepeatPlan>): void => setState(({ plan }) => ({ plan: { ...plan, ...change } })),

    repeat: (): void => {
      const { deviceIds, signCodes, everySeconds } = getState().plan;
      stopRepeat();
      setState({ repeated: 0 });
      endRepeat = startRepeat(mock, {
        deviceIds: [...deviceIds],
        everyMs: everySeconds * 1_000,
        ...(signCodes.length > 0 ? { signCodes: [...signCodes] } : {}),
        onTurn: (sent) => setState(({ repeated }) => ({ repeated: (repeated ?? 0) + sent })),
      });
    },
    stopRepeat,

    /** Records every message sent from now on, with the pauses in between. */
    record: (): void => {
      stopPlaying();
      stopRecording();
      let before = Date.now();
      setState({ recording: true });
      endRecord = mock.on('said', (said) => {
        const { steps } = getState();
        const now = Date.now();
        const after = steps.length === 0 ? 0 : Math.min(PAUSE_MAX_MS, now - before);
        before = now;
        if (steps.length < MOCK_STEPS_MAX) setState({ steps: [...steps, { ...said, after }] });
        if (getState().steps.length >= MOCK_STEPS_MAX) stopRecording();
      });
    },
    stopRecording,

    write: (steps: readonly MockStep[]): void => {
      stopPlaying();
      setState({ steps });
    },
    /** Marks these steps as saved on the hub. */
    settle: (steps: readonly MockStep[]): void => setState({ kept: steps }),

    play: (loop: boolean): void => {
      stopRecording();
      stopPlaying();
      setState({ playing: { place: -1, loop } });
      endPlay = playSequence(mock, [...getState().steps], {
        loop,
        onStep: (place) => setState({ playing: { place, loop } }),
        onEnd: () => setState({ playing: null }),
      });
    },
    stopPlaying,
  };
};
export type Studio = ReturnType<typeof createAutomation>;

const studios = new Map<string, { mock: Mock; studio: Studio }>();

/** One instance per mock, so that it outlives the tab component. */
const studioOf = (mock: Mock, sequence: readonly MockStep[]): Studio => {
  const { deviceId } = mock.device;
  const known = studios.get(deviceId);
  if (known?.mock === mock) return known.studio;
  const studio = createAutomation(mock, sequence, known?.studio.store.getState());
  studios.set(deviceId, { mock, studio });
  return studio;
};

export const useStudio = (): Studio => {
  const { mock, details } = usePanel();
  return studioOf(mock, details.run.sequence);
};

export const useStudioState = (): AutomationState => useStore(useStudio().store);
