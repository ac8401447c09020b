import type { Duplex } from 'node:stream';
import type { Waiter } from './budget.ts';
import { PacketReader } from './packet-reader.ts';
import { PacketType } from './packet-types.ts';
import { ProtocolError } from './protocol-error.ts';
import { type HeaderRules, ReceiveBuffer } from './receive-buffer.ts';
import type { ServerContext } from './server-context.ts';
import type { ProtocolVersion } from './server-types.ts';
import { WriteBuffer } from './write-buffer.ts';

export type PacketHandler = HeaderRules & {
  /** Handles a packet; returns false when it must wait for capacity and be offered again. */
  handle: (header: number, reader: PacketReader) => boolean;
  failed: (error: unknown) => void;
  /** The client has closed its sending side, and all of its packets are handled. */
  inputEnded: () => void;
  /** The socket is closed; `fault` is the socket error or ''. */
  closed: (fault: string) => void;
};

/** PINGREQ and PUBACK have no order relative to publishes, so they need not wait behind one. */
const canHandleAhead = (header: number): boolean => {
  const type = header >> 4;
  return type === PacketType.pingreq || type === PacketType.puback;
};

/** Splits a byte stream into packets and passes them to the handler, with backpressure on the socket. */
export class PacketStream implements Waiter {
  readonly #server: ServerContext;
  readonly #stream: Duplex;
  readonly #handler: PacketHandler;
  readonly receiveBuffer = new ReceiveBuffer();
  readonly writeBuffer: WriteBuffer;
  version: ProtocolVersion = 4;

  #handling = false;
  #stopped = false;
  /** Handling is paused while the client is being authorized. */
  #paused = false;
  /** A packet waits for capacity. */
  #blocked = false;
  #inputEnded = false;
  /** Up to this position, PINGREQ and PUBACK behind a waiting packet are already handled. */
  #handledAheadTo = 0;
  #readAheadBytes = 0;
  #socketError = '';

  #lastReceivedAt: number;
  #partialPosition = -1;
  #partialSince = 0;

  constructor(server: ServerContext, stream: Duplex, handler: PacketHandler) {
    this.#server = server;
    this.#stream = stream;
    this.#handler = handler;
    this.writeBuffer = new WriteBuffer(stream, server.limits.unsentBytes, () => this.onCapacity());
    this.#lastReceivedAt = server.clock.now;
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('end', () => this.#onEnd());
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#socketError = error.code ?? error.message;
    });
    stream.on('close', () => this.#onClose());
  }

  /** Time since the last received byte; 0 while the server itself does not read. */
  get silentMs(): number {
    return this.#stream.isPaused() || this.#inputEnded ? 0 : this.#server.clock.now - this.#lastReceivedAt;
  }

  /** Time since the first byte of an incomplete packet. */
  get partialPacketMs(): number {
    const suspended = this.#stream.isPaused() || this.#blocked || this.#inputEnded || this.#partialPosition < 0;
    return suspended ? 0 : this.#server.clock.now - this.#partialSince;
  }

  get isClosed(): boolean {
    return this.#stream.closed;
  }

  checkPadding(): void {
    if (this.receiveBuffer.lengthPadded && this.version === 5)
      throw new ProtocolError('the remaining length is not encoded in the fewest bytes', '2.2.3', '1.5.5');
  }

  pauseHandling(): void {
    this.#paused = true;
    this.#pause();
  }

  resumeHandling(): void {
    this.#paused = false;
    this.#handlePackets();
  }

  onTurn(): void {
    this.#blocked = false;
    this.#handlePackets();
  }

  /** Called when the receive window or the write buffer has capacity again. */
  onCapacity(): void {
    if (this.#blocked && !this.#stopped && !this.writeBuffer.full) this.#server.budget.enqueue(this);
  }

  /** Stops handling packets; received bytes are dropped. */
  stop(): void {
    this.#stopped = true;
    this.#server.budget.remove(this);
    this.#countReadAhead(0);
    this.receiveBuffer.clear();
  }

  /** Closes after the last bytes are sent. Input is read and dropped: unread input would cause a TCP reset first. */
  endAfter(finalPacket: Buffer | null): void {
    if (finalPacket) this.writeBuffer.write(finalPacket);
    this.writeBuffer.flush();
    this.#stream.end();
    this.#stream.resume();
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #onData(chunk: Buffer): void {
    if (this.#stopped) return;
    this.#lastReceivedAt = this.#server.clock.now;
    this.receiveBuffer.append(chunk);
    this.#handlePackets();
  }

  #onEnd(): void {
    this.#inputEnded = true;
    this.#handlePackets();
  }

  #onClose(): void {
    // Packets sent before an orderly close are still handled; after a socket error they are not.
    const unfinished = this.#socketError === '' && this.#inputEnded && this.#blocked && !this.#stopped;
    if (unfinished) this.#server.budget.enqueue(this);
    else this.#handler.closed(this.#socketError);
  }

