import { deviceCodes, isDeviceCodeName, type MockDetails, type MockProfile } from '@device-center/contract';
import type { DeviceError, Mock, Step, Values } from '@device-center/virtual-device';
import i18next from 'i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { FIRST_INTERVAL_S, INTERVAL, type ProductPlan, type Template } from './templates.ts';

export const linkSteps = ['login', 'connect', 'subscribe'] as const;
export type LinkStep = (typeof linkSteps)[number];

/** The device takes five steps; the operator sees three. */
const shownAs: Record<Step['step'], LinkStep> = {
  login: 'login',
  bucket: 'connect',
  connect: 'connect',
  subscribe: 'subscribe',
  online: 'subscribe',
};

const CHILDREN_WITHIN_MS = 15_000;
/** Closed by the device itself, to come back at once: after a restart that somebody has ordered, for one. */
const OWN_REASONS: ReadonlySet<string> = new Set(['reconnecting', 'logging in again', 'stopped']);

/** MQTT 5: the device has connected elsewhere, so this page lets go rather than take it back for ever. */
const TAKEN_OVER = 0x8e;

const inWords = ({ word = '', message = '' }: Pick<Partial<DeviceError>, 'word' | 'message'>): string =>
  isDeviceCodeName(word) ? deviceCodes[word][currentLanguage()] : message;

type SessionOptions = {
  details: MockDetails;
  template: Template;
  onLink: (step: LinkStep, ok: boolean) => void;
  onChild: () => void;
  /** After every message that left: something may be different now. */
  onSpoken: () => void;
  onLost: (reason: string) => void;
};

/** Resolves when all children are online; the first refusal, or the end of patience, rejects. */
const mountChildren = (mock: Mock, { details, onChild }: SessionOptions): Promise<unknown> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(i18next.t('guide:childrenLate'))), CHILDREN_WITHIN_MS);
  const mounted = details.children.map(
    ({ deviceId }) =>
      new Promise<void>((resolve, reject) => {
        const child = mock.mount(deviceId);
        child.on('online', () => {
          onChild();
          resolve();
        });
        child.on('refused', ({ refusal }) => {
          reject(new Error(i18next.t('guide:refusedChild', { deviceId, reason: inWords(refusal) })));
        });
      }),
  );
  return Promise.race([Promise.all(mounted), late.promise]).finally(() => clearTimeout(timer));
};

const bringOnline = (mock: Mock, { onLink, onLost }: SessionOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    let wasOnline = false;
    const fail = (reason: string): void => (wasOnline ? onLost(reason) : reject(new Error(reason)));
    mock.device.on('step', (step) => {
      onLink(shownAs[step.step], step.ok);
      if (!step.ok) fail(inWords(step));
    });
    mock.device.on('offline', ({ reason, reasonCode }) => {
      if (!OWN_REASONS.has(reason)) fail(i18next.t(reasonCode === TAKEN_OVER ? 'guide:takenOver' : 'guide:lost'));
    });
    mock.device.start().then(() => {
      wasOnline = true;
      resolve();
    }, reject);
  });

/** This page as the device: from its log-in until `stop`. */
export const openSession = async (options: SessionOptions) => {
  const { details, template, onSpoken } = options;
  // With MQTT it is the heaviest part of the page, and only who has a device needs it.
  const { createMock, startRepeat } = await import('@device-center/virtual-device');
  const mock = createMock({ details, hubUrl: location.origin, transport: 'ws' });
  const repeats = new Map<string, { everyS: number; stop: () => void }>();

  const planOf = (deviceId: string): ProductPlan =>
    (deviceId === details.deviceId ? null : template.child) ?? template.product;
  for (const deviceId of mock.deviceIds) mock.bodyOf(deviceId).set({ ...planOf(deviceId).start });

  const present = (deviceId: string, signCode: string): unknown => mock.bodyOf(deviceId).read([signCode])[signCode];
  const intervalOf = (deviceId: string): number =>
    INTERVAL in planOf(deviceId).start ? Number(present(deviceId, INTERVAL)) : FIRST_INTERVAL_S;

  const repeat = (deviceId: string): void => {
    repeats.get(deviceId)?.stop();
    const everyS = intervalOf(deviceId);
    // Entered first: the first turn speaks at once, and what is spoken looks here.
    repeats.set(deviceId, { everyS, stop: () => undefined });
    const signCodes = [...planOf(deviceId).moving];
    const stop = startRepeat(mock, { deviceIds: [deviceId], everyMs: everyS * 1_000, signCodes });
    repeats.set(deviceId, { everyS, stop });
  };

  mock.device.on('message', ({ direction }) => {
    if (direction !== 'up') return;
    for (const [deviceId, { everyS }] of repeats) if (intervalOf(deviceId) !== everyS) repeat(deviceId);
    onSpoken();
  });

  return {
    goOnline: async (): Promise<void> => {
      await bringOnline(mock, options);
      await mountChildren(mock, options);
    },
    /** Once all that it has to say; holds when the hub has it. */
    sayFirst: async (): Promise<void> => {
      for (const deviceId of mock.deviceIds) {
        const { moving, start } = planOf(deviceId);
        const value: Values = { ...start, ...mock.bodyOf(deviceId).move([...moving]) };
        await mock.say({ deviceId, kind: 'property', name: '', value });
      }
    },
    wander: (): void => {
      for (const deviceId of mock.deviceIds) repeat(deviceId);
    },
    present,
    stop: (): Promise<void> => {
      for (const { stop } of repeats.values()) stop();
      repeats.clear();
      return mock.stop();
    },
  };
};
export type Session = Awaited<ReturnType<typeof openSession>>;

/** Whose value is shown: a gateway's first child, which is what a gateway is there for. */
export const shownUnit = (details: MockDetails): MockProfile => details.children[0] ?? details;
