import type { Duplex } from 'node:stream';
import {
  boundedKeepAlive,
  type Origin,
  readBoundedConnect,
  refusalAfterAdmit,
  refusalBeforeAdmit,
  requestOf,
  tooLarge,
  unknownVersion,
} from './handshake.ts';
import { OutboundInflight } from './outbound-inflight.ts';
import { PacketDispatcher } from './packet-dispatcher.ts';
import type { PacketReader } from './packet-reader.ts';
import { type PacketHandler, PacketStream } from './packet-stream.ts';
import { checkFirstHeader, checkPacketHeader } from './packet-types.ts';
import { ProtocolError } from './protocol-error.ts';
import { type ConnectPacket, connectHasWill, readProtocolLevel } from './read-connect.ts';
import { type ConnectRefusal, disconnectPackets, ReasonCode, ReturnCode, refusalOf } from './reason-codes.ts';
import type { ServerContext } from './server-context.ts';
import type { Admitted, Connection, DisconnectReason, Refusal } from './server-types.ts';
import { SlowWatch } from './slow-watch.ts';
import { writeAccepted, writeDisconnect, writeRefused } from './write-packets.ts';

type State = 'connecting' | 'admitting' | 'open' | 'ended';
type Ending = { reason: DisconnectReason; detail: string };

const KEEP_ALIVE_GRACE = 1.5;

/** One client from its first byte to its last: CONNECT, deadlines, and the one way in which it ends. */
export class ClientConnection implements PacketHandler {
  readonly #hub: ServerContext;
  readonly #origin: Origin;
  readonly #packets: PacketStream;
  readonly #downward: OutboundInflight;
  readonly #gone: () => void;
  #state: State = 'connecting';
  #since: number;
  #versionKnown = false;
  #connect: ConnectPacket | null = null;
  #willStands = true;
  #keepAlive = 0;
  #admitted: Admitted | null = null;
  #conversation: PacketDispatcher | null = null;
  #ending: Ending = { reason: 'lost', detail: '' };
  #slowWatch: SlowWatch | null = null;

  constructor(hub: ServerContext, stream: Duplex, origin: Origin, gone: () => void) {
    this.#hub = hub;
    this.#origin = origin;
    this.#gone = gone;
    this.#since = hub.clock.now;
    this.#downward = new OutboundInflight(hub.limits.waitingSends);
    this.#packets = new PacketStream(hub, stream, this);
  }

  get isAdmitted(): boolean {
    return this.#admitted !== null;
  }

