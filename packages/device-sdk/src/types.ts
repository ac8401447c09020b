import type {
  Bucket,
  DeviceConfig,
  Envelope,
  Identity,
  LogLevelId,
  ModelFunction,
  SignMethod,
} from '@device-center/contract';
import type { BackoffOptions } from './backoff.ts';
import type { DeviceError } from './device-error.ts';
import type { Emitter } from './emitter.ts';
import type { Fetch } from './platform.ts';
import type { UpgradeOptions, UpgradeState } from './upgrade/types.ts';

export type Values = Record<string, unknown>;
export type Maybe<Value> = Value | Promise<Value>;

/** Identity of a device, with one of two secrets: its own, or its product's for self-registration. */
export type Credentials = {
  productId: string;
  deviceId: string;
  secret?: string;
  productSecret?: string;
  signMethod?: SignMethod;
  deviceName?: string;
  mac?: string;
  versionNumber?: string;
  hardware?: string;
  /**
   * Called with the device's own secret, which the hub returns only once, after a login with the product's: store it.
   * The login succeeds only when this callback has: after the first login with its own secret, a device can no longer
   * use the product's.
   */
  onSecret?: (deviceSecret: string) => Maybe<void>;
  /** Without this option, the device answers upgrades with UNSUPPORTED. */
  upgrade?: UpgradeOptions;
};

export type DeviceOptions = Credentials & {
  /** HTTP address of the hub: `https://hub.example.com`. */
  hubUrl: string;
  /** Default: `ws` in a browser, otherwise `tcp`. */
  transport?: 'tcp' | 'ws';
  /** Overrides the tenant id of the login response. Mock devices send 3. */
  tenantId?: string;
  queue?: { max: number };
  firstDataId?: number;
  backoff?: Partial<BackoffOptions>;
  protocolVersion?: 4 | 5;
  /** Seconds; reported to the hub with `online`. */
  keepAlive?: number;
  qos?: 0 | 1 | 2;
  /** PEM; `cert` and `key` when a broker requires a client certificate. */
  tls?: { ca?: string; cert?: string; key?: string; rejectUnauthorized?: boolean };
  now?: () => number;
  fetch?: Fetch;
  /** Replaces the address that the hub returned; for a device that runs on the hub's machine. */
  connectAt?: (bucket: Bucket) => Bucket;
  /** Milliseconds to wait for a response of the hub. */
  answerWithin?: number;
  /** Modifies each message before it is sent or sent again; for simulators and tests. */
  beforeSend?: (envelope: Envelope, attempt: { isRepeat: boolean }) => Envelope;
};

export type StepName = 'login' | 'bucket' | 'connect' | 'subscribe' | 'online';
export type Step = {
  step: StepName;
  ok: boolean;
  code?: number;
  codeName?: string;
  /** @deprecated Use `codeName`. */
  word?: string;
  message?: string;
};

/** The current session, without its token. */
export type SessionInfo = {
  sessionId: string;
  /** When the token expires, on the clock of this machine. */
  expiresAt: number;
  /** The `dataId` of the next message. */
  nextDataId: number;
  /** The uplink and downlink topics; null before the bucket is known. */
  topics: Bucket['topics'] | null;
};
/** @deprecated Renamed to `SessionInfo`. */
export type DeviceSession = SessionInfo;

/** A message sent or received. */
export type MessageTrace = { direction: 'up' | 'down'; envelope: Envelope };
/** @deprecated Renamed to `MessageTrace`. */
export type Passing = MessageTrace;
export type Settings = Pick<DeviceConfig, 'loggerLevel' | 'realTimePushSwitch'>;

