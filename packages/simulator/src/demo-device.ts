import type { ModelFunction } from '@device-center/contract';
import { type Device, type DeviceClient, DeviceError } from '@device-center/device-sdk';
import { createSteadyBody, type SteadyBody } from '@device-center/virtual-device';
import type { DemoBody, DemoKind } from './demo-file.ts';

/** The models of the demonstration's products, as the hub tells them. */
export type Models = {
  of: (productId: string) => ModelFunction[] | undefined;
  learn: (speaker: DeviceClient, productId: string) => Promise<void>;
};

const INFO = 4;
const EVENT_SHARE = 0.004;
const LOG_SHARE = 0.02;
/** Of the messages of a device whose values break its model. */
const NONSENSE_SHARE = 0.2;
const NONSENSE = 9_999;
/** After so many messages it tells all that it knows, and not only what it measures. */
const WHOLE_EVERY = 60;
const SLOW_MS = [3_000, 7_000] as const;
const FLAP_MS = [90_000, 300_000] as const;

export const between = ([low, high]: readonly [number, number]): number => low + Math.random() * (high - low);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Its own events tell what became of a message; here it only must not end the program. */
const withoutRefetchIndicator = (work: Promise<unknown>): void => void work.catch(() => undefined);

/** The first number among what it measures that the model bounds: beyond that bound nobody believes it. */
const boundedIn = (model: ModelFunction[], { courses }: DemoKind): string | undefined =>
  model.find(
    (entry) =>
      entry.functionType === 1 &&
      courses[entry.signCode] !== undefined &&
      (entry.functionDefinition.dataType.type === 'double' || entry.functionDefinition.dataType.type === 'integer'),
  )?.signCode;

/** One that speaks: it tells what it measures at its pace while it is online, and answers commands. */
export const startMember = (
  speaker: DeviceClient,
  isOnline: () => boolean,
  { info, kind, models }: { info: DemoBody; kind: DemoKind; models: Models },
): (() => void) => {
  let made: { model: ModelFunction[]; body: SteadyBody } | null = null;
  let told = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Made anew when the model has changed. */
  const bodyNow = (): SteadyBody | null => {
    const model = models.of(info.productId);
    if (!model) return null;
    if (made?.model !== model) {
      const { courses, defaults } = kind;
      made = { model, body: createSteadyBody(model, { courses, defaults, life: info.life, random: Math.random }) };
    }
    return made.body;
  };

  const say = (body: SteadyBody): Promise<void> => {
    const now = Date.now();
    const dice = Math.random();
    const happening = kind.happenings[Math.floor(Math.random() * kind.happenings.length)];
    if (dice < EVENT_SHARE && happening) return speaker.event(happening.event, happening.output);
    const line = kind.logs[Math.floor(Math.random() * kind.logs.length)];
    if (dice > 1 - LOG_SHARE && line) return speaker.log(INFO, line);
    const bounded = info.trouble === 'breaksModel' && dice < NONSENSE_SHARE ? boundedIn(made?.model ?? [], kind) : '';
    if (bounded) return speaker.report({ [bounded]: NONSENSE });
    return speaker.report(told++ % WHOLE_EVERY === 0 ? body.allAt(now) : body.measureAt(now));
  };

  const turn = async (): Promise<void> => {
    if (!isOnline()) return;
    if (!models.of(info.productId)) await models.learn(speaker, info.productId);
    const body = bodyNow();
    if (body) await say(body);
  };

  const next = (share: number): void => {
    timer = setTimeout(
      () => {
        withoutRefetchIndicator(turn());
        next(between([0.8, 1.2]));
      },
      info.everyS * 1_000 * share,
    );
  };

  const answer = async <Result>(work: (body: SteadyBody) => Result): Promise<Result> => {
    if (info.trouble === 'slow') await wait(between(SLOW_MS));
    const body = bodyNow();
    if (!body) throw new DeviceError('BUSY');
    return work(body);
  };
  speaker.onService('*', (input, service) => answer((body) => body.serve(service, input)));
  speaker.onSet((properties) => answer((body) => body.set(properties)));
  speaker.onGet((signCodes) => answer((body) => body.read(signCodes)));

  // The first word comes soon, and not from all at once.
  next(Math.random() * Math.min(1, 10 / info.everyS));
  return () => clearTimeout(timer);
};

/** A connection that does not hold: torn every few minutes, back at once. */
export const startFlapping = (device: Device): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    timer = setTimeout(() => {
      if (device.online) device.disrupt();
      next();
    }, between(FLAP_MS));
  };
  next();
  return () => clearTimeout(timer);
};
