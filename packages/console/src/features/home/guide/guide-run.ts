import { type MockDetails, MockRunMode, mockCalls, productCalls } from '@device-center/contract';
import { createStore } from 'zustand/vanilla';
import { ApiError } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { send } from '../../../api/send.ts';
import { can, currentSession } from '../../../api/session.ts';
import { changePreferences } from '../../../ui/preferences.ts';
import { ensureMock } from './create-mock.ts';
import { ensureProduct, type Notes } from './create-product.ts';
import { faceOf, shownSignCode } from './device-preview.ts';
import { commandDevice, untilStored } from './first-command.ts';
import { freshState, type GuideState, noLink, type Tick, tickOf } from './guide-state.ts';
import { openSession, type Session, shownUnit } from './mock-session.ts';
import { removeMade } from './remove-resources.ts';
import { forgetMade, keepMade, type Made, readMade } from './resources.ts';
import { missingFor, type StepId } from './step-permissions.ts';
import { type Template, type TemplateId, templates } from './templates.ts';

const HUB_EVERY_S = 5;

let last: Promise<void> = Promise.resolve();
/** One after the other, over all cards of the tab: what one is still making, the next one finds. */
const inTurn = (work: () => Promise<void>): Promise<void> => {
  last = last.then(work, work);
  return last;
};

const untilAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> => {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
};

const ownUserId = (): string => currentSession()?.userId ?? '';

