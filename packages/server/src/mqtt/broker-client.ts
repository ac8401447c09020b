import type { Duplex } from 'node:stream';
import { generate, type IConnackPacket, type Packet, parser } from 'mqtt-packet';

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
};

export class BrokerRefusal extends Error {
  /** CONNACK's return code (3.1.1) or reason code (5), or SUBACK's. */
  readonly code: number;
  readonly at: 'connect' | 'subscribe' | 'publish';

  constructor(at: BrokerRefusal['at'], code: number, words = '') {
    super(words || `${at} refused with ${code}`);
    this.at = at;
    this.code = code;
  }
}

const KEEP_ALIVE_S = 30;
const ANSWER_WITHIN_MS = 15_000;
const SESSION_FOREVER = 0xffff_ffff;
const MESSAGE_BYTES = 256 * 1_024;
/** How many messages the broker may send before one is stored. */
const WINDOW = 1_000;
const IDS = 65_535;
const REFUSED = 0x80;

type Waiting = { done: (code: number) => void; failed: (error: Error) => void; timer: NodeJS.Timeout };

/**
 * A client of MQTT 3.1.1 or 5 that acknowledges a message when the hub says so, many at a time and in their order:
 * what is not stored is sent again by the broker.
 */
export const openBroker = async (options: BrokerOptions) => {
  const { stream, version } = options;
  const waiting = new Map<number, Waiting>();
  /** Received and not acknowledged, oldest first. [MQTT-4.6.0-2] */
  const unacknowledged: { id: number; stored: boolean }[] = [];
  let lastId = 0;
  let open = true;
  let heardAt = Date.now();
  let receivedAt = Date.now();
  const greeted = Promise.withResolvers<IConnackPacket>();
  let welcome = false;

  const write = (packet: Packet): void => {
    if (open) stream.write(generate(packet, { protocolVersion: version }));
  };

  const close = (reason: string): void => {
    if (!open) return;
    open = false;
    clearInterval(pulse);
    for (const { failed, timer } of waiting.values()) {
      clearTimeout(timer);
      failed(new Error(reason));
    }
    waiting.clear();
    stream.destroy();
    greeted.reject(new Error(reason));
    if (welcome) options.closed(reason);
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
      const timer = setTimeout(() => close('no answer'), ANSWER_WITHIN_MS);
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
    receivedAt = Date.now();
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
      close('not MQTT');
      return;
    }
    const code = packet.reasonCode ?? packet.returnCode ?? 0;
    if (code !== 0) greeted.reject(new BrokerRefusal('connect', code, packet.properties?.reasonString));
    welcome = code === 0;
    if (welcome) greeted.resolve(packet);
    else close('refused');
  };

  const read = (packet: Packet): void => {
    heardAt = Date.now();
    if (!welcome) greet(packet);
    else if (packet.cmd === 'publish') received(packet);
    else if (packet.cmd === 'puback') answered(packet.messageId ?? 0, packet.reasonCode ?? 0);
    else if (packet.cmd === 'suback') answered(packet.messageId ?? 0, Number(packet.granted[0] ?? 0));
    else if (packet.cmd === 'unsuback') answered(packet.messageId ?? 0, 0);
    else if (packet.cmd === 'disconnect')
      close(packet.properties?.reasonString ?? `disconnected: ${packet.reasonCode}`);
  };

  const pulse = setInterval(() => {
    if (Date.now() - heardAt > KEEP_ALIVE_S * 1_500) close('keep-alive missed');
    else write({ cmd: 'pingreq' });
  }, KEEP_ALIVE_S * 500);

  const packets = parser({ protocolVersion: version });
  packets.on('packet', read);
  packets.on('error', (error: Error) => close(error.message));
  stream.on('data', (bytes: Buffer) => packets.parse(bytes));
  stream.on('error', (error: Error) => close(error.message));
  stream.on('close', () => close('connection closed'));

  const late = setTimeout(() => close('no answer'), ANSWER_WITHIN_MS);
  write({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clientId: options.clientId,
    clean: version === 4 && !options.keepSession,
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
  const connack = await greeted.promise.finally(() => clearTimeout(late));

  return {
    version,
    sessionPresent: connack.sessionPresent === true,
    /** Only MQTT 5 tells; of 3.1.1 nobody knows. */
    shared: version === 5 && connack.properties?.sharedSubscriptionAvailable !== false,
    isOpen: (): boolean => open,
    /** Nothing is on its way to storage, and nothing has come for so long. */
    isQuietFor: (ms: number): boolean => unacknowledged.length === 0 && Date.now() - receivedAt >= ms,
    async subscribe(topic: string): Promise<void> {
      const granted = await ask((messageId) => ({ cmd: 'subscribe', messageId, subscriptions: [{ topic, qos: 1 }] }));
      if (granted >= REFUSED) throw new BrokerRefusal('subscribe', granted);
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
      close('ended');
    },
  };
};

export type Broker = Awaited<ReturnType<typeof openBroker>>;
