import { InboundInflight } from './inbound-inflight.ts';
import type { OutboundInflight } from './outbound-inflight.ts';
import type { PacketReader } from './packet-reader.ts';
import type { PacketStream } from './packet-stream.ts';
import { PacketType } from './packet-types.ts';
import { ProtocolError } from './protocol-error.ts';
import {
  readDisconnect,
  readPuback,
  readPublishHead,
  readPubrel,
  readSubscribe,
  readUnsubscribe,
} from './read-packets.ts';
import { ReasonCode } from './reason-codes.ts';
import type { ServerContext } from './server-context.ts';
import type { AcceptedConnect, Qos } from './server-types.ts';
import { subackCodes, unsubackCodes } from './subscriptions.ts';
import { Acknowledgement, PINGRESP, writeAcknowledgement, writeSuback, writeUnsuback } from './write-packets.ts';

type DispatcherDeps = {
  server: ServerContext;
  packets: PacketStream;
  outbound: OutboundInflight;
  client: AcceptedConnect;
  sessionExpiry: number;
  /** Called when the client sends DISCONNECT. */
  onDisconnect: (reasonCode: number) => void;
};

const qosOf = (header: number): Qos => {
  const bits = (header >> 1) & 3;
  return bits === 2 ? 2 : bits === 1 ? 1 : 0;
};

const isDuplicate = (header: number): boolean => (header & 8) !== 0;

const packetIdInUse = (packetId: number): ProtocolError =>
  new ProtocolError(`packet identifier ${packetId} is in use`, '2.3.1', '2.2.1', ReasonCode.protocolError);

/** Copies a payload that is a small part of its chunk: the whole chunk would stay in memory while it waits. */
const detachPayload = (reader: PacketReader): Buffer => {
  const payload = reader.bytes.subarray(reader.at, reader.end);
  return 2 * payload.length >= payload.buffer.byteLength ? payload : Buffer.from(payload);
};

/** Handles the packets of an accepted client. */
export class PacketDispatcher {
  readonly #deps: DispatcherDeps;
  readonly #upTopic: Buffer;
  readonly #inbound: InboundInflight;

  constructor(deps: DispatcherDeps) {
    const { server, packets, client } = deps;
    this.#deps = deps;
    this.#upTopic = Buffer.from(client.upTopic);
    this.#inbound = new InboundInflight({
      budget: server.budget,
      write: (packet) => packets.writeBuffer.write(packet),
      onCapacity: () => packets.onCapacity(),
    });
  }

  end(): void {
    this.#inbound.end();
  }

  /** Returns false when a publish must wait for capacity. */
  handle(header: number, reader: PacketReader): boolean {
    switch (header >> 4) {
      case PacketType.publish:
        return this.#publish(header, reader);
      case PacketType.puback:
        this.#puback(reader);
        break;
      case PacketType.pubrel:
        this.#pubrel(reader);
        break;
      case PacketType.subscribe:
        this.#subscribe(reader);
        break;
      case PacketType.unsubscribe:
        this.#unsubscribe(reader);
        break;
      case PacketType.pingreq:
        reader.expectEnd();
        this.#write(PINGRESP);
        break;
      case PacketType.disconnect:
        this.#deps.onDisconnect(readDisconnect(reader, this.#deps.sessionExpiry));
        break;
      default:
        // PUBREC and PUBCOMP belong to QoS 2, and the server sends with QoS 1.
        throw new ProtocolError(
          'an answer to a QoS 2 message that was not sent',
          '4.3.3',
          '4.3.3',
          ReasonCode.protocolError,
        );
    }
    return true;
  }

  #publish(header: number, reader: PacketReader): boolean {
    const qos = qosOf(header);
    const packetId = readPublishHead(reader, qos, this.#upTopic);
    if (qos > 0 && this.#isKnown(packetId, qos, header, reader)) return true;
    const bytes = reader.remaining;
    const { server, packets, client } = this.#deps;
    // MQTT 5 §3.3.4 permits a disconnect when Receive Maximum is exceeded. Eclipse Paho exceeds it, so the server waits.
    if (this.#inbound.waiting >= server.limits.windowMessages) return false;
    if (client.rateLimit && !client.rateLimit.isAllowed(() => packets.onCapacity())) return false;
    if (!server.budget.tryReserve(packets, bytes)) return false;
    client.rateLimit?.consume();
    client.receive(detachPayload(reader), qos, this.#inbound.add(packetId, qos, bytes));
    return true;
  }

  /** Whether this publish was received before, in this connection. */
  #isKnown(packetId: number, qos: Qos, header: number, reader: PacketReader): boolean {
    if (this.#inbound.isUnreleased(packetId)) {
      if (qos !== 2) throw packetIdInUse(packetId);
      this.#write(writeAcknowledgement(Acknowledgement.pubrec, packetId));
      return true;
    }
    const waiting = this.#inbound.find(packetId);
    if (waiting) {
      // MQTT 3.1.1 §4.4 does not forbid resending within a connection; MQTT 5 §4.4 does.
      if (reader.version === 4 && isDuplicate(header) && waiting.qos === qos) return true;
      throw packetIdInUse(packetId);
    }
    return false;
  }

  #puback(reader: PacketReader): void {
    const { packetId, reasonCode } = readPuback(reader);
    this.#deps.outbound.acknowledged(packetId, reasonCode);
  }

  #pubrel(reader: PacketReader): void {
    const { packetId } = readPubrel(reader);
    if (this.#inbound.find(packetId))
      throw new ProtocolError('PUBREL before PUBREC', '4.3.3', '4.3.3', ReasonCode.protocolError);
    const known = this.#inbound.release(packetId);
    const reasonCode = known || reader.version === 4 ? ReasonCode.success : ReasonCode.packetIdNotFound;
    this.#write(writeAcknowledgement(Acknowledgement.pubcomp, packetId, reasonCode));
  }

  #subscribe(reader: PacketReader): void {
    const packet = readSubscribe(reader);
    const { client, outbound } = this.#deps;
    const granted = subackCodes(packet, client.downTopic, reader.version);
    for (const code of granted) if (code === 0 || code === 1) outbound.subscribe(code);
    this.#write(writeSuback(reader.version, packet.packetId, granted));
  }

  #unsubscribe(reader: PacketReader): void {
    const { packetId, filters } = readUnsubscribe(reader);
    const { client, outbound } = this.#deps;
    const codes = unsubackCodes(filters, client.downTopic);
    if (codes.includes(ReasonCode.success)) outbound.unsubscribe();
    this.#write(writeUnsuback(reader.version, packetId, codes));
  }

  #write(packet: Buffer): void {
    this.#deps.packets.writeBuffer.write(packet);
  }
}
