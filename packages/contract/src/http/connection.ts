import { z } from 'zod';

/** Why a connection ended; `refused` rows carry a word of the protocol instead. */
export const disconnectReasons = [
  /** DISCONNECT. */
  'byDevice',
  /** The socket closed without DISCONNECT. */
  'lost',
  /** Nothing heard for one and a half times the keep-alive. */
  'keepAlive',
  'replaced',
  'kicked',
  'blacklisted',
  'tokenExpired',
  'applicationDisabled',
  'tenancyClosed',
  'deleted',
  'secretReset',
  /** It shall connect in its zone. */
  'moved',
  /** The detail says what, with the clause. */
  'protocolError',
  /** It does not take what the hub sends. */
  'tooSlow',
  'hubStopped',
  'gatewayLost',
  'zoneLost',
] as const;

export type DisconnectReason = (typeof disconnectReasons)[number];
export const isDisconnectReason = (word: string): word is DisconnectReason =>
  disconnectReasons.some((reason) => reason === word);
/** Of a connection of its own: not because of what it stood behind. */
export type ConnectionDisconnectReason = Exclude<DisconnectReason, 'gatewayLost' | 'zoneLost'>;

/** `status` of a connect record: the spec's online and offline, and the extension of what was refused. */
export const ConnectStatus = { connected: 1, disconnected: 2, refused: 3 } as const;

export const connectRow = z.object({
  id: z.string(),
  deviceId: z.string(),
  productId: z.string(),
  connectTime: z.string(),
  status: z.literal([1, 2, 3]),
  /** Of a disconnect one of the reasons, of a refusal the protocol's word, else ''. */
  reason: z.string(),
  /** Where it was refused: log-in, CONNECT or message. */
  place: z.string(),
  detail: z.string(),
  ip: z.string(),
  transport: z.string(),
  /** How long the connection had lasted. */
  durationMs: z.int(),
});
export type ConnectRow = z.output<typeof connectRow>;
