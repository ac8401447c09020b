import type { Duplex } from 'node:stream';
import {
  boundedKeepAlive,
  checkAuthorizedConnect,
  checkConnect,
  connectRequestOf,
  type Origin,
  readBoundedConnect,
  tooLarge,
  unsupportedVersion,
} from './handshake.ts';
import { OutboundInflight } from './outbound-inflight.ts';
import { PacketDispatcher } from './packet-dispatcher.ts';
import type { PacketReader } from './packet-reader.ts';
import { type PacketHandler, PacketStream } from './packet-stream.ts';
import { checkFirstHeader, checkPacketHeader } from './packet-types.ts';
import { ProtocolError } from './protocol-error.ts';
import { type ConnectPacket, connectHasWill, readProtocolLevel } from './read-connect.ts';
import { type ConnectError, connectErrorOf, disconnectPackets, ReasonCode, ReturnCode } from './reason-codes.ts';
import type { ServerContext } from './server-context.ts';
import type { AcceptedConnect, ClientHandle, DisconnectReason, RejectedConnect } from './server-types.ts';
import { SlowClientDetector } from './slow-client.ts';
import { writeAccepted, writeDisconnect, writeRejected } from './write-packets.ts';

type State = 'connecting' | 'authorizing' | 'open' | 'ended';
type EndReason = { reason: DisconnectReason; detail: string };

const KEEP_ALIVE_GRACE = 1.5;

/** One client connection: CONNECT handshake, deadlines, and a single path by which it ends. */
export class ClientConnection implements PacketHandler {
  readonly #server: ServerContext;
  readonly #origin: Origin;
  readonly #packets: PacketStream;
  readonly #outbound: OutboundInflight;
  readonly #onClosed: () => void;
  #state: State = 'connecting';
  #stateSince: number;
  #versionKnown = false;
  #connect: ConnectPacket | null = null;
  #willPending = true;
  #keepAlive = 0;
  #accepted: AcceptedConnect | null = null;
  #dispatcher: PacketDispatcher | null = null;
  #endReason: EndReason = { reason: 'lost', detail: '' };
  #slowClient: SlowClientDetector | null = null;

  constructor(server: ServerContext, stream: Duplex, origin: Origin, onClosed: () => void) {
    this.#server = server;
    this.#origin = origin;
    this.#onClosed = onClosed;
    this.#stateSince = server.clock.now;
    this.#outbound = new OutboundInflight(server.limits.waitingSends);
    this.#packets = new PacketStream(server, stream, this);
  }

  get isAccepted(): boolean {
    return this.#accepted !== null;
  }

