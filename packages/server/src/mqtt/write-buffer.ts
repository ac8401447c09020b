import type { Duplex } from 'node:stream';

const flushNow = (buffer: WriteBuffer): void => buffer.flush();

/** Buffers writes of one event loop turn, so that a batch of PUBACKs is one system call and one WebSocket frame. */
export class WriteBuffer {
  readonly #stream: Duplex;
  readonly #unsentMax: number;
  readonly #drained: () => void;
  #packets: Buffer[] = [];
  #bytes = 0;
  /** MQTT 5 §3.1.2.11.4: the client's Maximum Packet Size; larger packets are not sent. */
  packetBytesMax = Number.POSITIVE_INFINITY;

  /** `drained` is called when bytes have been flushed to the socket. */
  constructor(stream: Duplex, unsentMax: number, drained: () => void) {
    this.#stream = stream;
    this.#unsentMax = unsentMax;
    this.#drained = drained;
  }

  /** Bytes that wait to be sent. */
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
    // The client may have disconnected while its last messages are still being stored.
    if (this.#stream.writable) this.#stream.write(bytes, this.#drained);
  }
}
