import {
  bareFunction,
  type Envelope,
  MESSAGE_MAX_BYTES,
  MessageType,
  type ModelFunction,
  refreshAnswer,
  storedFunction,
  syncAnswer,
  TRANSPARENT_MAX_BYTES,
} from '@device-center/contract';
import type { BackoffOptions } from './backoff.ts';
import { nextIds, requestOf, responseOf, type Unit } from './client-state.ts';
import { createServing, type Handlers, type SystemHandlers } from './command-handler.ts';
import { DeviceError } from './device-error.ts';
import { readPayload } from './envelope.ts';
import { bytesOf } from './hashes.ts';
import type { HubHttp } from './hub-http.ts';
import { createLogs } from './logs.ts';
import { after, toBase64 } from './runtime.ts';
import type { Item, SendQueue } from './send-queue.ts';
import type { DeviceClient, Synced } from './types.ts';
import { createUpgrade } from './upgrade/upgrade.ts';

/** Beside the payload a message has a few hundred bytes of its own. */
const ENVELOPE_ROOM = 2 * 1024;
/** Of the token's life, when it is changed for another. */
const REFRESH_AT = 0.8;
const REFRESH_AGAIN_MS = 10_000;
const SDK_NAME = 'device-center-js 0.1.0';

export type ClientRuntime = {
  unit: Unit;
  speaker: DeviceClient;
  /** A question of this very connection; holds with the hub's answer. */
  ask: (type: number, payload: object) => Promise<unknown>;
  /** A request of the hub. */
  serve: (request: Envelope) => Promise<void>;
  flushLogs: () => void;
  /** After every log-in and refresh: the next refresh is due in time. */
  scheduleTokenRefresh: () => void;
  silence: () => void;
  /** It is told to stop, and not only cut off: an upgrade that can still be ended is. */
  halt: () => void;
  /** Tells what it is, also where nobody has asked. */
  identify: () => void;
};

type VoiceOptions = {
  unit: Unit;
  outbox: SendQueue;
  now: () => number;
  conduct: SystemHandlers;
  http: HubHttp;
  backoff: BackoffOptions;
  onTokenRefused: (unit: Unit) => void;
  /** After an upgrade: comes back as what it now is. */
  restart: () => void;
};

/** With what only a device or only a child can do; getters stay getters. */
export const extended = <More extends object>(speaker: DeviceClient, more: More): DeviceClient & More => {
  Object.defineProperties(speaker, Object.getOwnPropertyDescriptors(more));
  return speaker as DeviceClient & More;
};

/** Functions that this package is too old to know are left out. */
const functionsOf = (list: unknown[]): ModelFunction[] =>
  list.flatMap((entry) => {
    const known = storedFunction.safeParse(entry);
    return known.success ? [bareFunction(known.data)] : [];
  });

