import { z } from 'zod';
import { boundedList } from '../bounded.ts';
import { signMethods } from './signature.ts';
import { UPGRADE_DETAIL_MAX } from './upgrade.ts';

/** Log levels with the specification's numbers. OFF is only a setting, not a level of a line. */
export const logLevels = { 2: 'TRACE', 3: 'DEBUG', 4: 'INFO', 5: 'WARN', 6: 'ERROR', 7: 'FATAL', 8: 'OFF' } as const;
export const logLevelIds = [2, 3, 4, 5, 6, 7, 8] as const;
export type LogLevelId = (typeof logLevelIds)[number];

export const LOG_LINES_MAX = 100;
export const LOG_LINE_MAX_BYTES = 4 * 1024;
export const TRANSPARENT_MAX_BYTES = 64 * 1024;

const withoutNul = (value: string): boolean => !value.includes('\0');
const short = (max: number) => z.string().max(max).refine(withoutNul);
const epochMs = z.int().min(0).max(8.64e15);
const values = z.record(z.string(), z.unknown());

/** 1-64 letters, digits and `_ - . :`; unique on the hub. */
export const DEVICE_ID = /^[A-Za-z0-9_\-.:]{1,64}$/;
export const NONCE = /^[A-Za-z0-9]{8,64}$/;

/** Login request of a device, or of a gateway for its child. */
export const loginFields = z.strictObject({
  productId: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
  deviceId: z.string().regex(DEVICE_ID),
  timestamp: epochMs,
  nonce: z.string().regex(NONCE),
  signMethod: z.enum(signMethods),
  signature: z.string().min(1).max(128),
  mac: short(64).optional(),
  deviceName: short(50).optional(),
  versionNumber: short(64).optional(),
});
export type LoginFields = z.output<typeof loginFields>;

export const loginAnswer = z.object({
  token: z.string(),
  /** Seconds. */
  expireIn: z.int(),
  tenantId: z.string(),
  sessionId: z.string(),
  /** Only after a login with the product's secret; returned once. */
  deviceSecret: z.string().optional(),
});
export type LoginAnswer = z.output<typeof loginAnswer>;

export const deviceConfig = z.object({
  loggerLevel: z.literal(logLevelIds),
  realTimePushSwitch: z.literal([0, 1]),
  haZoneId: z.int(),
});
export type DeviceConfig = z.output<typeof deviceConfig>;

// Uplink payloads.

export const onlineRequest = z.union([
  z.strictObject({
    op: z.literal('online'),
    versionNumber: short(64).optional(),
    mac: short(64).optional(),
    modelVersion: z.int().optional(),
    /** Keep-alive of CONNECT in seconds; behind a zone's broker the hub does not see CONNECT. */
    keepAlive: z.int().min(0).max(65_535).optional(),
  }),
  z.strictObject({ op: z.literal('offline') }),
]);

export const propertyReport = z.strictObject({ properties: values, time: epochMs.optional() });
export const eventReport = z.strictObject({
  event: z.string().min(1).max(64),
  output: values.default({}),
  time: epochMs.optional(),
});
/** System event of an upgrade: 2 downloading, 3 verifying, 4 installing, 6 failed, with the reason. */
export const otaProgress = z.strictObject({
  deviceOtaTaskId: short(64),
  attempt: z.int().positive(),
  status: z.literal([2, 3, 4, 6]),
  percent: z.number().min(0).max(100),
  /** 3 download, 4 verification, 5 installation. */
  reason: z.literal([3, 4, 5]).optional(),
  /** Extension: the device's description of the failure. */
  detail: short(UPGRADE_DETAIL_MAX).optional(),
});
export type OtaProgress = z.output<typeof otaProgress>;

export const identity = z.strictObject({
  mac: short(64).optional(),
  versionNumber: short(64).optional(),
  hardware: short(64).optional(),
  sdk: short(64).optional(),
});
export type Identity = z.output<typeof identity>;

export const logReport = z.strictObject({
  logs: boundedList(z.strictObject({ level: z.int().min(2).max(7), time: epochMs, log: z.string() }), {
    min: 1,
    max: LOG_LINES_MAX,
  }),
});
export const childRequest = z.union([
  z.strictObject({ op: z.literal('login'), child: loginFields }),
  z.strictObject({ op: z.literal('logout'), deviceId: z.string().regex(DEVICE_ID) }),
]);
export const refreshRequest = z.strictObject({});
export const syncRequest = z.strictObject({
  ask: boundedList(z.enum(['time', 'model', 'config']), { min: 1, max: 3 }),
});

/** Device requests to which the hub sends a response on success. */
export const deviceRequests = {
  1: onlineRequest,
  5: identity,
  8: childRequest,
  9: refreshRequest,
  10: syncRequest,
};
type UpRequests = typeof deviceRequests;
/** A parsed request. */
export type DeviceRequest = {
  [Type in keyof UpRequests]: { type: Type; body: z.output<UpRequests[Type]> };
}[keyof UpRequests];
export const isDeviceRequest = (type: number): type is DeviceRequest['type'] => type in deviceRequests;

// Downlink payloads, and the device's responses.

export const setRequest = z.strictObject({ properties: values });
export const getRequest = z.strictObject({ get: boundedList(z.string().max(64), { min: 1, max: 500 }) });
export const serviceRequest = z.strictObject({ service: z.string().min(1).max(64), input: values });
export const syncNotice = z.strictObject({
  changed: boundedList(z.enum(['model', 'config']), { min: 1, max: 2 }),
});
/** Requests of the hub to a device. */
export const hubRequests = {
  2: z.union([setRequest, getRequest]),
  4: serviceRequest,
  5: z.strictObject({}),
  10: syncNotice,
};

export const propertyAnswer = z.object({ properties: values.default({}) });
export const serviceAnswer = z.object({ output: values.default({}) });

// Responses of the hub.

export const onlineAnswer = z.object({
  time: epochMs,
  tokenExpireIn: z.int(),
  modelVersion: z.int(),
  config: deviceConfig,
});
export const childAnswer = z.object({
  deviceId: z.string(),
  token: z.string(),
  expireIn: z.int(),
  sessionId: z.string(),
  deviceSecret: z.string().optional(),
});
export const refreshAnswer = z.object({ token: z.string(), expireIn: z.int() });
export const syncAnswer = z.object({
  time: epochMs.optional(),
  model: z.object({ version: z.int(), functions: z.array(z.unknown()) }).optional(),
  config: deviceConfig.optional(),
});

/** Connection parameters returned by getConnectBucket. */
export const bucket = z.object({
  zoneId: z.int(),
  protocol: z.enum(['mqtt', 'mqtts', 'ws', 'wss']),
  host: z.string(),
  port: z.int(),
  path: z.string(),
  tls: z.boolean(),
  clientId: z.string(),
  username: z.string(),
  password: z.string(),
  topics: z.object({ up: z.string(), down: z.string() }),
});
export type Bucket = z.output<typeof bucket>;
