import { z } from 'zod';
import { signMethods } from './signature.ts';

export const PROTOCOL_VERSION = '1.0.1';
/** Maximum size of a message in bytes. */
export const MESSAGE_MAX_BYTES = 128 * 1024;
/** Receive Maximum: unacknowledged messages per device, beyond which the hub stops reading from its socket. */
export const WINDOW_MESSAGES = 64;
/** Maximum length of a response's `message`, in characters. */
export const RESPONSE_MESSAGE_MAX = 500;

/** `dataFlow` of the envelope. */
export const Flow = { request: 0, response: 1 } as const;

export const MessageType = {
  login: 1,
  config: 2,
  event: 3,
  service: 4,
  identity: 5,
  log: 6,
  transparent: 7,
  childLogin: 8,
  refresh: 9,
  sync: 10,
} as const;
export type MessageTypeId = (typeof MessageType)[keyof typeof MessageType];

const typeIds = new Set<number>(Object.values(MessageType));
export const isMessageType = (type: number): type is MessageTypeId => typeIds.has(type);

/** `tenantId` and `dataId` may also be sent as integers. */
const wholeOrText = (max: number) => z.union([z.int().nonnegative().transform(String), z.string().max(max)]);

const DATA_ID = /^(?:0|[1-9]\d{0,15})$/;
/** Whether the text is a decimal integer that a record can store. */
export const isDataId = (text: string): boolean => DATA_ID.test(text) && Number.isSafeInteger(Number(text));

/** Latest time that a JavaScript Date can represent. */
const TIME_MAX = 8.64e15;

/** Strict: an unknown field would be part of the device's signature but not of the hub's. */
export const envelope = z.strictObject({
  dataFlow: z.literal([0, 1]),
  sessionId: z.string().max(64),
  tenantId: wholeOrText(64),
  version: z.string().max(16),
  signMethod: z.enum(signMethods),
  token: z.string().max(128).default(''),
  dataId: wholeOrText(16).refine(isDataId),
  type: z.int(),
  deviceId: z.string().max(64),
  length: z.int().nonnegative(),
  payload: z.string(),
  timestamp: z.int().nonnegative().max(TIME_MAX),
  signature: z.string().max(128),
  code: z.int().optional(),
  message: z.string().max(RESPONSE_MESSAGE_MAX).optional(),
});
export type Envelope = z.output<typeof envelope>;

const keys = new Set(Object.keys(envelope.shape));

const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const wholeAsText = (value: unknown, max: number): string | undefined => {
  if (typeof value === 'string') return value.length <= max ? value : undefined;
  return isWhole(value) && value >= 0 ? String(value) : undefined;
};

/**
 * Hand-written equivalent of the schema, for speed: every message of every device is parsed here. Returns the name of the
 * invalid field; a test compares both.
 */
export const readEnvelope = (value: unknown): Envelope | { wrong: string } => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { wrong: 'the message' };
  const given = value as Record<string, unknown>;
  for (const key in given) if (!keys.has(key)) return { wrong: key };
  const { dataFlow, sessionId, version, signMethod, token = '', type, deviceId, length } = given;
  const { payload, timestamp, signature, code, message } = given;
  if (dataFlow !== 0 && dataFlow !== 1) return { wrong: 'dataFlow' };
  if (!isText(sessionId, 64)) return { wrong: 'sessionId' };
  const tenantId = wholeAsText(given.tenantId, 64);
  if (tenantId === undefined) return { wrong: 'tenantId' };
  if (!isText(version, 16)) return { wrong: 'version' };
  if (signMethod !== 'md5' && signMethod !== 'hmacsha256') return { wrong: 'signMethod' };
  if (!isText(token, 128)) return { wrong: 'token' };
  const dataId = wholeAsText(given.dataId, 16);
  if (dataId === undefined || !isDataId(dataId)) return { wrong: 'dataId' };
  if (!isWhole(type)) return { wrong: 'type' };
  if (!isText(deviceId, 64)) return { wrong: 'deviceId' };
  if (!isWhole(length) || length < 0) return { wrong: 'length' };
  if (typeof payload !== 'string') return { wrong: 'payload' };
  if (!isWhole(timestamp) || timestamp < 0 || timestamp > TIME_MAX) return { wrong: 'timestamp' };
  if (!isText(signature, 128)) return { wrong: 'signature' };
  if (code !== undefined && !isWhole(code)) return { wrong: 'code' };
  if (message !== undefined && !isText(message, RESPONSE_MESSAGE_MAX)) return { wrong: 'message' };
  const read = { dataFlow, sessionId, tenantId, version, signMethod, token, dataId, type, deviceId, length, payload };
  return {
    ...read,
    timestamp,
    signature,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  } as Envelope;
};