  checkHeader(header: number): void {
    if (this.#state === 'connecting') checkFirstHeader(header);
    else checkPacketHeader(header, this.#packets.version);
  }

  checkSize(_header: number, packetBytes: number): void {
    const { connectBytes, connectWithWillBytes, packetBytes: largest } = this.#hub.limits;
    if (this.#state !== 'connecting') {
      if (packetBytes > largest) throw tooLarge(packetBytes);
      return;
    }
    const { inbox } = this.#packets;
    // Only a will makes a CONNECT large, so nobody else's is waited for.
    const hasWill = connectHasWill(inbox.bytes, inbox.bodyStart, inbox.bodyBytes) ?? true;
    if (packetBytes > (hasWill ? connectWithWillBytes : connectBytes)) throw tooLarge(packetBytes);
  }

  take(header: number, reader: PacketReader): boolean {
    if (this.#conversation) return this.#conversation.take(header, reader);
    this.#takeConnect(reader);
    return true;
  }

  failed(error: unknown): void {
    if (error instanceof ProtocolError) {
      const detail = error.detail(this.#packets.version);
      this.#end('protocolError', detail, this.#finalPacket(error.reasonCode, detail, ReturnCode.notAuthorized));
      return;
    }
    this.#hub.log.error({ err: error, clientId: this.#connect?.clientId }, 'a message could not be handled');
    const detail = 'the hub failed on a message';
    this.#end('lost', detail, this.#finalPacket(ReasonCode.unspecifiedError, detail, ReturnCode.serverUnavailable));
  }

  inputDone(): void {
    this.#end('lost', '', null);
  }

  closed(fault: string): void {
    if (this.#state === 'ended') this.#gone();
    else this.#end('lost', fault, null);
  }

  cut(reason: DisconnectReason, detail = ''): void {
    const farewell = disconnectPackets[reason];
    const words = detail || farewell?.words || '';
    const returnCode = reason === 'hubStopped' ? ReturnCode.serverUnavailable : ReturnCode.notAuthorized;
    const finalPacket = farewell && this.#finalPacket(farewell.reasonCode, words, returnCode);
    this.#end(reason, detail, finalPacket);
  }

  /** Looks at the deadlines. */
  sweep(): void {
    const { limits, clock } = this.#hub;
    const age = clock.now - this.#since;
    switch (this.#state) {
      case 'connecting':
        if (age > limits.connectWithinMs) this.#end('protocolError', 'no CONNECT in time', null);
        break;
      case 'admitting':
        if (age > limits.admitWithinMs) this.#refuse(refusalOf('AWAY'));
        break;
      case 'open':
        this.#sweepOpen();
        break;
      case 'ended':
        if (age > limits.lingerMs) this.#packets.destroy();
        break;
    }
  }

  #sweepOpen(): void {
    const { limits } = this.#hub;
    if (this.#packets.silentMs > this.#keepAlive * 1_000 * KEEP_ALIVE_GRACE) this.cut('keepAlive');
    else if (this.#packets.unfinishedMs > limits.packetWithinMs)
      this.failed(
        new ProtocolError('a packet was begun and not finished in time', '4.2', '4.2', ReasonCode.protocolError),
      );
    else if (this.#slowWatch?.takesNothing(this.#packets.outbox, this.#downward)) this.cut('tooSlow');
  }

  #takeConnect(reader: PacketReader): void {
    const packetBytes = reader.end - reader.at;
    const version = readProtocolLevel(reader);
    if (!version) {
      this.#refuse(unknownVersion);
      return;
    }
    this.#packets.version = version;
    this.#versionKnown = true;
    reader.version = version;
    this.#packets.checkPadding();
    const connect = readBoundedConnect(reader, packetBytes, this.#hub.limits);
    this.#connect = connect;
    this.#packets.outbox.packetBytesMax = connect.maximumPacketSize;
    const refusal = refusalBeforeAdmit(connect);
    if (refusal) this.#refuse(refusal);
    else this.#askAdmission(connect);
  }

  #askAdmission(connect: ConnectPacket): void {
    this.#state = 'admitting';
    this.#since = this.#hub.clock.now;
    this.#packets.hold();
    this.#keepAlive = boundedKeepAlive(connect.keepAlive, this.#hub.limits);
    const handle: Connection = {
      send: (payload) => this.#downward.send(payload),
      cut: (reason, detail) => this.cut(reason, detail),
    };
    const request = requestOf(connect, this.#packets.version, this.#keepAlive, this.#origin);
    const ask = async () => this.#hub.admit(request, handle);
    ask().then(
      (answer) => this.#answered(connect, answer),
      (error: unknown) => {
        this.#hub.log.error({ err: error, clientId: connect.clientId }, 'admission failed');
        this.#answered(connect, { accepted: false, cause: 'FAULT' });
      },
    );
  }

  #answered(connect: ConnectPacket, answer: Admitted | Refusal): void {
    if (this.#state === 'ended') {
      if (answer.accepted) this.#tell(() => answer.closed(this.#ending.reason, this.#ending.detail));
    } else if (!answer.accepted) this.#refuse(refusalOf(answer.cause));
    else this.#accept(connect, answer);
  }

  #accept(connect: ConnectPacket, admitted: Admitted): void {
    const { version } = this.#packets;
    const connack = writeAccepted({ version, keepAlive: this.#keepAlive, connect, limits: this.#hub.limits });
    const refusal = refusalAfterAdmit(connect, admitted.upTopic, connack);
    if (connack && !refusal) this.#open(connect, admitted, connack);
    else if (refusal) {
      this.#refuse(refusal);
      this.#tell(() => admitted.closed('protocolError', refusal.words));
    }
  }

  #open(connect: ConnectPacket, admitted: Admitted, connack: Buffer): void {
    const { version, outbox } = this.#packets;
    const { clock, limits } = this.#hub;
    this.#state = 'open';
    this.#admitted = admitted;
    this.#hub.admitted++;
    this.#hub.addresses.count(this.#origin.ip, -1);
    this.#slowWatch = new SlowWatch(clock, limits.slowWithinMs);
    this.#conversation = new PacketDispatcher({
      hub: this.#hub,
      packets: this.#packets,
      downward: this.#downward,
      admitted,
      sessionExpiry: connect.sessionExpiry,
      goodbye: (reasonCode) => this.#goodbye(reasonCode),
    });
    outbox.write(connack);
    this.#downward.open({
      version,
      topic: admitted.downTopic,
      receiveMaximum: connect.receiveMaximum,
      maximumPacketSize: connect.maximumPacketSize,
      clock,
      write: (packet) => outbox.write(packet),
      isStuck: () => outbox.full,
    });
    this.#packets.letGo();
  }

  #hearLastWords(payload: Buffer): void {
    const { onWill, receive } = this.#admitted ?? {};
    if (onWill) onWill(payload);
    else receive?.(payload, 1, () => undefined);
  }

  /** MQTT 5 §3.14.4: every reason code but 0 leaves the will standing. */
  #goodbye(reasonCode: number): void {
    this.#willStands = reasonCode !== ReasonCode.success;
    const code = reasonCode.toString(16).padStart(2, '0');
    this.#end('byDevice', this.#willStands ? `reason code 0x${code}` : '', null);
  }

