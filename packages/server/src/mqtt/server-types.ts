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
  /** Seconds, already within the gateway's bounds. */
  keepAlive: number;
  ip: string;
  transport: Transport;
  will: Will | null;
};

export type Refusal = { accepted: false; cause: DeviceCodeName };

/** How fast a client may publish. */
export type Pace = {
  /** Whether its next publish may be taken in; where it must wait, `resume` is called when it may. */
  isDue: (resume: () => void) => boolean;
  /** The publish was taken in. */
  spend: () => void;
};

export type Admitted = {
  accepted: true;
  upTopic: string;
  downTopic: string;
  /** One publish on the up topic; acknowledge() when it is stored. Order of calls = order of arrival. */
  receive: (payload: Buffer, qos: Qos, acknowledge: () => void) => void;
  /** Without it the client may publish as fast as the gateway can take it. */
  pace?: Pace;
  /** The will, where it differs from any other publish; without it the will is received as one. */
  onWill?: (payload: Buffer) => void;
  /** Called exactly once per admitted connection, after its end. */
  closed: (reason: DisconnectReason, detail: string) => void;
};

/**
 * What became of a message downward. `lost`: the connection ended first, the client answered with a failure, or too many
 * wait already. `tooLarge`: the client said that it takes no packet of this size.
 */
export type Delivery = 'taken' | 'lost' | 'tooLarge' | 'unsubscribed';

export type Connection = {
  /** Publishes on the down topic. `taken` at the PUBACK; with QoS 0, where the client asked for it, when it is written. */
  send: (payload: Buffer) => Promise<Delivery>;
  /** Ends it: MQTT 5 clients get a DISCONNECT with the fitting reason code and words. */
  cut: (reason: DisconnectReason, detail?: string) => void;
};

export type Admit = (request: ConnectRequest, connection: Connection) => Promise<Admitted | Refusal>;

export type Certificate = { cert: Buffer | string; key: Buffer | string };

export type GatewayOptions = {
  host: string;
  /** null: no listener without TLS. */
  port: number | null;
  admit: Admit;
  log: Log;
  tls?: Certificate & { port: number };
  /**
   * Unix socket for WebSocket connections that the admin side pipes here; the client's address is the last entry of
   * X-Forwarded-For, written by the admin side itself.
   */
  socketPath?: string;
  /** Proxies that speak for many devices: the limits by address do not hold for them. */
  isProxy?: (ip: string) => boolean;
  limits?: Partial<GatewayLimits>;
};

export type GatewayStats = {
  connections: number;
  /** Publishes handed on and not acknowledged yet. */
  waitingMessages: number;
  waitingBytes: number;
  /** Sockets turned away since the start: refused CONNECTs, broken ones, those over a limit. */
  refused: number;
};

export type Gateway = {
  /** Of all ports. */
  address: string;
  port: number | null;
  tlsPort: number | null;
  /** For connections to come; those that are open stay as they are. */
  replaceCertificate: (certificate: Certificate) => void;
  stop: () => Promise<void>;
  stats: () => GatewayStats;
};

export type GatewayLimits = {
  connections: number;
  /** Sockets that are open but not admitted. */
  pendingConnections: number;
  /** Of one address, or one IPv6 /64. */
  pendingPerAddress: number;
  /** CONNECTs that fail within a minute, of one address or one IPv6 /64; beyond it the address is not let in. */
  failedPerAddress: number;
  connectWithinMs: number;
  /** How long admit() may take. */
  admitWithinMs: number;
  /** A packet once begun is finished within this. */
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
  /** Publishes of one client that wait for acknowledge, beyond which it is not read; MQTT 5: Receive Maximum. */
  windowMessages: number;
  /** Publishes of all clients that wait for acknowledge. */
  waitingMessages: number;
  waitingBytes: number;
  /** How far the hub reads ahead of a publish that must wait, to find the pings behind it. */
  readAheadBytes: number;
  readAheadTotalBytes: number;
  /** OutboundInflight messages of one client that wait for their PUBACK. */
  waitingSends: number;
  /** Bytes that the client has not taken; beyond, the hub stops reading from it. */
  unsentBytes: number;
  /** How long a client may go without taking anything. */
  slowWithinMs: number;
  /** How long a socket stays open after its last words, so that they arrive. */
  lingerMs: number;
  stopWithinMs: number;
  /** How often the deadlines are looked at. */
  sweepMs: number;
};

const KIB = 1_024;

export const defaultLimits: GatewayLimits = {
  connections: 20_000,
  pendingConnections: 2_000,
  pendingPerAddress: 200,
  failedPerAddress: 3_000,
  connectWithinMs: 10_000,
  admitWithinMs: 30_000,
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
