import { type ConnectionDisconnectReason, type DeviceCodeName, WINDOW_MESSAGES } from '@device-center/contract';
import type { Log } from '../platform/log.ts';

export type DisconnectReason = ConnectionDisconnectReason;

export type Transport = 'tcp' | 'tls' | 'ws';
export type ProtocolVersion = 4 | 5;
export type Qos = 0 | 1 | 2;
export type Will = { topic: string; payload: Buffer };

export type ConnectRequest = {
  clientId: string;
  username: string;
  password: string;
  protocolVersion: ProtocolVersion;
  /** Seconds, within the server's bounds. */
  keepAlive: number;
  ip: string;
  transport: Transport;
  will: Will | null;
};

export type RejectedConnect = { accepted: false; cause: DeviceCodeName };

/** Limits how fast a client may publish. */
export type RateLimit = {
  /** Whether the next publish may be accepted; if not, `resume` is called once it may. */
  isAllowed: (resume: () => void) => boolean;
  /** Called when the publish was accepted. */
  consume: () => void;
};

export type AcceptedConnect = {
  accepted: true;
  upTopic: string;
  downTopic: string;
  /** Called for each publish on the uplink topic, in order of arrival; call acknowledge() once it is stored. */
  receive: (payload: Buffer, qos: Qos, acknowledge: () => void) => void;
  /** Without it, only the server's own limits apply. */
  rateLimit?: RateLimit;
  /** Receives the will; without it the will is passed to `receive`. */
  onWill?: (payload: Buffer) => void;
  /** Called exactly once per accepted connection, after its end. */
  closed: (reason: DisconnectReason, detail: string) => void;
};

/**
 * Outcome of a downlink message. `lost`: the connection ended first, the client answered with an error code, or its
 * queue is full. `tooLarge`: the packet exceeds the client's Maximum Packet Size.
 */
export type Delivery = 'delivered' | 'lost' | 'tooLarge' | 'unsubscribed';

export type ClientHandle = {
  /** Publishes on the downlink topic. `delivered`: PUBACK received, or written if the client subscribed with QoS 0. */
  send: (payload: Buffer) => Promise<Delivery>;
  /** Ends the connection; MQTT 5 clients first get a DISCONNECT with a reason code and reason string. */
  disconnect: (reason: DisconnectReason, detail?: string) => void;
};

export type AuthorizeConnect = (
  request: ConnectRequest,
  connection: ClientHandle,
) => Promise<AcceptedConnect | RejectedConnect>;

export type Certificate = { cert: Buffer | string; key: Buffer | string };

export type ServerOptions = {
  host: string;
  /** null: no listener without TLS. */
  port: number | null;
  authorize: AuthorizeConnect;
  log: Log;
  tls?: Certificate & { port: number };
  /**
   * Unix socket for WebSocket connections proxied by the admin process. The client's address is the last entry of
   * X-Forwarded-For, which the admin process appends.
   */
  socketPath?: string;
  /** Trusted proxies carry many devices and are exempt from the limits per address. */
  isProxy?: (ip: string) => boolean;
  limits?: Partial<ServerLimits>;
};

export type ServerStats = {
  connections: number;
  /** Received publishes that are not acknowledged yet. */
  waitingMessages: number;
  waitingBytes: number;
  /** Sockets refused since the start: rejected or malformed CONNECTs, and those over a limit. */
  refused: number;
};

export type MqttServer = {
  /** The address that all ports listen on. */
  address: string;
  port: number | null;
  tlsPort: number | null;
  /** Applies to new connections; open ones keep the old certificate. */
  replaceCertificate: (certificate: Certificate) => void;
  stop: () => Promise<void>;
  stats: () => ServerStats;
};

export type ServerLimits = {
  connections: number;
  /** Open sockets without an accepted client. */
  pendingConnections: number;
  /** Per address, or per IPv6 /64. */
  pendingPerAddress: number;
  /** Failed CONNECTs per minute and address or IPv6 /64; beyond it, new sockets of the address are refused. */
  failedPerAddress: number;
  connectWithinMs: number;
  /** Timeout of authorize(). */
  authorizeWithinMs: number;
  /** Timeout for the rest of a packet that has begun to arrive. */
  packetWithinMs: number;
  /** A whole CONNECT without its will. */
  connectBytes: number;
  connectWithWillBytes: number;
  /** Any other whole packet: a message of 128 KiB and its topic and properties. */
  packetBytes: number;
  webSocketFrameBytes: number;
  /** Seconds. */
  keepAliveMin: number;
  keepAliveMax: number;
  /** Unacknowledged publishes per client; beyond it the hub stops reading. MQTT 5: Receive Maximum. */
  windowMessages: number;
  /** Unacknowledged publishes of all clients. */
  waitingMessages: number;
  waitingBytes: number;
  /** How far the hub reads ahead while a publish waits, to find PINGREQ packets behind it. */
  readAheadBytes: number;
  readAheadTotalBytes: number;
  /** Downlink messages per client that are queued or unacknowledged. */
  waitingSends: number;
  /** Bytes waiting to be sent to a client; beyond it the hub stops reading from it. */
  unsentBytes: number;
  /** How long a client may go without acknowledging or reading anything. */
  slowWithinMs: number;
  /** How long a socket stays open after the final packet, so that the packet arrives. */
  lingerMs: number;
  stopWithinMs: number;
  /** How often deadlines are checked. */
  sweepMs: number;
};

const KIB = 1_024;

export const defaultLimits: ServerLimits = {
  connections: 20_000,
  pendingConnections: 2_000,
  pendingPerAddress: 200,
  failedPerAddress: 3_000,
  connectWithinMs: 10_000,
  authorizeWithinMs: 30_000,
  packetWithinMs: 30_000,
  connectBytes: 4 * KIB,
  connectWithWillBytes: 16 * KIB,
  packetBytes: 129 * KIB,
  webSocketFrameBytes: 256 * KIB,
  keepAliveMin: 10,
  keepAliveMax: 1_200,
  windowMessages: WINDOW_MESSAGES,
  waitingMessages: 20_000,
  waitingBytes: 32 * KIB * KIB,
  readAheadBytes: 16 * KIB,
  readAheadTotalBytes: 32 * KIB * KIB,
  waitingSends: 200,
  unsentBytes: KIB * KIB,
  slowWithinMs: 30_000,
  lingerMs: 1_000,
  stopWithinMs: 2_000,
  sweepMs: 500,
};
