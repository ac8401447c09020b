import { ProtocolError } from './protocol-error.ts';

const EMPTY: Buffer = Buffer.alloc(0);

/** What a packet may be is decided on its first byte, and how long on its length, before the rest is waited for. */
export type HeaderRules = {
  checkHeader: (header: number) => void;
  checkSize: (header: number, packetBytes: number) => void;
};

/** The bytes of a client that are not worked off yet, and where the packets in them begin and end. */
export class ReceiveBuffer {
  bytes = EMPTY;
  /** Bytes worked off since the connection began, so that a place stays valid when the buffer moves. */
  position = 0;
  #start = 0;
  #end = 0;
  /** Whether `bytes` was made here, so that its tail may be written to. */
  #own = false;

  /** The packet that `look` found. */
  header = 0;
  bodyStart = 0;
  bodyEnd = 0;
  /** The length took more bytes than it needs: allowed in 3.1.1, malformed in 5 (§1.5.5). */
  lengthPadded = false;

  get length(): number {
    return this.#end - this.#start;
  }

  append(chunk: Buffer): void {
    if (this.length === 0) {
      this.bytes = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      this.#own = false;
      return;
    }
    if (!this.#own || this.bytes.length - this.#end < chunk.length) this.#grow(this.length + chunk.length);
    this.#end += chunk.copy(this.bytes, this.#end);
  }

  /** Looks at the packet that begins at `place`; false while it is not whole. */
  look(place: number, rules: HeaderRules): boolean {
    const start = this.#start + place - this.position;
    if (start >= this.#end) return false;
    this.header = this.bytes.readUInt8(start);
    rules.checkHeader(this.header);
    const remaining = this.#remainingLength(start + 1);
    if (remaining < 0) return false;
    this.bodyEnd = this.bodyStart + remaining;
    rules.checkSize(this.header, this.bodyEnd - start);
    return this.bodyEnd <= this.#end;
  }

  /** The place right behind the packet that `look` found. */
  get next(): number {
    return this.position + this.bodyEnd - this.#start;
  }

  /** Works off the packet that `look` found. */
  consume(): void {
    this.position = this.next;
    this.#start = this.bodyEnd;
    if (this.#start === this.#end) this.clear();
  }

  /** The bytes that have come of a body that is not whole. */
  get bodyBytes(): number {
    return this.#end - this.bodyStart;
  }

  clear(): void {
    this.position += this.length;
    this.bytes = EMPTY;
    this.#start = 0;
    this.#end = 0;
    this.#own = false;
  }

  #remainingLength(at: number): number {
    let length = 0;
    for (let place = 0; place < 4; place++) {
      if (at + place >= this.#end) return -1;
      const byte = this.bytes.readUInt8(at + place);
      length += (byte & 0x7f) * 128 ** place;
      if (byte >= 0x80) continue;
      this.bodyStart = at + place + 1;
      this.lengthPadded = byte === 0 && place > 0;
      return length;
    }
    throw new ProtocolError('a remaining length of more than four bytes', '2.2.3', '1.5.5');
  }

  /** Doubles, so that a packet that comes byte by byte is not copied for each of them. */
  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.length, 512));
    this.bytes.copy(larger, 0, this.#start, this.#end);
    this.#end = this.length;
    this.#start = 0;
    this.bytes = larger;
    this.#own = true;
  }
}
