import { z } from 'zod';

/** Why a connection ended; rejected connections have a device protocol code instead. */
export const disconnectReasons = [
  /** The device sent DISCONNECT. */
  'byDevice',
  /** The socket closed without DISCONNECT. */
  'lost',
  /** No packet within 1.5 times the keep-alive. */
  'keepAlive',
  'replaced',
  'kicked',
  'blacklisted',
  'tokenExpired',
  'applicationDisabled',
  'tenancyClosed',
  'deleted',
  'secretReset',
  /** The device must connect in its zone. */
  'moved',
  /** The detail names the violation and the clause of the MQTT specification. */
  'protocolError',
  /** The device does not read what the hub sends. */
  'tooSlow',
  'hubStopped',
  'gatewayLost',
  'zoneLost',
] as const;

export type DisconnectReason = (typeof disconnectReasons)[number];
export const isDisconnectReason = (text: string): text is DisconnectReason =>
  disconnectReasons.some((reason) => reason === text);
/** Reasons for a direct connection: not those of a gateway or zone. */
export type ConnectionDisconnectReason = Exclude<DisconnectReason, 'gatewayLost' | 'zoneLost'>;

/** `status` of a connection event: online and offline by the specification; rejected is an extension. */
export const ConnectStatus = { connected: 1, disconnected: 2, refused: 3 } as const;

export const connectRow = z.object({
  id: z.string(),
  deviceId: z.string(),
  productId: z.string(),
  connectTime: z.string(),
  status: z.literal([1, 2, 3]),
  /** The reason of a disconnect, or the device protocol code of a rejection; otherwise ''. */
  reason: z.string(),
  /** What was rejected: login, CONNECT or message. */
  place: z.string(),
  detail: z.string(),
  ip: z.string(),
  transport: z.string(),
  /** Duration of the connection. */
  durationMs: z.int(),
});
export type ConnectRow = z.output<typeof connectRow>;
