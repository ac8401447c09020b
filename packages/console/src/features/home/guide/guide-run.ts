import { type MockDetails, MockRunMode, mockCalls, productCalls } from '@device-center/contract';
import { createStore } from 'zustand/vanilla';
import { ApiError } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { send } from '../../../api/send.ts';
import { can, currentSession } from '../../../api/session.ts';
import { changePreferences } from '../../../ui/preferences.ts';
import { ensureMock } from './create-mock.ts';
import { ensureProduct, type ResourceStore } from './create-product.ts';
import { previewOf, shownSignCode } from './device-preview.ts';
import { commandDevice, waitUntilStored } from './first-command.ts';
import { type GuideState, initialState, notConnected, type StepStatus, statusOfError } from './guide-state.ts';
import { type MockSession, shownProfile, startMockSession } from './mock-session.ts';
import { removeResources } from './remove-resources.ts';
import { clearResources, type GuideResources, loadResources, saveResources } from './resources.ts';
import { missingMenuFor, type StepId } from './step-permissions.ts';
import { type Template, type TemplateId, templates } from './templates.ts';

const HUB_INTERVAL_S = 5;

let queue: Promise<void> = Promise.resolve();
/** Runs one task at a time over all cards of the tab, so that a new card finds what the previous one is creating. */
const runExclusive = (work: () => Promise<void>): Promise<void> => {
  queue = queue.then(work, work);
  return queue;
};

const withAbort = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> => {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
};

const ownUserId = (): string => currentSession()?.userId ?? '';

