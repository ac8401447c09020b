import { z } from 'zod';
import { signMethods } from './signature.ts';

export const PROTOCOL_VERSION = '1.0.1';
/** A whole message, as bytes. */
export const MESSAGE_MAX_BYTES = 128 * 1024;

/** Direction within a conversation: `dataFlow` of the envelope. */
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

/** `tenantId` and `dataId` may come as whole numbers too. */
const wholeOrText = (max: number) => z.union([z.int().nonnegative().transform(String), z.string().max(max)]);

const DATA_ID = /^(?:0|[1-9]\d{0,15})$/;

/** Strict: a field that is not known would be signed by the device and not by the hub. */
export const envelope = z.strictObject({
  dataFlow: z.literal([0, 1]),
  sessionId: z.string().max(64),
  tenantId: wholeOrText(64),
  version: z.string().max(16),
  signMethod: z.enum(signMethods),
  token: z.string().max(128).default(''),
  dataId: wholeOrText(16).refine((value) => DATA_ID.test(value) && Number.isSafeInteger(Number(value))),
  type: z.int(),
  deviceId: z.string().max(64),
  length: z.int().nonnegative(),
  payload: z.string(),
  timestamp: z.int().nonnegative(),
  signature: z.string().max(128),
  code: z.int().optional(),
  message: z.string().max(500).optional(),
});
export type Envelope = z.output<typeof envelope>;
