import { type Bucket, MessageType, onlineAnswer } from '@device-center/contract';
import { loginOf, nextIds, requestOf } from './client-state.ts';
import type { ClientRuntime } from './device-client.ts';
import { DeviceError, isClockRefusal, isTokenRefusal } from './device-error.ts';
import type { Emitter } from './emitter.ts';
import type { HubHttp } from './hub-http.ts';
import { type Link, openLink } from './mqtt-connection.ts';
import { inBrowser } from './runtime.ts';
import type { DeviceEvents, DeviceOptions, StepName } from './types.ts';

export const FIRST_DATA_ID = 10_000;
const KEEP_ALIVE_S = 60;
/** A token this near to its end is not worth a connection. */
const TOKEN_LEFT_MS = 5_000;

export type Clock = { now: () => number; setTo: (time: number) => void };

type StepsOptions = {
  options: DeviceOptions;
  voice: ClientRuntime;
  http: HubHttp;
  clock: Clock;
  events: Emitter<DeviceEvents>;
  onMessage: (text: string) => void;
  onOpen: (link: Link) => void;
};

const described = (error: unknown): { code?: number; word?: string; message: string } => {
  if (error instanceof DeviceError) return { code: error.code, word: error.word, message: error.message };
  return { message: error instanceof Error ? error.message : String(error) };
};

/** From nothing to online, step by step; each is told as it succeeds or fails. */
export const createSteps = ({ options, voice, http, clock, events, onMessage, onOpen }: StepsOptions) => {
  const { unit, ask, scheduleTokenRefresh } = voice;
  const { now } = clock;
  const transport = options.transport ?? (inBrowser() ? 'ws' : 'tcp');
  let bucket: Bucket | null = null;
  let link: Link | null = null;
  let wills = { sessionId: '', next: 0 };

  const step = async <Result>(name: StepName, work: () => Promise<Result>): Promise<Result> => {
    events.emit('trying', { step: name });
    try {
      const result = await work();
      events.emit('step', { step: name, ok: true });
      return result;
    } catch (error) {
      if (isTokenRefusal(error)) unit.session = null;
      events.emit('step', { step: name, ok: false, ...described(error) });
      throw error;
    }
  };

  const logIn = async () => {
    try {
      return await http.login(loginOf(unit, now()));
    } catch (error) {
      if (!isClockRefusal(error) || http.lastDate === null) throw error;
      clock.setTo(http.lastDate);
      return http.login(loginOf(unit, now()));
    }
  };

  const login = (): Promise<void> =>
    step('login', async () => {
      const { token, expireIn, tenantId, sessionId, deviceSecret } = await logIn();
      if (deviceSecret) {
        await options.onSecret?.(deviceSecret);
        unit.secret = deviceSecret;
      }
      unit.session = {
        sessionId,
        tenantId: options.tenantId ?? tenantId,
        token,
        expiresAt: now() + expireIn * 1_000,
        nextDataId: options.firstDataId ?? FIRST_DATA_ID,
      };
    });

  const tokenNow = (): string => {
    if (!unit.session) throw new Error('Log in first.');
    return unit.session.token;
  };

  const findBucket = (): Promise<Bucket> =>
    step('bucket', async () => {
      const told = await http.bucket(tokenNow(), transport);
      bucket = options.connectAt?.(told) ?? told;
      return bucket;
    });

  /** The wills of a session count down from before its first number: they may never be sent, and leave no gap. */
  const willIds = (): ReturnType<typeof nextIds> => {
    const sessionId = unit.session?.sessionId ?? '';
    if (wills.sessionId !== sessionId) wills = { sessionId, next: (options.firstDataId ?? FIRST_DATA_ID) - 1 };
    if (wills.next < 0) return nextIds(unit, now());
    return { sessionId, dataId: String(wills.next--), timestamp: now() };
  };
  const goodbye = () => requestOf(unit, willIds(), MessageType.login, JSON.stringify({ op: 'offline' }));

  const connect = (): Promise<void> =>
    step('connect', async () => {
      const token = tokenNow();
      if (!bucket) throw new Error('Ask for the bucket first.');
      link?.destroy();
      link = await openLink(
        { ...bucket, password: token },
        {
          protocolVersion: options.protocolVersion ?? 5,
          keepAlive: options.keepAlive ?? KEEP_ALIVE_S,
          qos: options.qos ?? 1,
          tls: options.tls ?? {},
          will: JSON.stringify(goodbye()),
          onMessage,
        },
      );
      onOpen(link);
    });

  const subscribe = (): Promise<void> =>
    step('subscribe', async () => {
      if (!link) throw new Error('Connect first.');
      await link.subscribe();
    });

  const goOnline = (): Promise<void> =>
    step('online', async () => {
      const { versionNumber, mac } = unit.info;
      const { keepAlive } = options;
      const told = {
        ...(versionNumber && { versionNumber }),
        ...(mac && { mac }),
        ...(keepAlive !== undefined && { keepAlive }),
      };
      const answer = onlineAnswer.parse(await ask(MessageType.login, { op: 'online', ...told }));
      const { loggerLevel, realTimePushSwitch } = answer.config;
      unit.settings = { loggerLevel, realTimePushSwitch };
      if (unit.session) unit.session.expiresAt = now() + answer.tokenExpireIn * 1_000;
      unit.ready = true;
      scheduleTokenRefresh();
      events.emit('settings', unit.settings);
      events.emit('online', { deviceId: unit.deviceId });
    });

  return {
    login,
    findBucket,
    connect,
    subscribe,
    goOnline,
    get link() {
      return link;
    },
    get topics() {
      return bucket?.topics ?? null;
    },
    /** `goOn` is asked before each step, and throws to end it. */
    bringUp: async (goOn: () => void): Promise<void> => {
      const isTokenGood = unit.session && unit.session.expiresAt - now() > TOKEN_LEFT_MS;
      for (const next of [...(isTokenGood ? [] : [login]), findBucket, connect, subscribe, goOnline]) {
        goOn();
        await next();
      }
    },
  };
};

export type Steps = ReturnType<typeof createSteps>;