  #handlePackets(): void {
    if (this.#handling) return;
    this.#handling = true;
    try {
      while (this.#canHandle() && this.receiveBuffer.peek(this.receiveBuffer.position, this.#handler))
        this.#handleNext();
    } catch (error) {
      this.#handler.failed(error);
    }
    this.#handling = false;
    if (!this.#stopped && !this.#paused) this.#afterHandling();
  }

  #canHandle(): boolean {
    // A client that does not read the server's responses is not read from either.
    if (this.writeBuffer.full) this.#blocked = true;
    return !this.#stopped && !this.#paused && !this.#blocked;
  }

  #handleNext(): void {
    const { receiveBuffer } = this;
    const { header } = receiveBuffer;
    const handledAhead = receiveBuffer.position < this.#handledAheadTo && canHandleAhead(header);
    if (handledAhead || this.#handler.handle(header, this.#reader())) {
      if (!this.#stopped) receiveBuffer.consume();
    } else this.#blocked = true;
  }

  #reader(): PacketReader {
    const { receiveBuffer } = this;
    this.checkPadding();
    return new PacketReader(receiveBuffer.bytes, receiveBuffer.bodyStart, receiveBuffer.bodyEnd, this.version);
  }

  /** Runs when no further packet can be handled: waits for capacity, or reads on. */
  #afterHandling(): void {
    if (this.#blocked) {
      this.#handleAhead();
      if (this.#stopped) return;
      this.#countReadAhead(this.receiveBuffer.length);
      if (this.#isReadAheadFull()) this.#pause();
      return;
    }
    this.#countReadAhead(0);
    this.#trackPartialPacket();
    if (this.#inputEnded) this.#handler.inputEnded();
    else if (this.#stream.isPaused()) this.#resume();
  }

  #isReadAheadFull(): boolean {
    const { readAheadBytes, readAheadTotalBytes } = this.#server.limits;
    return (
      this.receiveBuffer.length >= readAheadBytes ||
      this.#server.readAhead.bytes >= readAheadTotalBytes ||
      this.writeBuffer.full
    );
  }

  /** Handles PINGREQ and PUBACK behind a waiting packet, so that clients of a busy server do not time out. */
  #handleAhead(): void {
    const { receiveBuffer } = this;
    let position = Math.max(this.#handledAheadTo, receiveBuffer.position);
    try {
      while (
        !this.writeBuffer.full &&
        receiveBuffer.peek(position, this.#handler) &&
        receiveBuffer.header >> 4 !== PacketType.disconnect
      ) {
        if (canHandleAhead(receiveBuffer.header)) this.#handler.handle(receiveBuffer.header, this.#reader());
        if (this.#stopped) return;
        position = receiveBuffer.next;
      }
    } catch {
      // Reported when the packet's turn comes, after the packets before it.
    }
    this.#handledAheadTo = position;
  }

  #countReadAhead(bytes: number): void {
    this.#server.readAhead.bytes += bytes - this.#readAheadBytes;
    this.#readAheadBytes = bytes;
  }

  #trackPartialPacket(): void {
    const position = this.receiveBuffer.length > 0 ? this.receiveBuffer.position : -1;
    if (position !== this.#partialPosition) this.#partialSince = this.#server.clock.now;
    this.#partialPosition = position;
  }

  #pause(): void {
    if (!this.#stream.isPaused()) this.#stream.pause();
  }

  /** Restarts the deadlines: they do not run while the server does not read. */
  #resume(): void {
    this.#lastReceivedAt = this.#server.clock.now;
    this.#partialSince = this.#server.clock.now;
    this.#stream.resume();
  }
}