  checkHeader(header: number): void {
    if (this.#state === 'connecting') checkFirstHeader(header);
    else checkPacketHeader(header, this.#packets.version);
  }

  checkSize(_header: number, packetBytes: number): void {
    const { connectBytes, connectWithWillBytes, packetBytes: largest } = this.#server.limits;
    if (this.#state !== 'connecting') {
      if (packetBytes > largest) throw tooLarge(packetBytes);
      return;
    }
    const { receiveBuffer } = this.#packets;
    // A will is the only large part of a CONNECT; without one the small limit applies at once.
    const hasWill = connectHasWill(receiveBuffer.bytes, receiveBuffer.bodyStart, receiveBuffer.bodyBytes) ?? true;
    if (packetBytes > (hasWill ? connectWithWillBytes : connectBytes)) throw tooLarge(packetBytes);
  }

  handle(header: number, reader: PacketReader): boolean {
    if (this.#dispatcher) return this.#dispatcher.handle(header, reader);
    this.#handleConnect(reader);
    return true;
  }

  failed(error: unknown): void {
    if (error instanceof ProtocolError) {
      const detail = error.detail(this.#packets.version);
      this.#end('protocolError', detail, this.#finalPacket(error.reasonCode, detail, ReturnCode.notAuthorized));
      return;
    }
    this.#server.log.error({ err: error, clientId: this.#connect?.clientId }, 'packet handler failed');
    const detail = 'internal error of the server';
    this.#end('lost', detail, this.#finalPacket(ReasonCode.unspecifiedError, detail, ReturnCode.serverUnavailable));
  }

  inputEnded(): void {
    this.#end('lost', '', null);
  }

  closed(fault: string): void {
    if (this.#state === 'ended') this.#onClosed();
    else this.#end('lost', fault, null);
  }

  disconnect(reason: DisconnectReason, detail = ''): void {
    const packet = disconnectPackets[reason];
    const reasonString = detail || packet?.reasonString || '';
    const returnCode = reason === 'hubStopped' ? ReturnCode.serverUnavailable : ReturnCode.notAuthorized;
    const finalPacket = packet && this.#finalPacket(packet.reasonCode, reasonString, returnCode);
    this.#end(reason, detail, finalPacket);
  }

  checkDeadlines(): void {
    const { limits, clock } = this.#server;
    const age = clock.now - this.#stateSince;
    switch (this.#state) {
      case 'connecting':
        if (age > limits.connectWithinMs) this.#end('protocolError', 'no CONNECT received in time', null);
        break;
      case 'authorizing':
        if (age > limits.authorizeWithinMs) this.#reject(connectErrorOf('AWAY'));
        break;
      case 'open':
        this.#checkOpenDeadlines();
        break;
      case 'ended':
        if (age > limits.lingerMs) this.#packets.destroy();
        break;
    }
  }

  #checkOpenDeadlines(): void {
    const { limits } = this.#server;
    if (this.#packets.silentMs > this.#keepAlive * 1_000 * KEEP_ALIVE_GRACE) this.disconnect('keepAlive');
    else if (this.#packets.partialPacketMs > limits.packetWithinMs)
      this.failed(
        new ProtocolError('incomplete packet: the rest did not arrive in time', '4.2', '4.2', ReasonCode.protocolError),
      );
    else if (this.#slowClient?.isStalled(this.#packets.writeBuffer, this.#outbound)) this.disconnect('tooSlow');
  }

  #handleConnect(reader: PacketReader): void {
    const packetBytes = reader.end - reader.at;
    const version = readProtocolLevel(reader);
    if (!version) {
      this.#reject(unsupportedVersion);
      return;
    }
    this.#packets.version = version;
    this.#versionKnown = true;
    reader.version = version;
    this.#packets.checkPadding();
    const connect = readBoundedConnect(reader, packetBytes, this.#server.limits);
    this.#connect = connect;
    this.#packets.writeBuffer.packetBytesMax = connect.maximumPacketSize;
    const error = checkConnect(connect);
    if (error) this.#reject(error);
    else this.#authorize(connect);
  }

  #authorize(connect: ConnectPacket): void {
    this.#state = 'authorizing';
    this.#stateSince = this.#server.clock.now;
    this.#packets.pauseHandling();
    this.#keepAlive = boundedKeepAlive(connect.keepAlive, this.#server.limits);
    const handle: ClientHandle = {
      send: (payload) => this.#outbound.send(payload),
      disconnect: (reason, detail) => this.disconnect(reason, detail),
    };
    const request = connectRequestOf(connect, this.#packets.version, this.#keepAlive, this.#origin);
    const authorize = async () => this.#server.authorize(request, handle);
    authorize().then(
      (result) => this.#onAuthorized(connect, result),
      (error: unknown) => {
        this.#server.log.error({ err: error, clientId: connect.clientId }, 'connect authorization failed');
        this.#onAuthorized(connect, { accepted: false, cause: 'FAULT' });
      },
    );
  }

  #onAuthorized(connect: ConnectPacket, result: AcceptedConnect | RejectedConnect): void {
    if (this.#state === 'ended') {
      if (result.accepted) this.#callHandler(() => result.closed(this.#endReason.reason, this.#endReason.detail));
    } else if (!result.accepted) this.#reject(connectErrorOf(result.cause));
    else this.#accept(connect, result);
  }

  #accept(connect: ConnectPacket, accepted: AcceptedConnect): void {
    const { version } = this.#packets;
    const connack = writeAccepted({ version, keepAlive: this.#keepAlive, connect, limits: this.#server.limits });
    const error = checkAuthorizedConnect(connect, accepted.upTopic, connack);
    if (connack && !error) this.#open(connect, accepted, connack);
    else if (error) {
      this.#reject(error);
      this.#callHandler(() => accepted.closed('protocolError', error.reasonString));
    }
  }

  #open(connect: ConnectPacket, accepted: AcceptedConnect, connack: Buffer): void {
    const { version, writeBuffer } = this.#packets;
    const { clock, limits } = this.#server;
    this.#state = 'open';
    this.#accepted = accepted;
    this.#server.acceptedClients++;
    this.#server.addresses.count(this.#origin.ip, -1);
    this.#slowClient = new SlowClientDetector(clock, limits.slowWithinMs);
    this.#dispatcher = new PacketDispatcher({
      server: this.#server,
      packets: this.#packets,
      outbound: this.#outbound,
      client: accepted,
      sessionExpiry: connect.sessionExpiry,
      onDisconnect: (reasonCode) => this.#onDisconnect(reasonCode),
    });
    writeBuffer.write(connack);
    this.#outbound.open({
      version,
      topic: accepted.downTopic,
      receiveMaximum: connect.receiveMaximum,
      maximumPacketSize: connect.maximumPacketSize,
      clock,
      write: (packet) => writeBuffer.write(packet),
      isBlocked: () => writeBuffer.full,
    });
    this.#packets.resumeHandling();
  }

  #publishWill(payload: Buffer): void {
    const { onWill, receive } = this.#accepted ?? {};
    if (onWill) onWill(payload);
    else receive?.(payload, 1, () => undefined);
  }

  /** MQTT 5 §3.14.4: the will is discarded only with reason code 0. */
  #onDisconnect(reasonCode: number): void {
    this.#willPending = reasonCode !== ReasonCode.success;
    const code = reasonCode.toString(16).padStart(2, '0');
    this.#end('byDevice', this.#willPending ? `reason code 0x${code}` : '', null);
  }

