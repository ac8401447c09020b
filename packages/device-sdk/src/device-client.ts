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
import { type ClientState, nextIds, requestOf, responseOf } from './client-state.ts';
import { createCommandHandler, type Handlers, type SystemHandlers } from './command-handler.ts';
import { DeviceError } from './device-error.ts';
import { readPayload } from './envelope.ts';
import { bytesOf } from './hashes.ts';
import type { HubHttp } from './hub-http.ts';
import { createLogs } from './logs.ts';
import { after, toBase64 } from './platform.ts';
import type { QueueItem, SendQueue } from './send-queue.ts';
import type { DeviceClient, Synced } from './types.ts';
import { createUpgrade } from './upgrade/upgrade.ts';

/** Upper bound of an envelope without its payload. */
const ENVELOPE_MAX_BYTES = 2 * 1024;
/** Share of the token's lifetime after which the client refreshes it. */
const REFRESH_AT = 0.8;
const REFRESH_RETRY_MS = 10_000;
const SDK_NAME = 'device-center-js 0.1.0';

export type ClientRuntime = {
  state: ClientState;
  client: DeviceClient;
  /** Sends an urgent request that is dropped with the connection; resolves with the hub's response. */
  ask: (type: number, payload: object) => Promise<unknown>;
  /** Handles a request of the hub and sends the response. */
  serve: (request: Envelope) => Promise<void>;
  flushLogs: () => void;
  /** Schedules the next token refresh; called after every login and refresh. */
  scheduleTokenRefresh: () => void;
  cancelTokenRefresh: () => void;
  /** The application stopped the client: ends an upgrade, unless it is installing. */
  halt: () => void;
  /** Reports the device's identity to the hub. */
  identify: () => void;
};

type ClientRuntimeOptions = {
  state: ClientState;
  sendQueue: SendQueue;
  now: () => number;
  systemHandlers: SystemHandlers;
  http: HubHttp;
  backoff: BackoffOptions;
  onTokenRejected: (state: ClientState) => void;
  /** Logs in again after an upgrade, with the new version. */
  restart: () => void;
};

/** Adds the members that only a device or only a child has. Property descriptors keep getters live. */
export const withMembers = <More extends object>(client: DeviceClient, more: More): DeviceClient & More => {
  Object.defineProperties(client, Object.getOwnPropertyDescriptors(more));
  return client as DeviceClient & More;
};

/** Leaves out functions that this version of the package cannot parse. */
const functionsOf = (list: unknown[]): ModelFunction[] =>
  list.flatMap((entry) => {
    const known = storedFunction.safeParse(entry);
    return known.success ? [bareFunction(known.data)] : [];
  });

