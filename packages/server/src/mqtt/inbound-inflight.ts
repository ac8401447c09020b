import type { Budget } from './budget.ts';
import type { Qos } from './server-types.ts';
import { Answer, writeAnswer } from './write-packets.ts';

type Publish = { packetId: number; qos: Qos; bytes: number; acknowledged: boolean };

const IDS_BYTES = 65_536 / 8;

/** A set of packet identifiers that costs the same however many a client leaves open. */
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

type UpwardDeps = { budget: Budget; write: (packet: Buffer) => void; roomAgain: () => void };

/** The publishes of one client that wait to be acknowledged; answers leave in the order of arrival. */
export class InboundInflight {
  readonly #deps: UpwardDeps;
  readonly #waiting: Publish[] = [];
  /** MQTT 3.1.1 §4.3.3: answered with PUBREC, so not received again before their PUBREL. */
  readonly #unreleased = new PacketIds();
  #open = true;

  constructor(deps: UpwardDeps) {
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

  /** Takes in a publish, for which the budget has room; the answer is to be called when it is stored. */
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
    while (this.#waiting[0]?.acknowledged) this.#answer(this.#waiting.shift());
    this.#deps.roomAgain();
  }

  #answer(publish: Publish | undefined): void {
    if (publish?.qos === 1) this.#deps.write(writeAnswer(Answer.puback, publish.packetId));
    if (publish?.qos !== 2) return;
    this.#unreleased.add(publish.packetId);
    this.#deps.write(writeAnswer(Answer.pubrec, publish.packetId));
  }
}