/** All that one unit says and answers. */
export const createClientRuntime = (options: VoiceOptions): ClientRuntime => {
  const { unit, outbox, now, conduct, http, backoff, onTokenRefused, restart } = options;
  const handlers: Handlers = {
    services: new Map(),
    identity: () => {
      const { versionNumber, mac, hardware } = unit.info;
      return { versionNumber, mac, hardware, sdk: SDK_NAME };
    },
  };

  const enqueue = (
    type: number,
    payload: string,
    { urgent = false, awaitsAnswer = false }: Partial<Pick<Item, 'urgent' | 'awaitsAnswer'>> = {},
  ): Promise<Envelope | null> => {
    const { promise, resolve, reject } = Promise.withResolvers<Envelope | null>();
    // Whoever does not wait hears of it by the events, not by the end of the process.
    promise.catch(() => undefined);
    if (bytesOf(JSON.stringify(payload)) > MESSAGE_MAX_BYTES - ENVELOPE_ROOM) {
      reject(new DeviceError('TOO_LARGE'));
      return promise;
    }
    let ids: ReturnType<typeof nextIds> | null = null;
    const compose = (): Envelope => {
      ids ??= nextIds(unit, now());
      return requestOf(unit, ids, type, payload);
    };
    const renew = (): void => {
      ids = null;
    };
    const isRepeat = (): boolean => ids !== null;
    outbox.add({ unit, urgent, awaitsAnswer, compose, isRepeat, renew, resolve, reject });
    return promise;
  };

  const quiet = <Value>(promise: Promise<Value>): Promise<Value> => {
    promise.catch(() => undefined);
    return promise;
  };

  /** Also what cannot be written as JSON is a refusal of the promise. */
  const say = (type: number, payload: object): Promise<void> =>
    quiet((async () => void (await enqueue(type, JSON.stringify(payload))))());

  /** What cannot leave at once keeps the time when it was so. */
  const timed = (payload: object, time: number | undefined): object => {
    if (time !== undefined) return { ...payload, time };
    return unit.ready && outbox.pending === 0 ? payload : { ...payload, time: now() };
  };

  const question = async (type: number, payload: object, urgent: boolean): Promise<unknown> => {
    const answer = await enqueue(type, JSON.stringify(payload), { urgent, awaitsAnswer: true });
    return answer ? readPayload(answer) : undefined;
  };
  const ask: ClientRuntime['ask'] = (type, payload) => question(type, payload, true);

  let cancelRefresh = (): void => undefined;
  const refresh = async (): Promise<void> => {
    const { token, expireIn } = refreshAnswer.parse(await ask(MessageType.refresh, {}));
    if (unit.session) unit.session = { ...unit.session, token, expiresAt: now() + expireIn * 1_000 };
    scheduleTokenRefresh();
  };
  const refreshInTime = (): void => {
    refresh().catch((error: unknown) => {
      if (error instanceof DeviceError) onTokenRefused(unit);
      else if (unit.ready) cancelRefresh = after(REFRESH_AGAIN_MS, refreshInTime);
    });
  };
  const scheduleTokenRefresh = (): void => {
    cancelRefresh();
    if (unit.session) cancelRefresh = after((unit.session.expiresAt - now()) * REFRESH_AT, refreshInTime);
  };

  const logs = createLogs(unit, say, now);

  const sync = async (topics: string[]): Promise<Synced> => {
    const { time, model, config } = syncAnswer.parse(await question(MessageType.sync, { ask: topics }, false));
    if (config) unit.settings = { loggerLevel: config.loggerLevel, realTimePushSwitch: config.realTimePushSwitch };
    if (config) unit.events.emit('settings', unit.settings);
    return { time, config, model: model && { version: model.version, functions: functionsOf(model.functions) } };
  };

  const identify = (): void => {
    const tell = async (): Promise<void> => {
      const { versionNumber } = unit.info;
      await question(MessageType.identity, { ...(await handlers.identity()), versionNumber }, false);
    };
    tell().catch((error: unknown) => unit.events.emit('error', { error }));
  };

  const event: DeviceClient['event'] = (name, output = {}, { time } = {}) =>
    say(MessageType.event, timed({ event: name, output }, time));

  const { upgrade: upgradeOptions } = unit.info;
  const upgrade = upgradeOptions
    ? createUpgrade({ unit, options: upgradeOptions, http, backoff, say: event, identify, restart })
    : null;
  const serving = createServing(unit, handlers, conduct, upgrade);

  const serve = async (request: Envelope): Promise<void> => {
    const answer = await serving.answer(request);
    if (!answer) return;
    const { afterwards, ...said } = answer;
    const compose = (): Envelope => responseOf(unit, request, said, now());
    const acknowledged = Promise.withResolvers<Envelope | null>();
    const { resolve, reject } = acknowledged;
    const isRepeat = (): boolean => false;
    const renew = (): void => undefined;
    outbox.add({ unit, urgent: true, awaitsAnswer: false, compose, isRepeat, renew, resolve, reject });
    // Asked to go, it goes, also where the hub was quicker than its answer.
    await acknowledged.promise.catch(() => null);
    afterwards?.();
  };

  const speaker: DeviceClient = {
    deviceId: unit.deviceId,
    get versionNumber() {
      return unit.info.versionNumber;
    },
    get settings() {
      return unit.settings;
    },
    report: (properties, { time } = {}) => say(MessageType.config, timed({ properties }, time)),
    event,
    log: (level, text) => logs.log(level, text),
    transparent: (bytes) => {
      if (bytes.length > TRANSPARENT_MAX_BYTES) return Promise.reject(new DeviceError('TOO_LARGE'));
      return quiet(enqueue(MessageType.transparent, toBase64(bytes)).then(() => undefined));
    },
    identity: (identity) => quiet(question(MessageType.identity, identity, false).then(() => undefined)),
    refresh,
    sync: (topics) => quiet(sync(topics)),
    onService: (service, handler) => void handlers.services.set(service, handler),
    onSet: (handler) => {
      handlers.set = handler;
    },
    onGet: (handler) => {
      handlers.get = handler;
    },
    onIdentity: (handler) => {
      handlers.identity = handler;
    },
    onTransparent: (handler) => {
      handlers.transparent = handler;
    },
  };

  const silence = (): void => cancelRefresh();
  const halt = (): void => upgrade?.halt();
  return { unit, speaker, ask, serve, flushLogs: logs.flush, scheduleTokenRefresh, silence, halt, identify };
};