/** A child emits only events about itself. */
export type DeviceEvents = {
  online: { deviceId: string };
  /** `reasonCode`: that of MQTT 5, when the hub closed the connection. */
  offline: { deviceId: string; reason: string; reasonCode?: number };
  /** The hub rejected a login or a message; `envelope` is the response. */
  refused: { refusal: DeviceError; envelope?: Envelope };
  /** The queue was full and dropped its `count` oldest messages; `total` counts since the start. */
  dropped: { count: number; total: number };
  settings: Settings;
  changed: { changed: ('model' | 'config')[] };
  /** 1: restart; 2: restart and reset local settings. */
  restart: { type: 1 | 2 };
  kicked: { reason: string; untilTime: number | null };
  /** Progress and result of an upgrade. */
  upgrade: UpgradeState;
  /** A received message was ignored: it is not for this device, or its signature is invalid. */
  ignored: { reason: string; envelope?: Envelope };
  /** A step of coming online starts; the `step` event gives its result. */
  trying: { step: StepName };
  step: Step;
  /** Every message sent or received, including those of children. */
  message: MessageTrace;
  /** Delay until the next connection attempt, in milliseconds. */
  waiting: { delay: number };
  error: { error: unknown };
};

export type ServiceHandler = (input: Values, service: string) => Maybe<Values | undefined>;
export type SyncTopic = 'time' | 'model' | 'config';
export type Synced = {
  time?: number;
  model?: { version: number; functions: ModelFunction[] };
  config?: DeviceConfig;
};

/** What devices and children have in common. Each promise resolves when the hub has stored the message. */
export type DeviceClient = {
  readonly deviceId: string;
  /** As configured or, after an upgrade, the installed version. */
  readonly versionNumber: string | undefined;
  readonly settings: Settings;
  report: (properties: Values, options?: { time?: number }) => Promise<void>;
  event: (event: string, output?: Values, options?: { time?: number }) => Promise<void>;
  /** Batched for up to a second; lines below the device's log level are discarded. */
  log: (level: Exclude<LogLevelId, 8>, text: string) => Promise<void>;
  transparent: (bytes: Uint8Array) => Promise<void>;
  identity: (identity: Identity) => Promise<void>;
  /** Replaces the token; the client also does so automatically before it expires. */
  refresh: () => Promise<void>;
  sync: (ask: SyncTopic[]) => Promise<Synced>;
  /** `*` handles every service of the model without a handler of its own. */
  onService: (service: string, handler: ServiceHandler) => void;
  onSet: (handler: (properties: Values) => Maybe<Values>) => void;
  onGet: (handler: (signCodes: string[]) => Maybe<Values>) => void;
  onIdentity: (handler: () => Maybe<Identity>) => void;
  onTransparent: (handler: (bytes: Uint8Array) => Maybe<void>) => void;
};

export type Child = DeviceClient &
  Pick<Emitter<DeviceEvents>, 'on'> & {
    readonly online: boolean;
  };

export type Device = DeviceClient &
  Pick<Emitter<DeviceEvents>, 'on'> & {
    readonly online: boolean;
    /** Number of messages that are queued or in flight. */
    readonly pending: number;
    /** Null before the first login and until the next one after a kick or relogin(). */
    readonly session: SessionInfo | null;
    /** Resolves when the device is online for the first time. Keeps reconnecting until stop(). */
    start: () => Promise<void>;
    /** Goes offline and disconnects; messages still in the queue are discarded. */
    stop: () => Promise<void>;
    // The single steps, for manual control.
    login: () => Promise<void>;
    findBucket: () => Promise<Bucket>;
    connect: () => Promise<void>;
    subscribe: () => Promise<void>;
    goOnline: () => Promise<void>;
    /** Opens a new session and connection without the back-off delay, whether or not start() was called. */
    relogin: () => Promise<void>;
    reconnect: () => Promise<void>;
    /** Closes the socket without DISCONNECT, like a network failure. */
    dropConnection: () => void;
    /** @deprecated Use `dropConnection()`. */
    disrupt: () => void;
    addChild: (child: Credentials) => Child;
    removeChild: (deviceId: string) => Promise<void>;
  };