/** Only a plain no counts: a hub that does not answer may still have it. */
const isGone = async ({ product, device }: Made): Promise<boolean> => {
  try {
    if (product) await send(productCalls.getDeviceProductDetails, { productId: product.id });
    if (device) await send(mockCalls.getMockDeviceDetails, { deviceId: device.id });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
};

/** The guide behind its card: what is made, how far it is, and this page as the device. `onMade`: the hub has more, or less. */
export const createGuideRun = (onMade: () => void) => {
  const store = createStore<GuideState>(() => freshState(readMade(ownUserId())));
  let life = new AbortController();
  let session: Session | null = null;
  let details: MockDetails | null = null;

  const mark = (id: StepId, tick: Tick): void => store.setState(({ ticks }) => ({ ticks: { ...ticks, [id]: tick } }));
  const stateOf = (id: StepId): Tick['state'] => store.getState().ticks[id].state;
  const fail = (id: StepId, error: unknown): void => {
    if (error instanceof ApiError && error.status === 401) announceFailure(error);
    mark(id, tickOf(error));
  };

  const notes: Notes = {
    read: () => {
      const { made } = store.getState();
      if (!made) throw new Error('no template is chosen');
      return made;
    },
    write: (change) => {
      const made = { ...notes.read(), ...change };
      keepMade(made);
      store.setState({ made });
    },
  };
  const template = (): Template => templates[notes.read().template];

  const closeSession = async (): Promise<void> => {
    const open = session;
    session = null;
    store.setState({ online: false });
    await open?.stop();
  };

  const showFace = (): void => {
    if (session && details) store.setState({ face: faceOf(details, template(), session) });
  };

  const lose = (reason: string): void => {
    if (!session) return;
    void closeSession();
    store.setState(({ link }) => ({ link: { ...link, connect: 'failed', subscribe: 'waiting' }, childrenOnline: 0 }));
    mark('online', { state: 'failed', reason });
    if (stateOf('command') !== 'done') mark('command', { state: 'waiting' });
  };

  const goOnline = async (signal: AbortSignal): Promise<void> => {
    if (session || !details) return;
    store.setState({ ...noLink, childrenTotal: details.children.length });
    session = await openSession({
      details,
      template: template(),
      onLink: (step, ok) => store.setState(({ link }) => ({ link: { ...link, [step]: ok ? 'done' : 'failed' } })),
      onChild: () => store.setState(({ childrenOnline }) => ({ childrenOnline: childrenOnline + 1 })),
      onSpoken: showFace,
      onLost: lose,
    });
    signal.throwIfAborted();
    await untilAborted(signal, session.goOnline());
    store.setState({ online: true });
  };

  const reportFirst = async (signal: AbortSignal): Promise<void> => {
    if (!session || !details) return;
    await untilAborted(signal, session.sayFirst());
    if (can('device:read'))
      await untilAborted(signal, untilStored(shownUnit(details).deviceId, shownSignCode(template())));
    showFace();
    session?.wander();
  };

  const works: [StepId, (signal: AbortSignal) => Promise<void>][] = [
    ['product', () => ensureProduct(notes)],
    [
      'mock',
      async () => {
        details = await ensureMock(notes);
      },
    ],
    ['online', goOnline],
    ['value', reportFirst],
  ];

  /** Answers whether the next step may follow. */
  const take = async ([id, work]: (typeof works)[number], signal: AbortSignal): Promise<boolean> => {
    const menuId = missingFor(id);
    if (menuId !== null) {
      mark(id, { state: 'blocked', menuId, reason: '' });
      return false;
    }
    const present = stateOf(id);
    if (present !== 'done') mark(id, { state: 'running' });
    try {
      await work(signal);
      if (present !== 'done') onMade();
      mark(id, { state: 'done' });
      return !signal.aborted;
    } catch (error) {
      // A connection that was lost meanwhile has been told already.
      if (!signal.aborted && stateOf('online') !== 'failed') fail(id, error);
      if (id === 'online' || signal.aborted) await closeSession();
      return false;
    }
  };

  const offerCommand = (): void => {
    const menuId = missingFor('command');
    if (menuId !== null) mark('command', { state: 'blocked', menuId, reason: '' });
    else mark('command', { state: notes.read().answer ? 'done' : 'ready' });
  };

  const walk = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted || !store.getState().made) return;
    for (const step of works) if (!(await take(step, signal))) return;
    offerCommand();
  };

  const resume = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const made = readMade(ownUserId());
    store.setState(freshState(made));
    if (!made) return;
    if (!(await isGone(made))) return walk(signal);
    forgetMade();
    store.setState({ ...freshState(null), gone: true });
  };

  const startAnew = async (): Promise<void> => {
    await closeSession();
    forgetMade();
    details = null;
    store.setState(freshState(null));
  };

  return {
    store,
    open: (): void => {
      life = new AbortController();
      const { signal } = life;
      void inTurn(() => resume(signal));
    },
    close: (): void => {
      life.abort();
      void inTurn(closeSession);
    },
    choose: (chosen: TemplateId): void => {
      if (store.getState().made) return;
      const made: Made = { userId: ownUserId(), template: chosen, intended: {}, kept: false };
      keepMade(made);
      store.setState(freshState(made));
      const { signal } = life;
      void inTurn(() => walk(signal));
    },
    retry: (): void => {
      const { signal } = life;
      void inTurn(() => walk(signal));
    },
    sendCommand: async (): Promise<void> => {
      const { face } = store.getState();
      if (!session || !details || !face || !['ready', 'done', 'failed'].includes(stateOf('command'))) return;
      mark('command', { state: 'running' });
      const { signCode, next } = template().command;
      try {
        const value = next(session.present(details.deviceId, signCode));
        const costMs = await commandDevice(details.deviceId, signCode, value);
        notes.write({ answer: { name: face.next.name, value: face.next.text, costMs } });
        mark('command', { state: 'done' });
        changePreferences({ guide: 'done' });
      } catch (error) {
        fail('command', error);
      }
      showFace();
    },
    /** The hub takes over as soon as this page lets go. */
    keepRunning: async (): Promise<void> => {
      const { device } = notes.read();
      const run = { runInHub: 1, mode: MockRunMode.wander, everySeconds: HUB_EVERY_S } as const;
      await send(mockCalls.saveMockRun, { deviceId: device?.id ?? '', ...run }, { as: 'json' });
      notes.write({ kept: true });
    },
    remove: async (): Promise<void> => {
      await closeSession();
      try {
        await removeMade(notes);
      } finally {
        onMade();
      }
      await startAnew();
    },
    startOver: (): Promise<void> => inTurn(startAnew),
  };
};
export type GuideRun = ReturnType<typeof createGuideRun>;
