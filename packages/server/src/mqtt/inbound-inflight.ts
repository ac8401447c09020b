import type { Budget } from './budget.ts';
import type { Qos } from './server-types.ts';
import { Acknowledgement, writeAcknowledgement } from './write-packets.ts';

type Publish = { packetId: number; qos: Qos; bytes: number; acknowledged: boolean };

const IDS_BYTES = 65_536 / 8;

/** A bitmap of packet identifiers: constant memory, however many a client leaves unreleased. */
class PacketIds {
  #bits: Uint8Array | null = null;

  has(id: number): boolean {
    return this.#bits !== null && ((this.#bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  add(id: number): void {
    this.#bits ??= new Uint8Array(IDS_BYTES);
    this.#bits[id >> 3] = (this.#bits[id >> 3] ?? 0) | (1 << (id & 7));
  }

  delete(id: number): boolean {
    if (this.#bits === null || !this.has(id)) return false;
    this.#bits[id >> 3] = (this.#bits[id >> 3] ?? 0) & ~(1 << (id & 7));
    return true;
  }
}

type InboundDeps = { budget: Budget; write: (packet: Buffer) => void; onCapacity: () => void };

/** The unacknowledged publishes of one client. PUBACK and PUBREC are sent in the order of arrival. */
export class InboundInflight {
  readonly #deps: InboundDeps;
  readonly #waiting: Publish[] = [];
  /** MQTT 3.1.1 §4.3.3: PUBREC was sent, so a repetition before the PUBREL is a duplicate. */
  readonly #unreleased = new PacketIds();
  #open = true;

  constructor(deps: InboundDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  find(packetId: number): Publish | undefined {
    return packetId === 0 ? undefined : this.#waiting.find((publish) => publish.packetId === packetId);
  }

  isUnreleased(packetId: number): boolean {
    return this.#unreleased.has(packetId);
  }

  /** Adds a publish that the budget has admitted; the caller calls the returned function once it is stored. */
  add(packetId: number, qos: Qos, bytes: number): () => void {
    const publish: Publish = { packetId, qos, bytes, acknowledged: false };
    this.#waiting.push(publish);
    return () => this.#acknowledge(publish);
  }

  release(packetId: number): boolean {
    return this.#unreleased.delete(packetId);
  }

  end(): void {
    this.#open = false;
  }

  #acknowledge(publish: Publish): void {
    if (publish.acknowledged) return;
    publish.acknowledged = true;
    this.#deps.budget.release(publish.bytes);
    if (!this.#open || this.#waiting[0] !== publish) return;
    while (this.#waiting[0]?.acknowledged) this.#writeAcknowledgement(this.#waiting.shift());
    this.#deps.onCapacity();
  }

  #writeAcknowledgement(publish: Publish | undefined): void {
    if (publish?.qos === 1) this.#deps.write(writeAcknowledgement(Acknowledgement.puback, publish.packetId));
    if (publish?.qos !== 2) return;
    this.#unreleased.add(publish.packetId);
    this.#deps.write(writeAcknowledgement(Acknowledgement.pubrec, publish.packetId));
  }
}