/** Creates the messages, handlers and upgrades of one protocol client. */
export const createClientRuntime = (options: ClientRuntimeOptions): ClientRuntime => {
  const { state, sendQueue, now, systemHandlers, http, backoff, onTokenRejected, restart } = options;
  const handlers: Handlers = {
    services: new Map(),
    identity: () => {
      const { versionNumber, mac, hardware } = state.info;
      return { versionNumber, mac, hardware, sdk: SDK_NAME };
    },
  };

  const enqueue = (
    type: number,
    payload: string,
    { urgent = false, awaitsAnswer = false }: Partial<Pick<QueueItem, 'urgent' | 'awaitsAnswer'>> = {},
  ): Promise<Envelope | null> => {
    const { promise, resolve, reject } = Promise.withResolvers<Envelope | null>();
    // Events report failures too, so an unhandled rejection must not end the process.
    promise.catch(() => undefined);
    if (bytesOf(JSON.stringify(payload)) > MESSAGE_MAX_BYTES - ENVELOPE_MAX_BYTES) {
      reject(new DeviceError('TOO_LARGE'));
      return promise;
    }
    let ids: ReturnType<typeof nextIds> | null = null;
    const compose = (): Envelope => {
      ids ??= nextIds(state, now());
      return requestOf(state, ids, type, payload);
    };
    const resetIds = (): void => {
      ids = null;
    };
    const isRepeat = (): boolean => ids !== null;
    sendQueue.add({ sender: state, urgent, awaitsAnswer, compose, isRepeat, resetIds, resolve, reject });
    return promise;
  };

  const ignoreRejection = <Value>(promise: Promise<Value>): Promise<Value> => {
    promise.catch(() => undefined);
    return promise;
  };

  /** Async, so that a payload that JSON cannot express rejects the promise instead of throwing. */
  const send = (type: number, payload: object): Promise<void> =>
    ignoreRejection((async () => void (await enqueue(type, JSON.stringify(payload))))());

  /** Adds the current time to a message that has to wait in the queue. */
  const withTime = (payload: object, time: number | undefined): object => {
    if (time !== undefined) return { ...payload, time };
    return state.ready && sendQueue.pending === 0 ? payload : { ...payload, time: now() };
  };

  const sendRequest = async (type: number, payload: object, urgent: boolean): Promise<unknown> => {
    const answer = await enqueue(type, JSON.stringify(payload), { urgent, awaitsAnswer: true });
    return answer ? readPayload(answer) : undefined;
  };
  const ask: ClientRuntime['ask'] = (type, payload) => sendRequest(type, payload, true);

  let cancelRefresh = (): void => undefined;
  const refresh = async (): Promise<void> => {
    const { token, expireIn } = refreshAnswer.parse(await ask(MessageType.refresh, {}));
    if (state.session) state.session = { ...state.session, token, expiresAt: now() + expireIn * 1_000 };
    scheduleTokenRefresh();
  };
  const refreshOrRetry = (): void => {
    refresh().catch((error: unknown) => {
      if (error instanceof DeviceError) onTokenRejected(state);
      else if (state.ready) cancelRefresh = after(REFRESH_RETRY_MS, refreshOrRetry);
    });
  };
  const scheduleTokenRefresh = (): void => {
    cancelRefresh();
    if (state.session) cancelRefresh = after((state.session.expiresAt - now()) * REFRESH_AT, refreshOrRetry);
  };

  const logs = createLogs(state, send, now);

  const sync = async (topics: string[]): Promise<Synced> => {
    const { time, model, config } = syncAnswer.parse(await sendRequest(MessageType.sync, { ask: topics }, false));
    if (config) state.settings = { loggerLevel: config.loggerLevel, realTimePushSwitch: config.realTimePushSwitch };
    if (config) state.events.emit('settings', state.settings);
    return { time, config, model: model && { version: model.version, functions: functionsOf(model.functions) } };
  };

  const identify = (): void => {
    const report = async (): Promise<void> => {
      const { versionNumber } = state.info;
      await sendRequest(MessageType.identity, { ...(await handlers.identity()), versionNumber }, false);
    };
    report().catch((error: unknown) => state.events.emit('error', { error }));
  };

  const event: DeviceClient['event'] = (name, output = {}, { time } = {}) =>
    send(MessageType.event, withTime({ event: name, output }, time));

  const { upgrade: upgradeOptions } = state.info;
  const upgrade = upgradeOptions
    ? createUpgrade({ state, options: upgradeOptions, http, backoff, sendEvent: event, identify, restart })
    : null;
  const commandHandler = createCommandHandler(state, handlers, systemHandlers, upgrade);

  const serve = async (request: Envelope): Promise<void> => {
    const answer = await commandHandler.answer(request);
    if (!answer) return;
    const { onAcknowledged, ...response } = answer;
    const compose = (): Envelope => responseOf(state, request, response, now());
    const acknowledgement = Promise.withResolvers<Envelope | null>();
    const { resolve, reject } = acknowledgement;
    const isRepeat = (): boolean => false;
    const resetIds = (): void => undefined;
    sendQueue.add({ sender: state, urgent: true, awaitsAnswer: false, compose, isRepeat, resetIds, resolve, reject });
    // A restart also runs if the connection closes before the hub acknowledges the response.
    await acknowledgement.promise.catch(() => null);
    onAcknowledged?.();
  };

  const client: DeviceClient = {
    deviceId: state.deviceId,
    get versionNumber() {
      return state.info.versionNumber;
    },
    get settings() {
      return state.settings;
    },
    report: (properties, { time } = {}) => send(MessageType.config, withTime({ properties }, time)),
    event,
    log: (level, text) => logs.log(level, text),
    transparent: (bytes) => {
      if (bytes.length > TRANSPARENT_MAX_BYTES) return Promise.reject(new DeviceError('TOO_LARGE'));
      return ignoreRejection(enqueue(MessageType.transparent, toBase64(bytes)).then(() => undefined));
    },
    identity: (identity) => ignoreRejection(sendRequest(MessageType.identity, identity, false).then(() => undefined)),
    refresh,
    sync: (topics) => ignoreRejection(sync(topics)),
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

  const cancelTokenRefresh = (): void => cancelRefresh();
  const halt = (): void => upgrade?.halt();
  return { state, client, ask, serve, flushLogs: logs.flush, scheduleTokenRefresh, cancelTokenRefresh, halt, identify };
};
