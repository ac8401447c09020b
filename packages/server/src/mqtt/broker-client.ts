import type { Duplex } from 'node:stream';
import { generate, type IConnackPacket, type Packet, parser } from 'mqtt-packet';
import { NodeFailure } from '../platform/outbound/node-failure.ts';
import { raced } from '../platform/with-abort.ts';

/** What the hub needs of somebody else's broker, on a connection that is open already. */
export type BrokerOptions = {
  stream: Duplex;
  version: 4 | 5;
  clientId: string;
  username: string;
  password: string;
  /** The broker keeps what arrives while nobody listens. */
  keepSession: boolean;
  /** A message of a subscription; acknowledge() once it is stored. */
  receive: (topic: string, payload: Buffer, acknowledge: () => void) => void;
  closed: (reason: string) => void;
  /** Ends the waiting for the log-in, and nothing after it. */
  signal?: AbortSignal | undefined;
};

/** The broker does not let the hub in. */
export class BrokerRefusal extends Error {
  /** CONNACK's return code (3.1.1) or reason code (5). */
  readonly code: number;

  constructor(code: number, words = '') {
    super(words || `refused with ${code}`);
    this.code = code;
  }
}

const KEEP_ALIVE_S = 30;
const ANSWER_WITHIN_MS = 15_000;
/** A broker that still sends is busy, not dead: cut off, it would send all that is under way once more. */
const ANSWER_AT_LAST_MS = 120_000;
const SESSION_FOREVER = 0xffff_ffff;
const MESSAGE_BYTES = 256 * 1_024;
/** How many messages the broker may send before one is stored. */
const WINDOW = 1_000;
const IDS = 65_535;
const REFUSED = 0x80;
/** The last words of a connection leave within this time. */
const FAREWELL_MS = 200;

const noAnswer = (): Error => Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });

type Waiting = { done: (code: number) => void; failed: (error: Error) => void; timer: NodeJS.Timeout };

/**
 * A client of MQTT 3.1.1 or 5 that acknowledges a message when the hub says so, many at a time and in their order:
 * what is not stored is sent again by the broker.
 */
