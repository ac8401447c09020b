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
  /** Works a packet off; false when it must wait for room, and is offered again later. */
  take: (header: number, reader: PacketReader) => boolean;
  failed: (error: unknown) => void;
  /** The client sends no more, and all that it sent is worked off. */
  inputDone: () => void;
  /** The socket is closed, with the fault if there was one. */
  closed: (fault: string) => void;
};

/** These stand in no order with publishes, so they need not wait behind one. */
const overtakes = (header: number): boolean => {
  const type = header >> 4;
  return type === PacketType.pingreq || type === PacketType.puback;
};

/** Cuts a socket's bytes into packets and hands them on, as fast as the hub can take them and no faster. */
export class PacketStream implements Waiter {
  readonly #hub: ServerContext;
  readonly #stream: Duplex;
  readonly #handler: PacketHandler;
  readonly inbox = new ReceiveBuffer();
  readonly outbox: WriteBuffer;
  version: ProtocolVersion = 4;

  #working = false;
  #stopped = false;
  /** Nothing is worked off while somebody decides about the client. */
  #held = false;
  /** A packet waits for room. */
  #blocked = false;
  #inputEnded = false;
  /** Up to here pings and PUBACKs behind a waiting packet are worked off already. */
  #aheadTo = 0;
  #heldBytes = 0;
  #fault = '';

  #lastHeard: number;
  #partialPlace = -1;
  #partialSince = 0;

  constructor(hub: ServerContext, stream: Duplex, handler: PacketHandler) {
    this.#hub = hub;
    this.#stream = stream;
    this.#handler = handler;
    this.outbox = new WriteBuffer(stream, hub.limits.unsentBytes, () => this.roomAgain());
    this.#lastHeard = hub.clock.now;
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('end', () => this.#onEnd());
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#fault = error.code ?? error.message;
    });
    stream.on('close', () => this.#onClose());
  }

  /** How long nothing was heard; 0 while the hub is the one that does not read. */
  get silentMs(): number {
    return this.#stream.isPaused() || this.#inputEnded ? 0 : this.#hub.clock.now - this.#lastHeard;
  }

  /** How long a packet has been begun and not finished. */
  get unfinishedMs(): number {
    const waiting = this.#stream.isPaused() || this.#blocked || this.#inputEnded || this.#partialPlace < 0;
    return waiting ? 0 : this.#hub.clock.now - this.#partialSince;
  }

  get isClosed(): boolean {
    return this.#stream.closed;
  }

  checkPadding(): void {
    if (this.inbox.lengthPadded && this.version === 5)
      throw new ProtocolError('the remaining length is padded', '2.2.3', '1.5.5');
  }

  hold(): void {
    this.#held = true;
    this.#pause();
  }

  letGo(): void {
    this.#held = false;
    this.#work();
  }

  takeTurn(): void {
    this.#blocked = false;
    this.#work();
  }

  /** The window has room again, or the client has taken some of the answers. */
  roomAgain(): void {
    if (this.#blocked && !this.#stopped && !this.outbox.full) this.#hub.budget.ask(this);
  }

  /** Nothing more is worked off; what still comes is dropped. */
  stop(): void {
    this.#stopped = true;
    this.#hub.budget.forget(this);
    this.#holdBytes(0);
    this.inbox.clear();
  }

  /** Closes when the last bytes are out; the peer's own are read and dropped, lest a reset overtake our words. */
  endAfter(finalPacket: Buffer | null): void {
    if (finalPacket) this.outbox.write(finalPacket);
    this.outbox.flush();
    this.#stream.end();
    this.#stream.resume();
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #onData(chunk: Buffer): void {
    if (this.#stopped) return;
    this.#lastHeard = this.#hub.clock.now;
    this.inbox.append(chunk);
    this.#work();
  }

  #onEnd(): void {
    this.#inputEnded = true;
    this.#work();
  }

  #onClose(): void {
    // What a client sent before it hung up is worked off to the end; what a broken line left is not.
    const unfinished = this.#fault === '' && this.#inputEnded && this.#blocked && !this.#stopped;
    if (unfinished) this.#hub.budget.ask(this);
    else this.#handler.closed(this.#fault);
  }

  #work(): void {
    if (this.#working) return;
    this.#working = true;
    try {
      while (this.#mayWork() && this.inbox.look(this.inbox.position, this.#handler)) this.#offer();
    } catch (error) {
      this.#handler.failed(error);
    }
    this.#working = false;
    if (!this.#stopped && !this.#held) this.#settle();
  }

  #mayWork(): boolean {
    // Who does not read what we answer is not read from either.
    if (this.outbox.full) this.#blocked = true;
    return !this.#stopped && !this.#held && !this.#blocked;
  }

  #offer(): void {
    const { inbox } = this;
    const { header } = inbox;
    const doneAhead = inbox.position < this.#aheadTo && overtakes(header);
    if (doneAhead || this.#handler.take(header, this.#reader())) {
      if (!this.#stopped) inbox.consume();
    } else this.#blocked = true;
  }

  #reader(): PacketReader {
    const { inbox } = this;
    this.checkPadding();
    return new PacketReader(inbox.bytes, inbox.bodyStart, inbox.bodyEnd, this.version);
  }

  /** After all that could be worked off is. */
  #settle(): void {
    if (this.#blocked) {
      this.#lookAhead();
      if (this.#stopped) return;
      this.#holdBytes(this.inbox.length);
      if (this.#readEnough()) this.#pause();
      return;
    }
    this.#holdBytes(0);
    this.#notePartial();
    if (this.#inputEnded) this.#handler.inputDone();
    else if (this.#stream.isPaused()) this.#resume();
  }

  #readEnough(): boolean {
    const { readAheadBytes, readAheadTotalBytes } = this.#hub.limits;
    return this.inbox.length >= readAheadBytes || this.#hub.held.bytes >= readAheadTotalBytes || this.outbox.full;
  }

  /** Answers the pings behind a packet that waits, so that nobody takes a busy hub for a dead one. */
  #lookAhead(): void {
    const { inbox } = this;
    let place = Math.max(this.#aheadTo, inbox.position);
    try {
      while (!this.outbox.full && inbox.look(place, this.#handler) && inbox.header >> 4 !== PacketType.disconnect) {
        if (overtakes(inbox.header)) this.#handler.take(inbox.header, this.#reader());
        if (this.#stopped) return;
        place = inbox.next;
      }
    } catch {
      // It is judged when its turn comes, after what was sent before it.
    }
    this.#aheadTo = place;
  }

  #holdBytes(bytes: number): void {
    this.#hub.held.bytes += bytes - this.#heldBytes;
    this.#heldBytes = bytes;
  }

  #notePartial(): void {
    const place = this.inbox.length > 0 ? this.inbox.position : -1;
    if (place !== this.#partialPlace) this.#partialSince = this.#hub.clock.now;
    this.#partialPlace = place;
  }

  #pause(): void {
    if (!this.#stream.isPaused()) this.#stream.pause();
  }

  /** The clocks stood still while the hub did not read. */
  #resume(): void {
    this.#lastHeard = this.#hub.clock.now;
    this.#partialSince = this.#hub.clock.now;
    this.#stream.resume();
  }
}
