import type { Duplex } from 'node:stream';
import { generate, type IConnackPacket, type Packet, parser } from 'mqtt-packet';
import { NodeFailure } from '../platform/outbound/node-failure.ts';
import { withAbort } from '../platform/with-abort.ts';

/** Options of an MQTT client connection to an external broker; the socket is already open. */
export type BrokerOptions = {
  stream: Duplex;
  version: 4 | 5;
  clientId: string;
  username: string;
  password: string;
  /** Requests a persistent session: the broker queues messages while the hub is disconnected. */
  keepSession: boolean;
  /** Called for each handlePublish message; call acknowledge() once it is stored. */
  receive: (topic: string, payload: Buffer, acknowledge: () => void) => void;
  closed: (reason: string) => void;
  /** Aborts the wait for CONNACK; has no effect afterwards. */
  signal?: AbortSignal | undefined;
};

/** The broker rejected the CONNECT. */
export class ConnackError extends Error {
  /** Return code (3.1.1) or reason code (5) of the CONNACK. */
  readonly code: number;

  constructor(code: number, reasonString = '') {
    super(reasonString || `connection refused with code ${code}`);
    this.code = code;
  }
}

const KEEP_ALIVE_S = 30;
const ANSWER_WITHIN_MS = 15_000;
/** A broker that still sends is busy, not dead: after a disconnect it would resend all unacknowledged messages. */
const ANSWER_WITHIN_MAX_MS = 120_000;
const SESSION_NEVER_EXPIRES = 0xffff_ffff;
const PACKET_BYTES_MAX = 256 * 1_024;
/** Receive Maximum: unacknowledged messages that the broker may have in flight. */
const RECEIVE_MAXIMUM = 1_000;
const PACKET_IDS = 65_535;
const FIRST_ERROR_CODE = 0x80;
/** Time for DISCONNECT to be sent before the socket is destroyed. */
const CLOSE_DELAY_MS = 200;

const timeoutError = (): Error => Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });

type PendingRequest = { resolve: (code: number) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/**
 * MQTT 3.1.1 and 5 client with manual acknowledgement: PUBACKs are sent in order of arrival, each once its message is
 * stored, so that the broker resends messages that were not.
 */
export const openBroker = async (options: BrokerOptions) => {
  // Monotonic: only durations matter here, and the system time may be changed.
  const clock = (): number => performance.now();
  const { stream, version } = options;
  const pending = new Map<number, PendingRequest>();
  /** Received but not yet acknowledged, oldest first. [MQTT-4.6.0-2] */
  const unacknowledged: { id: number; stored: boolean }[] = [];
  let lastId = 0;
  let open = true;
  let lastPacketAt = clock();
  /** The same without PINGRESP. */
  let lastActivityAt = clock();
  let lastPublishAt = clock();
  const connackReceived = Promise.withResolvers<IConnackPacket>();
  let accepted = false;

  const write = (packet: Packet): void => {
    if (open) stream.write(generate(packet, { protocolVersion: version }));
  };

  const markClosed = (cause: Error): void => {
    if (!open) return;
    open = false;
    clearInterval(keepAliveTimer);
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer);
      reject(cause);
    }
    pending.clear();
    connackReceived.reject(cause);
    if (accepted) options.closed(cause.message);
  };

  const close = (cause: Error): void => {
    markClosed(cause);
    stream.destroy();
  };

  const nextId = (): number => {
    do lastId = (lastId % PACKET_IDS) + 1;
    while (pending.has(lastId));
    return lastId;
  };

  const request = (packet: (messageId: number) => Packet): Promise<number> =>
    new Promise((resolve, reject) => {
      if (!open) return reject(new Error('closed'));
      const id = nextId();
      const requestedAt = clock();
      const isBusy = (now: number): boolean =>
        lastActivityAt > requestedAt &&
        now - lastActivityAt < ANSWER_WITHIN_MS &&
        now - requestedAt + ANSWER_WITHIN_MS <= ANSWER_WITHIN_MAX_MS;
      const timer = setTimeout(() => {
        if (isBusy(clock())) timer.refresh();
        else close(timeoutError());
      }, ANSWER_WITHIN_MS);
      pending.set(id, { resolve, reject, timer });
      write(packet(id));
    });

  const resolveRequest = (id: number, code: number): void => {
    const entry = pending.get(id);
    if (!entry) return;
    pending.delete(id);
    clearTimeout(entry.timer);
    entry.resolve(code);
  };

  const acknowledge = (entry: { id: number; stored: boolean }): void => {
    entry.stored = true;
    while (unacknowledged[0]?.stored) write({ cmd: 'puback', messageId: unacknowledged.shift()?.id ?? 0 });
  };

  const handlePublish = (packet: Extract<Packet, { cmd: 'publish' }>): void => {
    lastPublishAt = clock();
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    if (packet.qos === 0) {
      options.receive(packet.topic, payload, () => undefined);
      return;
    }
    const entry = { id: packet.messageId ?? 0, stored: false };
    unacknowledged.push(entry);
    options.receive(packet.topic, payload, () => acknowledge(entry));
  };

  /** Handled synchronously: queued messages of the session may follow in the same chunk. */
  const handleConnack = (packet: Packet): void => {
    if (packet.cmd !== 'connack') {
      close(new NodeFailure('protocol'));
      return;
    }
    const code = packet.reasonCode ?? packet.returnCode ?? 0;
    accepted = code === 0;
    if (accepted) connackReceived.resolve(packet);
    else close(new ConnackError(code, packet.properties?.reasonString));
  };

  const handlePacket = (packet: Packet): void => {
    if (!open) return;
    lastPacketAt = clock();
    if (packet.cmd !== 'pingresp') lastActivityAt = lastPacketAt;
    if (!accepted) handleConnack(packet);
    else if (packet.cmd === 'publish') handlePublish(packet);
    else if (packet.cmd === 'puback') resolveRequest(packet.messageId ?? 0, packet.reasonCode ?? 0);
    else if (packet.cmd === 'suback') resolveRequest(packet.messageId ?? 0, Number(packet.granted[0] ?? 0));
    else if (packet.cmd === 'unsuback') resolveRequest(packet.messageId ?? 0, 0);
    else if (packet.cmd === 'disconnect')
      close(new Error(packet.properties?.reasonString ?? `disconnected: ${packet.reasonCode}`));
  };

  const keepAliveTimer = setInterval(() => {
    if (clock() - lastPacketAt > KEEP_ALIVE_S * 1_500) close(new Error('keep-alive missed'));
    else write({ cmd: 'pingreq' });
  }, KEEP_ALIVE_S * 500);

  const packets = parser({ protocolVersion: version });
  packets.on('packet', handlePacket);
  packets.on('error', () => close(new NodeFailure('protocol')));
  stream.on('data', (bytes: Buffer) => packets.parse(bytes));
  stream.on('error', close);
  stream.on('close', () => close(new Error('connection closed')));

  write({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clientId: options.clientId,
    clean: !options.keepSession,
    keepalive: KEEP_ALIVE_S,
    ...(options.username ? { username: options.username } : {}),
    ...(options.password ? { password: Buffer.from(options.password) } : {}),
    ...(version === 5
      ? {
          properties: {
            sessionExpiryInterval: options.keepSession ? SESSION_NEVER_EXPIRES : 0,
            receiveMaximum: RECEIVE_MAXIMUM,
            maximumPacketSize: PACKET_BYTES_MAX,
          },
        }
      : {}),
  });
  const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const abort = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const connack = await withAbort(connackReceived.promise, abort).catch((error: Error) => {
    close(error);
    throw error;
  });

  return {
    version,
    /** Only an MQTT 5 CONNACK states whether shared subscriptions are available. */
    shared: version === 5 && connack.properties?.sharedSubscriptionAvailable !== false,
    isOpen: (): boolean => open,
    /** True when all messages are acknowledged and none has arrived for `ms`. */
    isIdleFor: (ms: number): boolean => unacknowledged.length === 0 && clock() - lastPublishAt >= ms,
    /** Resolves to true when the broker grants the subscription. */
    async subscribe(topic: string): Promise<boolean> {
      const granted = await request((messageId) => ({
        cmd: 'subscribe',
        messageId,
        subscriptions: [{ topic, qos: 1 }],
      }));
      return granted < FIRST_ERROR_CODE;
    },
    async unsubscribe(topic: string): Promise<void> {
      await request((messageId) => ({ cmd: 'unsubscribe', messageId, unsubscriptions: [topic] }));
    },
    /** Resolves to true when the broker acknowledges the message with success. */
    publish: (topic: string, payload: Buffer, retain = false): Promise<boolean> =>
      request((messageId) => ({ cmd: 'publish', messageId, topic, payload, qos: 1, dup: false, retain })).then(
        (reason) => reason < FIRST_ERROR_CODE,
        () => false,
      ),
    /** `forget` also ends the broker's session. MQTT 3.1.1 cannot: there it takes a CONNECT with Clean Session. */
    end(forget: boolean): void {
      write(
        version === 5 && forget
          ? { cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 0 } }
          : { cmd: 'disconnect' },
      );
      stream.end();
      markClosed(new Error('ended'));
      setTimeout(() => stream.destroy(), CLOSE_DELAY_MS).unref();
    },
  };
};

export type Broker = Awaited<ReturnType<typeof openBroker>>;