export const openBroker = async (options: BrokerOptions) => {
  // Not the time of day, which somebody may set: only how long ago something was matters here.
  const clock = (): number => performance.now();
  const { stream, version } = options;
  const waiting = new Map<number, Waiting>();
  /** Received and not acknowledged, oldest first. [MQTT-4.6.0-2] */
  const unacknowledged: { id: number; stored: boolean }[] = [];
  let lastId = 0;
  let open = true;
  let heardAt = clock();
  /** As above, without the answers to pings. */
  let busyAt = clock();
  let receivedAt = clock();
  const greeted = Promise.withResolvers<IConnackPacket>();
  let welcome = false;

  const write = (packet: Packet): void => {
    if (open) stream.write(generate(packet, { protocolVersion: version }));
  };

  const leave = (cause: Error): void => {
    if (!open) return;
    open = false;
    clearInterval(pulse);
    for (const { failed, timer } of waiting.values()) {
      clearTimeout(timer);
      failed(cause);
    }
    waiting.clear();
    greeted.reject(cause);
    if (welcome) options.closed(cause.message);
  };

  const close = (cause: Error): void => {
    leave(cause);
    stream.destroy();
  };

  const nextId = (): number => {
    do lastId = (lastId % IDS) + 1;
    while (waiting.has(lastId));
    return lastId;
  };

  const ask = (packet: (messageId: number) => Packet): Promise<number> =>
    new Promise((done, failed) => {
      if (!open) return failed(new Error('closed'));
      const id = nextId();
      const askedAt = clock();
      const isBusy = (now: number): boolean =>
        busyAt > askedAt && now - busyAt < ANSWER_WITHIN_MS && now - askedAt + ANSWER_WITHIN_MS <= ANSWER_AT_LAST_MS;
      const timer = setTimeout(() => {
        if (isBusy(clock())) timer.refresh();
        else close(noAnswer());
      }, ANSWER_WITHIN_MS);
      waiting.set(id, { done, failed, timer });
      write(packet(id));
    });

  const answered = (id: number, code: number): void => {
    const entry = waiting.get(id);
    if (!entry) return;
    waiting.delete(id);
    clearTimeout(entry.timer);
    entry.done(code);
  };

  const acknowledge = (entry: { id: number; stored: boolean }): void => {
    entry.stored = true;
    while (unacknowledged[0]?.stored) write({ cmd: 'puback', messageId: unacknowledged.shift()?.id ?? 0 });
  };

  const received = (packet: Extract<Packet, { cmd: 'publish' }>): void => {
    receivedAt = clock();
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    if (packet.qos === 0) {
      options.receive(packet.topic, payload, () => undefined);
      return;
    }
    const entry = { id: packet.messageId ?? 0, stored: false };
    unacknowledged.push(entry);
    options.receive(packet.topic, payload, () => acknowledge(entry));
  };

  /** At once and not a turn later: what the broker has kept may stand in the same bytes. */
  const greet = (packet: Packet): void => {
    if (packet.cmd !== 'connack') {
      close(new NodeFailure('protocol'));
      return;
    }
    const code = packet.reasonCode ?? packet.returnCode ?? 0;
    welcome = code === 0;
    if (welcome) greeted.resolve(packet);
    else close(new BrokerRefusal(code, packet.properties?.reasonString));
  };

  const read = (packet: Packet): void => {
    if (!open) return;
    heardAt = clock();
    if (packet.cmd !== 'pingresp') busyAt = heardAt;
    if (!welcome) greet(packet);
    else if (packet.cmd === 'publish') received(packet);
    else if (packet.cmd === 'puback') answered(packet.messageId ?? 0, packet.reasonCode ?? 0);
    else if (packet.cmd === 'suback') answered(packet.messageId ?? 0, Number(packet.granted[0] ?? 0));
    else if (packet.cmd === 'unsuback') answered(packet.messageId ?? 0, 0);
    else if (packet.cmd === 'disconnect')
      close(new Error(packet.properties?.reasonString ?? `disconnected: ${packet.reasonCode}`));
  };

  const pulse = setInterval(() => {
    if (clock() - heardAt > KEEP_ALIVE_S * 1_500) close(new Error('keep-alive missed'));
    else write({ cmd: 'pingreq' });
  }, KEEP_ALIVE_S * 500);

  const packets = parser({ protocolVersion: version });
  packets.on('packet', read);
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
            sessionExpiryInterval: options.keepSession ? SESSION_FOREVER : 0,
            receiveMaximum: WINDOW,
            maximumPacketSize: MESSAGE_BYTES,
          },
        }
      : {}),
  });
  const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const patience = options.signal ? AbortSignal.any([options.signal, late]) : late;
  const connack = await raced(greeted.promise, patience).catch((error: Error) => {
    close(error);
    throw error;
  });

  return {
    version,
    /** Only MQTT 5 tells; of 3.1.1 nobody knows. */
    shared: version === 5 && connack.properties?.sharedSubscriptionAvailable !== false,
    isOpen: (): boolean => open,
    /** Nothing is on its way to storage, and nothing has come for so long. */
    isQuietFor: (ms: number): boolean => unacknowledged.length === 0 && clock() - receivedAt >= ms,
    /** True when the broker grants it. */
    async subscribe(topic: string): Promise<boolean> {
      const granted = await ask((messageId) => ({ cmd: 'subscribe', messageId, subscriptions: [{ topic, qos: 1 }] }));
      return granted < REFUSED;
    },
    async unsubscribe(topic: string): Promise<void> {
      await ask((messageId) => ({ cmd: 'unsubscribe', messageId, unsubscriptions: [topic] }));
    },
    /** True when the broker has it. */
    publish: (topic: string, payload: Buffer, retain = false): Promise<boolean> =>
      ask((messageId) => ({ cmd: 'publish', messageId, topic, payload, qos: 1, dup: false, retain })).then(
        (reason) => reason < REFUSED,
        () => false,
      ),
    /** `forget`: the broker ends the session too, and what it kept. MQTT 3.1.1 ends it by a clean CONNECT instead. */
    end(forget: boolean): void {
      write(
        version === 5 && forget
          ? { cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 0 } }
          : { cmd: 'disconnect' },
      );
      stream.end();
      leave(new Error('ended'));
      setTimeout(() => stream.destroy(), FAREWELL_MS).unref();
    },
  };
};

export type Broker = Awaited<ReturnType<typeof openBroker>>;
