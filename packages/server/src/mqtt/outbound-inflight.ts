import type { Clock } from './clock.ts';
import type { Delivery, ProtocolVersion } from './server-types.ts';
import { writePublish } from './write-packets.ts';

type QueuedMessage = { payload: Buffer; resolve: (delivery: Delivery) => void };
export type OutboundQos = 0 | 1;

type OutboundDeps = {
  version: ProtocolVersion;
  topic: string;
  /** MQTT 5 §3.1.2.11.3 and §3.1.2.11.4: limits that the client set in CONNECT. */
  receiveMaximum: number;
  maximumPacketSize: number;
  clock: Clock;
  write: (packet: Buffer) => void;
  /** The write buffer is full. QoS 0 has no acknowledgement that would limit it, so messages are dropped then. */
  isBlocked: () => boolean;
};

const FIRST_ERROR_CODE = 0x80;

/** The unacknowledged messages to one client. They are never resent: TCP loses nothing within a connection. */
export class OutboundInflight {
  readonly #limit: number;
  readonly #queue: QueuedMessage[] = [];
  readonly #inFlight = new Map<number, QueuedMessage>();
  #deps: OutboundDeps | null = null;
  #topic: Buffer = Buffer.alloc(0);
  #lastId = 0;
  /** The hub subscribes the client to its downlink topic at CONNECT; the client may change or end this. */
  #qos: OutboundQos | null = 1;
  #ended = false;
  /** Time of the last PUBACK, on the server's clock. */
  lastAcknowledgedAt = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get full(): boolean {
    return this.#queue.length + this.#inFlight.size >= this.#limit;
  }

  /** Called after CONNACK; sends the messages queued so far. */
  open(deps: OutboundDeps): void {
    this.#deps = deps;
    this.#topic = Buffer.from(deps.topic);
    this.#flush();
  }

  /** Applies from the next message on. */
  subscribe(qos: OutboundQos): void {
    this.#qos = qos;
  }

  /** Messages in flight are still awaited; queued and later ones are not sent. */
  unsubscribe(): void {
    this.#qos = null;
    for (const { resolve } of this.#queue.splice(0)) resolve('unsubscribed');
  }

  send(payload: Buffer): Promise<Delivery> {
    if (this.#ended || this.full) return Promise.resolve('lost');
    if (this.#qos === null) return Promise.resolve('unsubscribed');
    return new Promise((resolve) => {
      this.#queue.push({ payload, resolve });
      this.#flush();
    });
  }

  /** A PUBACK with an unknown identifier belongs to an earlier connection and is ignored. */
  acknowledged(packetId: number, reasonCode: number): void {
    const message = this.#inFlight.get(packetId);
    if (!message || !this.#deps) return;
    this.#inFlight.delete(packetId);
    this.lastAcknowledgedAt = this.#deps.clock.now;
    message.resolve(reasonCode < FIRST_ERROR_CODE ? 'delivered' : 'lost');
    this.#flush();
  }

  end(): void {
    this.#ended = true;
    for (const { resolve } of [...this.#inFlight.values(), ...this.#queue]) resolve('lost');
    this.#inFlight.clear();
    this.#queue.length = 0;
  }

  #flush(): void {
    const deps = this.#deps;
    while (deps && this.#inFlight.size < deps.receiveMaximum) {
      const message = this.#queue.shift();
      if (!message) return;
      if (this.#qos === 0) this.#writeQos0(deps, message);
      else this.#writeQos1(deps, message);
    }
  }

  #writeQos1(deps: OutboundDeps, message: QueuedMessage): void {
    const id = this.#freeId();
    const packet = writePublish(deps.version, this.#topic, message.payload, id);
    if (packet.length > deps.maximumPacketSize) {
      message.resolve('tooLarge');
      return;
    }
    if (this.#inFlight.size === 0) this.lastAcknowledgedAt = deps.clock.now;
    this.#inFlight.set(id, message);
    deps.write(packet);
  }

  #writeQos0(deps: OutboundDeps, { payload, resolve }: QueuedMessage): void {
    const packet = writePublish(deps.version, this.#topic, payload);
    const delivery = packet.length > deps.maximumPacketSize ? 'tooLarge' : deps.isBlocked() ? 'lost' : 'delivered';
    if (delivery === 'delivered') deps.write(packet);
    resolve(delivery);
  }

  /** Always finds one: there are far more identifiers than messages may be in flight. */
  #freeId(): number {
    do this.#lastId = (this.#lastId % 0xffff) + 1;
    while (this.#inFlight.has(this.#lastId));
    return this.#lastId;
  }
}
