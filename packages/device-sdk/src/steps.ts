import { type Bucket, MessageType, onlineAnswer } from '@device-center/contract';
import { loginOf, nextIds, requestOf } from './client-state.ts';
import type { ClientRuntime } from './device-client.ts';
import { DeviceError, isClockError, isTokenError } from './device-error.ts';
import type { Emitter } from './emitter.ts';
import type { HubHttp } from './hub-http.ts';
import { type MqttConnection, openMqttConnection } from './mqtt-connection.ts';
import { inBrowser } from './platform.ts';
import type { DeviceEvents, DeviceOptions, Step, StepName } from './types.ts';

export const FIRST_DATA_ID = 10_000;
const KEEP_ALIVE_S = 60;
/** A token that expires this soon is not used for a new connection. */
const TOKEN_MIN_REMAINING_MS = 5_000;

export type Clock = { now: () => number; setTo: (time: number) => void };

type StepsOptions = {
  options: DeviceOptions;
  runtime: ClientRuntime;
  http: HubHttp;
  clock: Clock;
  events: Emitter<DeviceEvents>;
  onMessage: (text: string) => void;
  onOpen: (connection: MqttConnection) => void;
};

const describeError = (error: unknown): Omit<Step, 'step' | 'ok'> => {
  if (error instanceof DeviceError) {
    const { code, codeName, message } = error;
    return { code, codeName, word: codeName, message };
  }
  return { message: error instanceof Error ? error.message : String(error) };
};

/** The steps of coming online; each emits an event when it starts, succeeds or fails. */
export const createSteps = ({ options, runtime, http, clock, events, onMessage, onOpen }: StepsOptions) => {
  const { state, ask, scheduleTokenRefresh } = runtime;
  const { now } = clock;
  const transport = options.transport ?? (inBrowser() ? 'ws' : 'tcp');
  let bucket: Bucket | null = null;
  let connection: MqttConnection | null = null;
  let wills = { sessionId: '', next: 0 };

  const step = async <Result>(name: StepName, work: () => Promise<Result>): Promise<Result> => {
    events.emit('trying', { step: name });
    try {
      const result = await work();
      events.emit('step', { step: name, ok: true });
      return result;
    } catch (error) {
      if (isTokenError(error)) state.session = null;
      events.emit('step', { step: name, ok: false, ...describeError(error) });
      throw error;
    }
  };

  const logIn = async () => {
    try {
      return await http.login(loginOf(state, now()));
    } catch (error) {
      if (!isClockError(error) || http.lastDate === null) throw error;
      clock.setTo(http.lastDate);
      return http.login(loginOf(state, now()));
    }
  };

  const login = (): Promise<void> =>
    step('login', async () => {
      const { token, expireIn, tenantId, sessionId, deviceSecret } = await logIn();
      if (deviceSecret) {
        await options.onSecret?.(deviceSecret);
        state.secret = deviceSecret;
      }
      state.session = {
        sessionId,
        tenantId: options.tenantId ?? tenantId,
        token,
        expiresAt: now() + expireIn * 1_000,
        nextDataId: options.firstDataId ?? FIRST_DATA_ID,
      };
    });

  const tokenNow = (): string => {
    if (!state.session) throw new Error('not logged in: call login() first');
    return state.session.token;
  };

  const findBucket = (): Promise<Bucket> =>
    step('bucket', async () => {
      const received = await http.bucket(tokenNow(), transport);
      bucket = options.connectAt?.(received) ?? received;
      return bucket;
    });

  /** Wills take ids below the session's first `dataId`, descending: the broker may never publish them, and a gap would
   * look like a lost message. */
  const willIds = (): ReturnType<typeof nextIds> => {
    const sessionId = state.session?.sessionId ?? '';
    if (wills.sessionId !== sessionId) wills = { sessionId, next: (options.firstDataId ?? FIRST_DATA_ID) - 1 };
    if (wills.next < 0) return nextIds(state, now());
    return { sessionId, dataId: String(wills.next--), timestamp: now() };
  };
  const offlineMessage = () => requestOf(state, willIds(), MessageType.login, JSON.stringify({ op: 'offline' }));

  const connect = (): Promise<void> =>
    step('connect', async () => {
      const token = tokenNow();
      if (!bucket) throw new Error('no bucket: call findBucket() first');
      connection?.destroy();
      connection = await openMqttConnection(
        { ...bucket, password: token },
        {
          protocolVersion: options.protocolVersion ?? 5,
          keepAlive: options.keepAlive ?? KEEP_ALIVE_S,
          qos: options.qos ?? 1,
          tls: options.tls ?? {},
          will: JSON.stringify(offlineMessage()),
          onMessage,
        },
      );
      onOpen(connection);
    });

  const subscribe = (): Promise<void> =>
    step('subscribe', async () => {
      if (!connection) throw new Error('not connected: call connect() first');
      await connection.subscribe();
    });

  const goOnline = (): Promise<void> =>
    step('online', async () => {
      const { versionNumber, mac } = state.info;
      const { keepAlive } = options;
      const optional = {
        ...(versionNumber && { versionNumber }),
        ...(mac && { mac }),
        ...(keepAlive !== undefined && { keepAlive }),
      };
      const answer = onlineAnswer.parse(await ask(MessageType.login, { op: 'online', ...optional }));
      const { loggerLevel, realTimePushSwitch } = answer.config;
      state.settings = { loggerLevel, realTimePushSwitch };
      if (state.session) state.session.expiresAt = now() + answer.tokenExpireIn * 1_000;
      state.ready = true;
      scheduleTokenRefresh();
      events.emit('settings', state.settings);
      events.emit('online', { deviceId: state.deviceId });
    });

  return {
    login,
    findBucket,
    connect,
    subscribe,
    goOnline,
    get connection() {
      return connection;
    },
    get topics() {
      return bucket?.topics ?? null;
    },
    /** Runs all steps. `checkWanted` is called before each and throws to abort. */
    bringUp: async (checkWanted: () => void): Promise<void> => {
      const isTokenUsable = state.session && state.session.expiresAt - now() > TOKEN_MIN_REMAINING_MS;
      for (const next of [...(isTokenUsable ? [] : [login]), findBucket, connect, subscribe, goOnline]) {
        checkWanted();
        await next();
      }
    },
  };
};

export type Steps = ReturnType<typeof createSteps>;
