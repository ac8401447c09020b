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
  saved: readonly MockStep[];
  recording: boolean;
  /** Index of the step that was sent last; -1 before the first. */
  playing: { index: number; loop: boolean } | null;
};

/** Repetition, recording and playback of a mock device while its panel is open, also while another tab is shown. */
const createAutomation = (mock: Mock, sequence: readonly MockStep[], before?: AutomationState) => {
  const store: StoreApi<AutomationState> = createStore<AutomationState>(() => ({
    plan: before?.plan ?? { deviceIds: [mock.device.deviceId], signCodes: [], everySeconds: 5 },
    repeated: null,
    // Keep recorded, unsaved steps when the mock is replaced or the page is opened again.
    steps: before && before.steps !== before.saved ? before.steps : sequence,
    saved: sequence,
    recording: false,
    playing: null,
  }));
  const { getState, setState } = store;
  let cancelRepeat = (): void => undefined;
  let cancelPlay = (): void => undefined;
  let cancelRecord = (): void => undefined;

  const stopRepeat = (): void => {
    cancelRepeat();
    setState({ repeated: null });
  };
  const stopPlaying = (): void => {
    cancelPlay();
    setState({ playing: null });
  };
  const stopRecording = (): void => {
    cancelRecord();
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
      cancelRepeat = startRepeat(mock, {
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
      cancelRecord = mock.on('sent', (message) => {
        const { steps } = getState();
        const now = Date.now();
        const after = steps.length === 0 ? 0 : Math.min(PAUSE_MAX_MS, now - before);
        before = now;
        if (steps.length < MOCK_STEPS_MAX) setState({ steps: [...steps, { ...message, after }] });
        if (getState().steps.length >= MOCK_STEPS_MAX) stopRecording();
      });
    },
    stopRecording,

    write: (steps: readonly MockStep[]): void => {
      stopPlaying();
      setState({ steps });
    },
    /** Marks these steps as saved on the hub. */
    markSaved: (steps: readonly MockStep[]): void => setState({ saved: steps }),

    play: (loop: boolean): void => {
      stopRecording();
      stopPlaying();
      setState({ playing: { index: -1, loop } });
      cancelPlay = playSequence(mock, [...getState().steps], {
        loop,
        onStep: (index) => setState({ playing: { index, loop } }),
        onEnd: () => setState({ playing: null }),
      });
    },
    stopPlaying,
  };
};
export type Automation = ReturnType<typeof createAutomation>;

const automations = new Map<string, { mock: Mock; automation: Automation }>();

/** One instance per mock, so that it outlives the tab component. */
const automationFor = (mock: Mock, sequence: readonly MockStep[]): Automation => {
  const { deviceId } = mock.device;
  const known = automations.get(deviceId);
  if (known?.mock === mock) return known.automation;
  const automation = createAutomation(mock, sequence, known?.automation.store.getState());
  automations.set(deviceId, { mock, automation });
  return automation;
};

export const useAutomation = (): Automation => {
  const { mock, details } = usePanel();
  return automationFor(mock, details.run.sequence);
};

export const useAutomationState = (): AutomationState => useStore(useAutomation().store);
