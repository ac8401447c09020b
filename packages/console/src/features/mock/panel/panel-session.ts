import type { MockDetails } from '@device-center/contract';
import { createMock, type Mock, type PendingCall } from '@device-center/virtual-device';
import { createStore } from 'zustand';
import type { LoggedMessage } from './message-entry.ts';
import { connectionLost, initialProgress, type Progress, stepEnded, stepStarted } from './step-progress.ts';

/** Longer than the minute to which browsers may throttle the timers of hidden tabs. */
const KEEP_ALIVE_S = 120;
/** Short delays, because a user is watching: after a restart of the hub the device is back quickly. */
const BACKOFF = { first: 1_000, max: 2_000, slow: 300_000 };
/** MQTT 5: session taken over. */
const TAKEN_OVER = 0x8e;

export type SessionState = {
  /** True from "go online" to "go offline", also while reconnecting. */
  running: boolean;
  online: boolean;
  progress: Progress;
  /** Time of the next attempt; null if none is scheduled. */
  nextTryAt: number | null;
  /** Another client has taken over the session. */
  replaced: boolean;
  mounted: readonly string[];
  pending: readonly PendingCall[];
};

type SessionOptions = {
  details: MockDetails;
  onMessage: (passed: LoggedMessage) => void;
  /** The previous mock, whose faults, settings and mounted children are copied. */
  before?: Mock | undefined;
};

const copySettings = (mock: Mock, before: Mock): void => {
  mock.arm(before.faults);
  Object.assign(mock.answering, before.answering);
  for (const deviceId of mock.deviceIds.filter((id) => before.deviceIds.includes(id)))
    mock.setUpgradeFault(deviceId, before.upgradeOf(deviceId).fault);
  for (const deviceId of before.mounted()) if (mock.deviceIds.includes(deviceId)) mock.mount(deviceId);
};

/** Runs the mock device in this page. Does nothing before start(). */
export const createPanelSession = ({ details, onMessage, before }: SessionOptions) => {
  const mock = createMock({
    hubUrl: location.origin,
    transport: 'ws',
    keepAlive: KEEP_ALIVE_S,
    backoff: BACKOFF,
    details,
  });
  if (before) copySettings(mock, before);
  const { device } = mock;
  const store = createStore<SessionState>(() => ({
    running: false,
    online: false,
    progress: initialProgress,
    nextTryAt: null,
    replaced: false,
    mounted: mock.mounted(),
    pending: [],
  }));
  const change = (next: (state: SessionState) => Partial<SessionState>): void => store.setState(next);
  /** Completes when the previous stop has finished; a start waits for it. */
  let previousStop: Promise<void> = Promise.resolve();

  const start = (): void => {
    if (store.getState().running) return;
    change(() => ({ running: true, replaced: false, progress: stepStarted(initialProgress, { step: 'login' }) }));
    void previousStop.then(() => {
      // The promise rejects if the user goes offline before the device is online, which is not a failure.
      if (store.getState().running) device.start().catch(() => undefined);
    });
  };

  const stop = (): void => {
    if (!store.getState().running) return;
    change(({ progress, replaced }) => ({
      running: false,
      nextTryAt: null,
      progress: replaced ? progress : initialProgress,
    }));
    previousStop = mock
      .stop()
      .then(() => change(({ replaced, progress }) => ({ progress: replaced ? progress : initialProgress })));
  };

  device.on('trying', (step) => change(({ progress }) => ({ nextTryAt: null, progress: stepStarted(progress, step) })));
  device.on('step', (step) => change(({ progress }) => ({ progress: stepEnded(progress, step, Date.now()) })));
  device.on('online', () => change(() => ({ online: true })));
  device.on('offline', (ending) => {
    const replaced = ending.reasonCode === TAKEN_OVER;
    change(({ progress }) => ({ online: false, replaced, progress: connectionLost(progress, ending, Date.now()) }));
    // Do not reconnect: two clients with the same id would replace each other forever.
    if (replaced) stop();
  });
  device.on('waiting', ({ delay }) => change(() => ({ nextTryAt: Date.now() + delay })));
  device.on('message', ({ direction, envelope }) => onMessage({ at: Date.now(), direction, envelope }));
  device.on('ignored', ({ reason, envelope }) => {
    if (envelope) onMessage({ at: Date.now(), direction: 'down', envelope, ignored: reason });
  });
  mock.on('mounted', (mounted) => change(() => ({ mounted })));
  mock.on('pending', (pending) => change(() => ({ pending })));

  return { mock, store, start, stop };
};

export type PanelSession = ReturnType<typeof createPanelSession>;