  #reject(error: ConnectError): void {
    if (error.returnCode !== ReturnCode.serverUnavailable) this.#countFailure();
    const connack = writeRejected(this.#packets.version, error, this.#packets.writeBuffer.packetBytesMax);
    this.#end('lost', error.reasonString, connack);
  }

  #countFailure(): void {
    const { ip } = this.#origin;
    if (this.#server.addresses.failed(ip))
      this.#server.log.warn({ ip }, 'too many failed CONNECTs from this address, blocking it for up to a minute');
  }

  /** CONNACK before the client is accepted, DISCONNECT after; 3.1.1 has no DISCONNECT from the server. */
  #finalPacket(reasonCode: number, reasonString: string, returnCode: number): Buffer | null {
    if (this.#state === 'open')
      return this.#packets.version === 5
        ? writeDisconnect(reasonCode, reasonString, this.#packets.writeBuffer.packetBytesMax)
        : null;
    const canSendConnack = this.#state === 'authorizing' || (this.#versionKnown && this.#packets.version === 5);
    return canSendConnack
      ? writeRejected(
          this.#packets.version,
          { returnCode, reasonCode, reasonString },
          this.#packets.writeBuffer.packetBytesMax,
        )
      : null;
  }

  #end(reason: DisconnectReason, detail: string, finalPacket: Buffer | null): void {
    if (this.#state === 'ended') return;
    const wasOpen = this.#state === 'open';
    if (!wasOpen && reason === 'protocolError') this.#countFailure();
    this.#state = 'ended';
    this.#stateSince = this.#server.clock.now;
    this.#endReason = { reason, detail };
    this.#packets.stop();
    this.#dispatcher?.end();
    this.#server.log.debug({ ...this.#origin, clientId: this.#connect?.clientId, reason, detail }, 'connection ended');
    const closeAtOnce = reason === 'lost' || reason === 'tooSlow' || !wasOpen;
    if (finalPacket === null && closeAtOnce) this.#packets.destroy();
    else this.#packets.endAfter(finalPacket);
    this.#outbound.end();
    if (wasOpen) this.#notifyClosed(reason, detail);
    else if (reason !== 'lost' || finalPacket) this.#server.refused++;
    if (this.#packets.isClosed) this.#onClosed();
  }

  #notifyClosed(reason: DisconnectReason, detail: string): void {
    const will = this.#connect?.will;
    if (will && this.#willPending) this.#callHandler(() => this.#publishWill(will.payload));
    this.#callHandler(() => this.#accepted?.closed(reason, detail));
  }

  #callHandler(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#server.log.error({ err: error, clientId: this.#connect?.clientId }, 'close handler failed');
    }
  }
}
