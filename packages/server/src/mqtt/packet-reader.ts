import { isUtf8 } from 'node:buffer';
import { ProtocolError } from './protocol-error.ts';
import { ReasonCode } from './reason-codes.ts';
import type { ProtocolVersion } from './server-types.ts';

const overrun = (): ProtocolError => new ProtocolError('a field runs over the end of its packet', '2.2.3', '2.1.4');

/** A cursor over the body of one packet. It never reads beyond the body, whatever the length fields say. */
export class PacketReader {
  readonly bytes: Buffer;
  version: ProtocolVersion;
  readonly end: number;
  at: number;

  constructor(bytes: Buffer, start: number, end: number, version: ProtocolVersion) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.version = version;
  }

  get remaining(): number {
    return this.end - this.at;
  }

  byte(): number {
    return this.bytes.readUInt8(this.#skip(1));
  }

  uint16(): number {
    return this.bytes.readUInt16BE(this.#skip(2));
  }

  uint32(): number {
    return this.bytes.readUInt32BE(this.#skip(4));
  }

  /** MQTT 5 §1.5.5. */
  variableInteger(): number {
    let value = 0;
    for (let index = 0; index < 4; index++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 128 ** index;
      if (byte >= 0x80) continue;
      if (byte === 0 && index > 0)
        throw new ProtocolError('an integer is not encoded in the fewest bytes', '2.2.3', '1.5.5');
      return value;
    }
    throw new ProtocolError('an integer has more than four bytes', '2.2.3', '1.5.5');
  }

  binary(): Buffer {
    const length = this.uint16();
    const start = this.#skip(length);
    return this.bytes.subarray(start, start + length);
  }

  text(): string {
    const bytes = this.binary();
    if (!isUtf8(bytes)) throw new ProtocolError('a text is not valid UTF-8', '1.5.3', '1.5.4');
    if (bytes.includes(0)) throw new ProtocolError('a text holds the character U+0000', '1.5.3', '1.5.4');
    return bytes.toString();
  }

  packetId(): number {
    const id = this.uint16();
    if (id === 0) throw new ProtocolError('packet identifier 0', '2.3.1', '2.2.1', ReasonCode.protocolError);
    return id;
  }

  expectEnd(): void {
    if (this.at !== this.end) throw new ProtocolError('bytes are left over after the last field', '2.2.3', '2.1.4');
  }

  #skip(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw overrun();
    this.at = start + length;
    return start;
  }
}
