import type { Clock } from './clock.ts';
import type { ProtocolVersion } from './gateway-types.ts';
import { writePublish } from './write-packets.ts';

type Send = { payload: Buffer; resolve: (taken: boolean) => void };

type DownwardDeps = {
  version: ProtocolVersion;
  topic: string;
  /** MQTT 5 §3.1.2.11.3 and §3.1.2.11.4: what the client asked for. */
  receiveMaximum: number;
  maximumPacketSize: number;
  clock: Clock;
  write: (packet: Buffer) => void;
};

/** Fixed header, length of the topic, packet identifier, length of the properties. */
const HEAD_BYTES = 5 + 2 + 2 + 1;
const FIRST_FAILURE = 0x80;

/** The messages to one client that wait for their PUBACK. Nothing is sent twice: a connection loses nothing. */
export class Downward {
  readonly #limit: number;
  readonly #queue: Send[] = [];
  readonly #inFlight = new Map<number, Send>();
  #deps: DownwardDeps | null = null;
  #topic: Buffer = Buffer.alloc(0);
  #lastId = 0;
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

  send(payload: Buffer): Promise<boolean> {
    if (this.#ended || this.full) return Promise.resolve(false);
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
    send.resolve(reasonCode < FIRST_FAILURE);
    this.#pump();
  }

  end(): void {
    this.#ended = true;
    for (const { resolve } of [...this.#inFlight.values(), ...this.#queue]) resolve(false);
    this.#inFlight.clear();
    this.#queue.length = 0;
  }

  #pump(): void {
    const deps = this.#deps;
    while (deps && this.#inFlight.size < deps.receiveMaximum) {
      const send = this.#queue.shift();
      if (!send) return;
      if (HEAD_BYTES + this.#topic.length + send.payload.length > deps.maximumPacketSize) send.resolve(false);
      else this.#write(deps, send);
    }
  }

  #write(deps: DownwardDeps, send: Send): void {
    if (this.#inFlight.size === 0) this.lastTaken = deps.clock.now;
    const id = this.#freeId();
    this.#inFlight.set(id, send);
    deps.write(writePublish(deps.version, this.#topic, id, send.payload));
  }

  /** There are far more identifiers than sends may wait. */
  #freeId(): number {
    do this.#lastId = (this.#lastId % 0xffff) + 1;
    while (this.#inFlight.has(this.#lastId));
    return this.#lastId;
  }
}