  #refuse(refusal: ConnectRefusal): void {
    if (refusal.returnCode !== ReturnCode.serverUnavailable) this.#countFailure();
    const words = writeRefused(this.#packets.version, refusal, this.#packets.outbox.packetBytesMax);
    this.#end('lost', refusal.words, words);
  }

  #countFailure(): void {
    const { ip } = this.#origin;
    if (this.#hub.addresses.failed(ip))
      this.#hub.log.warn({ ip }, 'too many failed CONNECTs from an address: it is shut out for up to a minute');
  }

  /** CONNACK before the client is admitted, DISCONNECT after; 3.1.1 has no DISCONNECT from the server. */
  #finalPacket(reasonCode: number, words: string, returnCode: number): Buffer | null {
    if (this.#state === 'open')
      return this.#packets.version === 5
        ? writeDisconnect(reasonCode, words, this.#packets.outbox.packetBytesMax)
        : null;
    const mayAnswer = this.#state === 'admitting' || (this.#versionKnown && this.#packets.version === 5);
    return mayAnswer
      ? writeRefused(this.#packets.version, { returnCode, reasonCode, words }, this.#packets.outbox.packetBytesMax)
      : null;
  }

  #end(reason: DisconnectReason, detail: string, finalPacket: Buffer | null): void {
    if (this.#state === 'ended') return;
    const wasOpen = this.#state === 'open';
    if (!wasOpen && reason === 'protocolError') this.#countFailure();
    this.#state = 'ended';
    this.#since = this.#hub.clock.now;
    this.#ending = { reason, detail };
    this.#packets.stop();
    this.#conversation?.end();
    this.#hub.log.debug({ ...this.#origin, clientId: this.#connect?.clientId, reason, detail }, 'connection ended');
    const nobodyListens = reason === 'lost' || reason === 'tooSlow' || !wasOpen;
    if (finalPacket === null && nobodyListens) this.#packets.destroy();
    else this.#packets.endAfter(finalPacket);
    this.#downward.end();
    if (wasOpen) this.#tellClosed(reason, detail);
    else if (reason !== 'lost' || finalPacket) this.#hub.refused++;
    if (this.#packets.isClosed) this.#gone();
  }

  #tellClosed(reason: DisconnectReason, detail: string): void {
    const will = this.#connect?.will;
    if (will && this.#willStands) this.#tell(() => this.#hearLastWords(will.payload));
    this.#tell(() => this.#admitted?.closed(reason, detail));
  }

  #tell(what: () => void): void {
    try {
      what();
    } catch (error) {
      this.#hub.log.error({ err: error, clientId: this.#connect?.clientId }, 'the end of a connection was not taken');
    }
  }
}
