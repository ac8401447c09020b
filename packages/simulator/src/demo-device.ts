import type { ModelFunction } from '@device-center/contract';
import { type Device, type DeviceClient, DeviceError } from '@device-center/device-sdk';
import { createSteadyBehavior, type SteadyBehavior } from '@device-center/virtual-device';
import type { DemoClient, DemoKind } from './demo-file.ts';

/** Function models of the demonstration's products, fetched from the hub. */
export type Models = {
  of: (productId: string) => ModelFunction[] | undefined;
  fetch: (client: DeviceClient, productId: string) => Promise<void>;
};

const INFO = 4;
const EVENT_SHARE = 0.004;
const LOG_SHARE = 0.02;
/** Share of invalid messages of a device with the fault `breaksModel`. */
const INVALID_SHARE = 0.2;
const INVALID_VALUE = 9_999;
/** Every nth report contains all readable properties. */
const FULL_REPORT_EVERY = 60;
const SLOW_MS = [3_000, 7_000] as const;
const FLAP_MS = [90_000, 300_000] as const;

export const between = ([low, high]: readonly [number, number]): number => low + Math.random() * (high - low);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The device's events report failures; an unhandled rejection must not end the program. */
const ignoreRejection = (work: Promise<unknown>): void => void work.catch(() => undefined);

/** Sign code of the first numeric property with a curve; the model limits its range. */
const numericPropertyOf = (model: ModelFunction[], { curves }: DemoKind): string | undefined =>
  model.find(
    (entry) =>
      entry.functionType === 1 &&
      curves[entry.signCode] !== undefined &&
      (entry.functionDefinition.dataType.type === 'double' || entry.functionDefinition.dataType.type === 'integer'),
  )?.signCode;

/** Runs one client: reports values at its interval while online, and handles commands. */
export const startClient = (
  client: DeviceClient,
  isOnline: () => boolean,
  { info, kind, models }: { info: DemoClient; kind: DemoKind; models: Models },
): (() => void) => {
  let current: { model: ModelFunction[]; behavior: SteadyBehavior } | null = null;
  let reports = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Creates the behaviour again when the model has changed. */
  const currentBehavior = (): SteadyBehavior | null => {
    const model = models.of(info.productId);
    if (!model) return null;
    if (current?.model !== model) {
      const { curves, defaults } = kind;
      current = {
        model,
        behavior: createSteadyBehavior(model, { curves, defaults, context: info.curveContext, random: Math.random }),
      };
    }
    return current.behavior;
  };

  const send = (behavior: SteadyBehavior): Promise<void> => {
    const now = Date.now();
    const draw = Math.random();
    const sampleEvent = kind.sampleEvents[Math.floor(Math.random() * kind.sampleEvents.length)];
    if (draw < EVENT_SHARE && sampleEvent) return client.event(sampleEvent.event, sampleEvent.output);
    const line = kind.logs[Math.floor(Math.random() * kind.logs.length)];
    if (draw > 1 - LOG_SHARE && line) return client.log(INFO, line);
    const property =
      info.trouble === 'breaksModel' && draw < INVALID_SHARE ? numericPropertyOf(current?.model ?? [], kind) : '';
    if (property) return client.report({ [property]: INVALID_VALUE });
    return client.report(reports++ % FULL_REPORT_EVERY === 0 ? behavior.fullReportAt(now) : behavior.reportAt(now));
  };

  const sendNext = async (): Promise<void> => {
    if (!isOnline()) return;
    if (!models.of(info.productId)) await models.fetch(client, info.productId);
    const behavior = currentBehavior();
    if (behavior) await send(behavior);
  };

  const next = (share: number): void => {
    timer = setTimeout(
      () => {
        ignoreRejection(sendNext());
        next(between([0.8, 1.2]));
      },
      info.everyS * 1_000 * share,
    );
  };

  const answer = async <Result>(work: (behavior: SteadyBehavior) => Result): Promise<Result> => {
    if (info.trouble === 'slow') await wait(between(SLOW_MS));
    const behavior = currentBehavior();
    if (!behavior) throw new DeviceError('BUSY');
    return work(behavior);
  };
  client.onService('*', (input, service) => answer((behavior) => behavior.serve(service, input)));
  client.onSet((properties) => answer((behavior) => behavior.set(properties)));
  client.onGet((signCodes) => answer((behavior) => behavior.read(signCodes)));

  // A short random delay, so that the devices do not send their first messages all at once.
  next(Math.random() * Math.min(1, 10 / info.everyS));
  return () => clearTimeout(timer);
};

/** Drops the connection every few minutes; the SDK reconnects at once. */
export const startFlapping = (device: Device): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    timer = setTimeout(() => {
      if (device.online) device.dropConnection();
      next();
    }, between(FLAP_MS));
  };
  next();
  return () => clearTimeout(timer);
};