/** Only a 404 counts: a hub that does not answer may still have them. */
const areResourcesGone = async ({ product, device }: GuideResources): Promise<boolean> => {
  try {
    if (product) await send(productCalls.getDeviceProductDetails, { productId: product.id });
    if (device) await send(mockCalls.getMockDeviceDetails, { deviceId: device.id });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
};

/**
 * State and actions of the guide: its resources, the status of each step, and the mock device that this page runs.
 * Calls `onResourcesChanged` after it has created or removed objects.
 */
export const createGuideRun = (onResourcesChanged: () => void) => {
  const store = createStore<GuideState>(() => initialState(loadResources(ownUserId())));
  let abortController = new AbortController();
  let session: MockSession | null = null;
  let details: MockDetails | null = null;

  const setStatus = (id: StepId, status: StepStatus): void =>
    store.setState(({ statuses }) => ({ statuses: { ...statuses, [id]: status } }));
  const stateOf = (id: StepId): StepStatus['state'] => store.getState().statuses[id].state;
  const failStep = (id: StepId, error: unknown): void => {
    if (error instanceof ApiError && error.status === 401) announceFailure(error);
    setStatus(id, statusOfError(error));
  };

  const resourceStore: ResourceStore = {
    read: () => {
      const { resources } = store.getState();
      if (!resources) throw new Error('no template chosen');
      return resources;
    },
    write: (change) => {
      const resources = { ...resourceStore.read(), ...change };
      saveResources(resources);
      store.setState({ resources });
    },
  };
  const template = (): Template => templates[resourceStore.read().template];

  const closeSession = async (): Promise<void> => {
    const open = session;
    session = null;
    store.setState({ online: false });
    await open?.stop();
  };

  const updatePreview = (): void => {
    if (session && details) store.setState({ preview: previewOf(details, template(), session) });
  };

  const onConnectionLost = (reason: string): void => {
    if (!session) return;
    void closeSession();
    store.setState(({ connection }) => ({
      connection: { ...connection, connect: 'failed', subscribe: 'waiting' },
      childrenOnline: 0,
    }));
    setStatus('online', { state: 'failed', reason });
    if (stateOf('command') !== 'done') setStatus('command', { state: 'waiting' });
  };

  const goOnline = async (signal: AbortSignal): Promise<void> => {
    if (session || !details) return;
    store.setState({ ...notConnected, childrenTotal: details.children.length });
    session = await startMockSession({
      details,
      template: template(),
      onConnectionStep: (step, ok) =>
        store.setState(({ connection }) => ({ connection: { ...connection, [step]: ok ? 'done' : 'failed' } })),
      onChild: () => store.setState(({ childrenOnline }) => ({ childrenOnline: childrenOnline + 1 })),
      onMessageSent: updatePreview,
      onLost: onConnectionLost,
    });
    signal.throwIfAborted();
    await withAbort(signal, session.goOnline());
    store.setState({ online: true });
  };

  const reportFirst = async (signal: AbortSignal): Promise<void> => {
    if (!session || !details) return;
    await withAbort(signal, session.sendFirstReport());
    if (can('device:read'))
      await withAbort(signal, waitUntilStored(shownProfile(details).deviceId, shownSignCode(template())));
    updatePreview();
    session?.wander();
  };

  const steps: [StepId, (signal: AbortSignal) => Promise<void>][] = [
    ['product', () => ensureProduct(resourceStore)],
    [
      'mock',
      async () => {
        details = await ensureMock(resourceStore);
      },
    ],
    ['online', goOnline],
    ['value', reportFirst],
  ];

  /** Runs a step. Returns whether the next one may follow. */
  const runStep = async ([id, work]: (typeof steps)[number], signal: AbortSignal): Promise<boolean> => {
    const menuId = missingMenuFor(id);
    if (menuId !== null) {
      setStatus(id, { state: 'blocked', menuId, reason: '' });
      return false;
    }
    const previousState = stateOf(id);
    if (previousState !== 'done') setStatus(id, { state: 'running' });
    try {
      await work(signal);
      if (previousState !== 'done') onResourcesChanged();
      setStatus(id, { state: 'done' });
      return !signal.aborted;
    } catch (error) {
      // A connection that was lost meanwhile is already shown as failed.
      if (!signal.aborted && stateOf('online') !== 'failed') failStep(id, error);
      if (id === 'online' || signal.aborted) await closeSession();
      return false;
    }
  };

  const offerCommand = (): void => {
    const menuId = missingMenuFor('command');
    if (menuId !== null) setStatus('command', { state: 'blocked', menuId, reason: '' });
    else setStatus('command', { state: resourceStore.read().answer ? 'done' : 'ready' });
  };

  const runSteps = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted || !store.getState().resources) return;
    for (const step of steps) if (!(await runStep(step, signal))) return;
    offerCommand();
  };

  const resume = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const resources = loadResources(ownUserId());
    store.setState(initialState(resources));
    if (!resources) return;
    if (!(await areResourcesGone(resources))) return runSteps(signal);
    clearResources();
    store.setState({ ...initialState(null), resourcesGone: true });
  };

  const reset = async (): Promise<void> => {
    await closeSession();
    clearResources();
    details = null;
    store.setState(initialState(null));
  };

  return {
    store,
    open: (): void => {
      abortController = new AbortController();
      const { signal } = abortController;
      void runExclusive(() => resume(signal));
    },
    close: (): void => {
      abortController.abort();
      void runExclusive(closeSession);
    },
    choose: (chosen: TemplateId): void => {
      if (store.getState().resources) return;
      const resources: GuideResources = { userId: ownUserId(), template: chosen, intended: {}, runsInHub: false };
      saveResources(resources);
      store.setState(initialState(resources));
      const { signal } = abortController;
      void runExclusive(() => runSteps(signal));
    },
    retry: (): void => {
      const { signal } = abortController;
      void runExclusive(() => runSteps(signal));
    },
    sendCommand: async (): Promise<void> => {
      const { preview } = store.getState();
      if (!session || !details || !preview || !['ready', 'done', 'failed'].includes(stateOf('command'))) return;
      setStatus('command', { state: 'running' });
      const { signCode, next } = template().command;
      try {
        const value = next(session.currentValue(details.deviceId, signCode));
        const costMs = await commandDevice(details.deviceId, signCode, value);
        resourceStore.write({ answer: { name: preview.next.name, value: preview.next.text, costMs } });
        setStatus('command', { state: 'done' });
        changePreferences({ guide: 'done' });
      } catch (error) {
        failStep('command', error);
      }
      updatePreview();
    },
    /** The hub takes over when this page disconnects the device. */
    keepRunning: async (): Promise<void> => {
      const { device } = resourceStore.read();
      const run = { runInHub: 1, mode: MockRunMode.wander, everySeconds: HUB_INTERVAL_S } as const;
      await send(mockCalls.saveMockRun, { deviceId: device?.id ?? '', ...run }, { as: 'json' });
      resourceStore.write({ runsInHub: true });
    },
    remove: async (): Promise<void> => {
      await closeSession();
      try {
        await removeResources(resourceStore);
      } finally {
        onResourcesChanged();
      }
      await reset();
    },
    startOver: (): Promise<void> => runExclusive(reset),
  };
};
export type GuideRun = ReturnType<typeof createGuideRun>;
