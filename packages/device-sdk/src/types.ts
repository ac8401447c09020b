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
import type { Fetch } from './runtime.ts';
import type { UpgradeOptions, UpgradeState } from './upgrade/types.ts';

export type Values = Record<string, unknown>;
export type Maybe<Value> = Value | Promise<Value>;

/** Who a device is. One of the two secrets: its own, or its product's where it registers itself. */
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
   * The device's own secret, answered once to a log-in with the product's: keep it. The log-in counts only when this
   * has succeeded, since the product's secret is worth nothing after the first log-in with the device's own.
   */
  onSecret?: (deviceSecret: string) => Maybe<void>;
  /** Without it, upgrades are answered UNSUPPORTED. */
  upgrade?: UpgradeOptions;
};

export type DeviceOptions = Credentials & {
  /** Where the hub answers HTTP: `https://hub.example.com`. */
  hubUrl: string;
  /** `ws` in a browser, else `tcp`. */
  transport?: 'tcp' | 'ws';
  /** Mock devices send 3; others leave it to the log-in. */
  tenantId?: string;
  queue?: { max: number };
  firstDataId?: number;
  backoff?: Partial<BackoffOptions>;
  protocolVersion?: 4 | 5;
  /** Seconds; reported to the hub with `online`. */
  keepAlive?: number;
  qos?: 0 | 1 | 2;
  /** PEM; `cert` and `key` where a broker asks the device for a certificate of its own. */
  tls?: { ca?: string; cert?: string; key?: string; rejectUnauthorized?: boolean };
  now?: () => number;
  fetch?: Fetch;
  /** Where to connect, in place of where the hub says; for a device that runs beside its hub. */
  connectAt?: (bucket: Bucket) => Bucket;
  /** Milliseconds to wait for an answer of the hub. */
  answerWithin?: number;
  /** Changes a message before it is sent, also before it is sent again; for simulators and tests. */
  beforeSend?: (envelope: Envelope, attempt: { isRepeat: boolean }) => Envelope;
};

export type StepName = 'login' | 'bucket' | 'connect' | 'subscribe' | 'online';
export type Step = { step: StepName; ok: boolean; code?: number; word?: string; message?: string };

/** What the last log-in brought, as far as it may be looked at. */
export type DeviceSession = {
  sessionId: string;
  /** The token's end, by the clock of this machine. */
  expiresAt: number;
  /** The number of the next message. */
  nextDataId: number;
  /** Where it speaks and listens; nothing before the bucket is known. */
  topics: Bucket['topics'] | null;
};

export type Passing = { direction: 'up' | 'down'; envelope: Envelope };
export type Settings = Pick<DeviceConfig, 'loggerLevel' | 'realTimePushSwitch'>;

/** A child has those of its own conversation alone. */
export type DeviceEvents = {
  online: { deviceId: string };
  /** `reasonCode`: MQTT 5's, where it was the hub that ended it. */
  offline: { deviceId: string; reason: string; reasonCode?: number };
  /** The hub's no, to a log-in or to a message; `envelope` is the response that said so. */
  refused: { refusal: DeviceError; envelope?: Envelope };
  /** `count` messages fell out of the full queue; `total` since the start. */
  dropped: { count: number; total: number };
  settings: Settings;
  changed: { changed: ('model' | 'config')[] };
  /** 1 restart, 2 restart and forget local settings. */
  restart: { type: 1 | 2 };
  kicked: { reason: string; untilTime: number | null };
  /** How an upgrade goes on, from its first byte to its end. */
  upgrade: UpgradeState;
  /** What came and was not obeyed: not this device's, not signed by the hub. */
  ignored: { reason: string; envelope?: Envelope };
  /** A step begins; `step` tells how it ended. */
  trying: { step: StepName };
  step: Step;
  /** Every message, both ways, also those of children. */
  message: Passing;
  /** The next try, in milliseconds. */
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

/** What a device and a gateway's child can both do. Each promise holds when the hub has stored the message. */
export type DeviceClient = {
  readonly deviceId: string;
  /** As it was given or, after an upgrade, as it was installed. */
  readonly versionNumber: string | undefined;
  readonly settings: Settings;
  report: (properties: Values, options?: { time?: number }) => Promise<void>;
  event: (event: string, output?: Values, options?: { time?: number }) => Promise<void>;
  /** Gathered for up to a second; lines below the device's level are left out. */
  log: (level: Exclude<LogLevelId, 8>, text: string) => Promise<void>;
  transparent: (bytes: Uint8Array) => Promise<void>;
  identity: (identity: Identity) => Promise<void>;
  /** A new token in place of the present one; done by itself in time. */
  refresh: () => Promise<void>;
  sync: (ask: SyncTopic[]) => Promise<Synced>;
  /** `*` stands for every service of the model that has no handler of its own. */
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
    /** Messages that wait for the hub. */
    readonly pending: number;
    /** Nothing before the first log-in, and while another is due. */
    readonly session: DeviceSession | null;
    /** Holds when the device is online for the first time; goes on trying until then, and after every loss. */
    start: () => Promise<void>;
    /** Says goodbye; what still waits is given up. */
    stop: () => Promise<void>;
    // The single steps, by hand.
    login: () => Promise<void>;
    findBucket: () => Promise<Bucket>;
    connect: () => Promise<void>;
    subscribe: () => Promise<void>;
    goOnline: () => Promise<void>;
    /** A new session and a new connection, without the wait; started or not. */
    relogin: () => Promise<void>;
    reconnect: () => Promise<void>;
    /** Cuts the socket without a goodbye, as a lost network would. */
    disrupt: () => void;
    addChild: (child: Credentials) => Child;
    removeChild: (deviceId: string) => Promise<void>;
  };
