import type { Clock } from './clock.ts';
import type { Delivery, ProtocolVersion } from './server-types.ts';
import { writePublish } from './write-packets.ts';

type Send = { payload: Buffer; resolve: (delivery: Delivery) => void };
export type DownQos = 0 | 1;

type DownwardDeps = {
  version: ProtocolVersion;
  topic: string;
  /** MQTT 5 §3.1.2.11.3 and §3.1.2.11.4: what the client asked for. */
  receiveMaximum: number;
  maximumPacketSize: number;
  clock: Clock;
  write: (packet: Buffer) => void;
  /** The client does not take what is sent: nothing waits for its answer with QoS 0, so that must not pile up. */
  isStuck: () => boolean;
};

const FIRST_FAILURE = 0x80;

/** The messages to one client that wait for their PUBACK. Nothing is sent twice: a connection loses nothing. */
export class OutboundInflight {
  readonly #limit: number;
  readonly #queue: Send[] = [];
  readonly #inFlight = new Map<number, Send>();
  #deps: DownwardDeps | null = null;
  #topic: Buffer = Buffer.alloc(0);
  #lastId = 0;
  /** The hub subscribes the down topic by itself at CONNECT; the client may change that. */
  #qos: DownQos | null = 1;
  #ended = false;
  /** When the client last took something, on the gateway's clock. */
  lastTaken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get full(): boolean {
    return this.#queue.length + this.#inFlight.size >= this.#limit;
  }

  /** After CONNACK; what was given before goes out now. */
  open(deps: DownwardDeps): void {
    this.#deps = deps;
    this.#topic = Buffer.from(deps.topic);
    this.#pump();
  }

  /** From the next message on. */
  subscribe(qos: DownQos): void {
    this.#qos = qos;
  }

  /** What is on its way to the client is; nothing more is sent to it. */
  unsubscribe(): void {
    this.#qos = null;
    for (const { resolve } of this.#queue.splice(0)) resolve('unsubscribed');
  }

  send(payload: Buffer): Promise<Delivery> {
    if (this.#ended || this.full) return Promise.resolve('lost');
    if (this.#qos === null) return Promise.resolve('unsubscribed');
    return new Promise((resolve) => {
      this.#queue.push({ payload, resolve });
      this.#pump();
    });
  }

  /** A PUBACK for what is not in flight is for an earlier connection, and ignored. */
  taken(packetId: number, reasonCode: number): void {
    const send = this.#inFlight.get(packetId);
    if (!send || !this.#deps) return;
    this.#inFlight.delete(packetId);
    this.lastTaken = this.#deps.clock.now;
    send.resolve(reasonCode < FIRST_FAILURE ? 'taken' : 'lost');
    this.#pump();
  }

  end(): void {
    this.#ended = true;
    for (const { resolve } of [...this.#inFlight.values(), ...this.#queue]) resolve('lost');
    this.#inFlight.clear();
    this.#queue.length = 0;
  }

  #pump(): void {
    const deps = this.#deps;
    while (deps && this.#inFlight.size < deps.receiveMaximum) {
      const send = this.#queue.shift();
      if (!send) return;
      if (this.#qos === 0) this.#writeOnce(deps, send);
      else this.#write(deps, send);
    }
  }

  #write(deps: DownwardDeps, send: Send): void {
    const id = this.#freeId();
    const packet = writePublish(deps.version, this.#topic, send.payload, id);
    if (packet.length > deps.maximumPacketSize) {
      send.resolve('tooLarge');
      return;
    }
    if (this.#inFlight.size === 0) this.lastTaken = deps.clock.now;
    this.#inFlight.set(id, send);
    deps.write(packet);
  }

  #writeOnce(deps: DownwardDeps, { payload, resolve }: Send): void {
    const packet = writePublish(deps.version, this.#topic, payload);
    const delivery = packet.length > deps.maximumPacketSize ? 'tooLarge' : deps.isStuck() ? 'lost' : 'taken';
    if (delivery === 'taken') deps.write(packet);
    resolve(delivery);
  }

  /** There are far more identifiers than sends may wait. */
  #freeId(): number {
    do this.#lastId = (this.#lastId % 0xffff) + 1;
    while (this.#inFlight.has(this.#lastId));
    return this.#lastId;
  }
}
