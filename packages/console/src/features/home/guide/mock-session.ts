import { deviceCodes, isDeviceCodeName, type MockDetails, type MockProfile } from '@device-center/contract';
import type { DeviceError, Mock, Step, Values } from '@device-center/virtual-device';
import i18next from 'i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { FIRST_INTERVAL_S, INTERVAL, type ProductPlan, type Template } from './templates.ts';

export const connectionSteps = ['login', 'connect', 'subscribe'] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

/** The SDK reports five steps; the operator sees three. */
const connectionStepOf: Record<Step['step'], ConnectionStep> = {
  login: 'login',
  bucket: 'connect',
  connect: 'connect',
  subscribe: 'subscribe',
  online: 'subscribe',
};

const CHILDREN_TIMEOUT_MS = 15_000;
/** Disconnects that the device starts itself, for example for a restart command. They are not failures. */
const OWN_REASONS: ReadonlySet<string> = new Set(['reconnecting', 'logging in again', 'stopped']);

/** MQTT 5 reason code: the device has connected elsewhere. Reconnecting would end that connection in turn. */
const TAKEN_OVER = 0x8e;

const errorText = ({ word = '', message = '' }: Pick<Partial<DeviceError>, 'word' | 'message'>): string =>
  isDeviceCodeName(word) ? deviceCodes[word][currentLanguage()] : message;

type SessionOptions = {
  details: MockDetails;
  template: Template;
  onConnectionStep: (step: ConnectionStep, ok: boolean) => void;
  onChild: () => void;
  /** Called after every sent message, because values may have changed. */
  onMessageSent: () => void;
  onLost: (reason: string) => void;
};

/** Resolves when all children are online. Rejects when the hub rejects one, or after a timeout. */
const mountChildren = (mock: Mock, { details, onChild }: SessionOptions): Promise<unknown> => {
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(() => timedOut.reject(new Error(i18next.t('guide:childrenLate'))), CHILDREN_TIMEOUT_MS);
  const childrenOnline = details.children.map(
    ({ deviceId }) =>
      new Promise<void>((resolve, reject) => {
        const child = mock.mount(deviceId);
        child.on('online', () => {
          onChild();
          resolve();
        });
        child.on('refused', ({ refusal }) => {
          reject(new Error(i18next.t('guide:childRejected', { deviceId, reason: errorText(refusal) })));
        });
      }),
  );
  return Promise.race([Promise.all(childrenOnline), timedOut.promise]).finally(() => clearTimeout(timer));
};

const connectDevice = (mock: Mock, { onConnectionStep, onLost }: SessionOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    let wasOnline = false;
    const fail = (reason: string): void => (wasOnline ? onLost(reason) : reject(new Error(reason)));
    mock.device.on('step', (step) => {
      onConnectionStep(connectionStepOf[step.step], step.ok);
      if (!step.ok) fail(errorText(step));
    });
    mock.device.on('offline', ({ reason, reasonCode }) => {
      if (!OWN_REASONS.has(reason)) fail(i18next.t(reasonCode === TAKEN_OVER ? 'guide:takenOver' : 'guide:lost'));
    });
    mock.device.start().then(() => {
      wasOnline = true;
      resolve();
    }, reject);
  });

/** Runs the mock device in this page, from login until `stop`. */
export const startMockSession = async (options: SessionOptions) => {
  const { details, template, onMessageSent } = options;
  // Loaded on demand: with MQTT it is the largest part of the page, and it is only needed once there is a device.
  const { createMock, startRepeat } = await import('@device-center/virtual-device');
  const mock = createMock({ details, hubUrl: location.origin, transport: 'ws' });
  const repeats = new Map<string, { everyS: number; stop: () => void }>();

  const planOf = (deviceId: string): ProductPlan =>
    (deviceId === details.deviceId ? null : template.child) ?? template.product;
  for (const deviceId of mock.deviceIds) mock.behaviorOf(deviceId).set({ ...planOf(deviceId).start });

  const currentValue = (deviceId: string, signCode: string): unknown =>
    mock.behaviorOf(deviceId).read([signCode])[signCode];
  const intervalOf = (deviceId: string): number =>
    INTERVAL in planOf(deviceId).start ? Number(currentValue(deviceId, INTERVAL)) : FIRST_INTERVAL_S;

  const repeat = (deviceId: string): void => {
    repeats.get(deviceId)?.stop();
    const everyS = intervalOf(deviceId);
    // Set first: startRepeat sends at once, and the message handler below reads this entry.
    repeats.set(deviceId, { everyS, stop: () => undefined });
    const signCodes = [...planOf(deviceId).moving];
    const stop = startRepeat(mock, { deviceIds: [deviceId], everyMs: everyS * 1_000, signCodes });
    repeats.set(deviceId, { everyS, stop });
  };

  mock.device.on('message', ({ direction }) => {
    if (direction !== 'up') return;
    for (const [deviceId, { everyS }] of repeats) if (intervalOf(deviceId) !== everyS) repeat(deviceId);
    onMessageSent();
  });

  return {
    goOnline: async (): Promise<void> => {
      await connectDevice(mock, options);
      await mountChildren(mock, options);
    },
    /** Reports all properties once. Resolves when the hub has acknowledged them. */
    sendFirstReport: async (): Promise<void> => {
      for (const deviceId of mock.deviceIds) {
        const { moving, start } = planOf(deviceId);
        const value: Values = { ...start, ...mock.behaviorOf(deviceId).move([...moving]) };
        await mock.send({ deviceId, kind: 'property', name: '', value });
      }
    },
    wander: (): void => {
      for (const deviceId of mock.deviceIds) repeat(deviceId);
    },
    currentValue,
    stop: (): Promise<void> => {
      for (const { stop } of repeats.values()) stop();
      repeats.clear();
      return mock.stop();
    },
  };
};
export type MockSession = Awaited<ReturnType<typeof startMockSession>>;

/** The device whose value is shown: the first child of a gateway, else the device itself. */
export const shownProfile = (details: MockDetails): MockProfile => details.children[0] ?? details;
