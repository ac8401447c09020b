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
import type { Admitted, Qos } from './server-types.ts';
import { answerSubscriptions, answerUnsubscriptions } from './subscriptions.ts';
import { Answer, PINGRESP, writeAnswer, writeSuback, writeUnsuback } from './write-packets.ts';

type ConversationDeps = {
  hub: ServerContext;
  packets: PacketStream;
  downward: OutboundInflight;
  admitted: Admitted;
  sessionExpiry: number;
  /** DISCONNECT came, with this reason code. */
  goodbye: (reasonCode: number) => void;
};

const qosOf = (header: number): Qos => {
  const bits = (header >> 1) & 3;
  return bits === 2 ? 2 : bits === 1 ? 1 : 0;
};

const isRepeat = (header: number): boolean => (header & 8) !== 0;

const idInUse = (packetId: number): ProtocolError =>
  new ProtocolError(`packet identifier ${packetId} is in use`, '2.3.1', '2.2.1', ReasonCode.protocolError);

/** A payload of its own: a part of a large chunk would keep all of the chunk in memory while it waits. */
const ownPayload = (reader: PacketReader): Buffer => {
  const payload = reader.bytes.subarray(reader.at, reader.end);
  return 2 * payload.length >= payload.buffer.byteLength ? payload : Buffer.from(payload);
};

/** What an admitted client and the hub say to each other. */
export class PacketDispatcher {
  readonly #deps: ConversationDeps;
  readonly #upTopic: Buffer;
  readonly #upward: InboundInflight;

  constructor(deps: ConversationDeps) {
    const { hub, packets, admitted } = deps;
    this.#deps = deps;
    this.#upTopic = Buffer.from(admitted.upTopic);
    this.#upward = new InboundInflight({
      budget: hub.budget,
      write: (packet) => packets.outbox.write(packet),
      roomAgain: () => packets.roomAgain(),
    });
  }

  end(): void {
    this.#upward.end();
  }

  /** False when a publish must wait for room. */
  take(header: number, reader: PacketReader): boolean {
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
        reader.mustBeAtEnd();
        this.#write(PINGRESP);
        break;
      case PacketType.disconnect:
        this.#deps.goodbye(readDisconnect(reader, this.#deps.sessionExpiry));
        break;
      default:
        // PUBREC and PUBCOMP belong to QoS 2, and the hub sends with QoS 1.
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
    const bytes = reader.left;
    const { hub, packets, admitted } = this.#deps;
    // MQTT 5 §3.3.4 would let the hub cut a client that exceeds Receive Maximum; Eclipse paho does, so it waits instead.
    if (this.#upward.waiting >= hub.limits.windowMessages) return false;
    if (admitted.pace && !admitted.pace.isDue(() => packets.roomAgain())) return false;
    if (!hub.budget.take(packets, bytes)) return false;
    admitted.pace?.spend();
    admitted.receive(ownPayload(reader), qos, this.#upward.add(packetId, qos, bytes));
    return true;
  }

  /** Whether this publish was received before, in this connection. */
  #isKnown(packetId: number, qos: Qos, header: number, reader: PacketReader): boolean {
    if (this.#upward.isUnreleased(packetId)) {
      if (qos !== 2) throw idInUse(packetId);
      this.#write(writeAnswer(Answer.pubrec, packetId));
      return true;
    }
    const waiting = this.#upward.find(packetId);
    if (waiting) {
      // MQTT 3.1.1 §4.4 leaves it open whether a client may repeat itself within a connection; MQTT 5 §4.4 forbids it.
      if (reader.version === 4 && isRepeat(header) && waiting.qos === qos) return true;
      throw idInUse(packetId);
    }
    return false;
  }

  #puback(reader: PacketReader): void {
    const { packetId, reasonCode } = readPuback(reader);
    this.#deps.downward.taken(packetId, reasonCode);
  }

  #pubrel(reader: PacketReader): void {
    const { packetId } = readPubrel(reader);
    if (this.#upward.find(packetId))
      throw new ProtocolError('PUBREL before PUBREC', '4.3.3', '4.3.3', ReasonCode.protocolError);
    const known = this.#upward.release(packetId);
    const reasonCode = known || reader.version === 4 ? ReasonCode.success : ReasonCode.packetIdNotFound;
    this.#write(writeAnswer(Answer.pubcomp, packetId, reasonCode));
  }

  #subscribe(reader: PacketReader): void {
    const packet = readSubscribe(reader);
    const { admitted, downward } = this.#deps;
    const granted = answerSubscriptions(packet, admitted.downTopic, reader.version);
    for (const code of granted) if (code === 0 || code === 1) downward.subscribe(code);
    this.#write(writeSuback(reader.version, packet.packetId, granted));
  }

  #unsubscribe(reader: PacketReader): void {
    const { packetId, filters } = readUnsubscribe(reader);
    const { admitted, downward } = this.#deps;
    const codes = answerUnsubscriptions(filters, admitted.downTopic);
    if (codes.includes(ReasonCode.success)) downward.unsubscribe();
    this.#write(writeUnsuback(reader.version, packetId, codes));
  }

  #write(packet: Buffer): void {
    this.#deps.packets.outbox.write(packet);
  }
}
