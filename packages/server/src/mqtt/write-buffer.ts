import type { Duplex } from 'node:stream';

const flushNow = (outbox: WriteBuffer): void => outbox.flush();

/** Gathers what is written in one go, so that a batch of PUBACKs is one system call and one WebSocket frame. */
export class WriteBuffer {
  readonly #stream: Duplex;
  readonly #unsentMax: number;
  readonly #taken: () => void;
  #packets: Buffer[] = [];
  #bytes = 0;
  /** MQTT 5 §3.1.2.11.4: what the client takes; a larger packet is not sent. */
  packetBytesMax = Number.POSITIVE_INFINITY;

  /** `taken` is called whenever the client has taken some of it. */
  constructor(stream: Duplex, unsentMax: number, taken: () => void) {
    this.#stream = stream;
    this.#unsentMax = unsentMax;
    this.#taken = taken;
  }

  /** Bytes that the client has not taken. */
  get unsent(): number {
    return this.#bytes + this.#stream.writableLength;
  }

  get full(): boolean {
    return this.unsent > this.#unsentMax;
  }

  write(packet: Buffer): void {
    if (packet.length > this.packetBytesMax) return;
    this.#packets.push(packet);
    this.#bytes += packet.length;
    if (this.#packets.length === 1) process.nextTick(flushNow, this);
  }

  flush(): void {
    const [first] = this.#packets;
    if (!first) return;
    const bytes = this.#packets.length === 1 ? first : Buffer.concat(this.#packets, this.#bytes);
    this.#packets = [];
    this.#bytes = 0;
    // A client may be gone while its last messages are still being stored.
    if (this.#stream.writable) this.#stream.write(bytes, this.#taken);
  }
}
