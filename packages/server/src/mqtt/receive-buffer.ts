import { ProtocolError } from './protocol-error.ts';

const EMPTY: Buffer = Buffer.alloc(0);

/** Checks that run before the whole packet has arrived: on the first byte, and on the length. */
export type HeaderRules = {
  checkHeader: (header: number) => void;
  checkSize: (header: number, packetBytes: number) => void;
};

/** Received bytes that are not handled yet, with the packet boundaries in them. */
export class ReceiveBuffer {
  bytes = EMPTY;
  /** Bytes handled since the connection began: positions stay valid when the buffer is reallocated. */
  position = 0;
  #start = 0;
  #end = 0;
  /** Whether `bytes` was allocated here and may be appended to. */
  #owned = false;

  /** The packet that `peek` found. */
  header = 0;
  bodyStart = 0;
  bodyEnd = 0;
  /** The length is not encoded in the fewest bytes: allowed in 3.1.1, malformed in 5 (§1.5.5). */
  lengthPadded = false;

  get length(): number {
    return this.#end - this.#start;
  }

  append(chunk: Buffer): void {
    if (this.length === 0) {
      this.bytes = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      this.#owned = false;
      return;
    }
    if (!this.#owned || this.bytes.length - this.#end < chunk.length) this.#grow(this.length + chunk.length);
    this.#end += chunk.copy(this.bytes, this.#end);
  }

  /** Finds the packet that begins at `position`; returns false while it is incomplete. */
  peek(position: number, rules: HeaderRules): boolean {
    const start = this.#start + position - this.position;
    if (start >= this.#end) return false;
    this.header = this.bytes.readUInt8(start);
    rules.checkHeader(this.header);
    const remaining = this.#remainingLength(start + 1);
    if (remaining < 0) return false;
    this.bodyEnd = this.bodyStart + remaining;
    rules.checkSize(this.header, this.bodyEnd - start);
    return this.bodyEnd <= this.#end;
  }

  /** The position after the packet that `peek` found. */
  get next(): number {
    return this.position + this.bodyEnd - this.#start;
  }

  /** Removes the packet that `peek` found. */
  consume(): void {
    this.position = this.next;
    this.#start = this.bodyEnd;
    if (this.#start === this.#end) this.clear();
  }

  /** Received bytes of an incomplete body. */
  get bodyBytes(): number {
    return this.#end - this.bodyStart;
  }

  clear(): void {
    this.position += this.length;
    this.bytes = EMPTY;
    this.#start = 0;
    this.#end = 0;
    this.#owned = false;
  }

  #remainingLength(at: number): number {
    let length = 0;
    for (let index = 0; index < 4; index++) {
      if (at + index >= this.#end) return -1;
      const byte = this.bytes.readUInt8(at + index);
      length += (byte & 0x7f) * 128 ** index;
      if (byte >= 0x80) continue;
      this.bodyStart = at + index + 1;
      this.lengthPadded = byte === 0 && index > 0;
      return length;
    }
    throw new ProtocolError('a remaining length of more than four bytes', '2.2.3', '1.5.5');
  }

  /** Doubles the capacity, so that a packet arriving byte by byte is not copied for each byte. */
  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.length, 512));
    this.bytes.copy(larger, 0, this.#start, this.#end);
    this.#end = this.length;
    this.#start = 0;
    this.bytes = larger;
    this.#owned = true;
  }
}
