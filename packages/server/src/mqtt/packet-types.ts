import { ProtocolError } from './protocol-error.ts';
import { ReasonCode } from './reason-codes.ts';
import type { ProtocolVersion } from './server-types.ts';

/** MQTT 3.1.1 §2.2.1, MQTT 5 §2.1.2. */
export const PacketType = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  suback: 9,
  unsubscribe: 10,
  unsuback: 11,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
  auth: 15,
} as const;

const serverPackets = new Set<number>([
  PacketType.connack,
  PacketType.suback,
  PacketType.unsuback,
  PacketType.pingresp,
]);
/** MQTT 3.1.1 §2.2.2: these carry 0010 in their flags, all others but PUBLISH 0000. */
const packetsWithFlags2 = new Set<number>([PacketType.pubrel, PacketType.subscribe, PacketType.unsubscribe]);

const checkPublishFlags = (flags: number): void => {
  const qos = (flags >> 1) & 3;
  if (qos === 3) throw new ProtocolError('a PUBLISH with QoS 3', '3.3.1.2');
  if (qos === 0 && flags & 8) throw new ProtocolError('a PUBLISH with DUP and QoS 0', '3.3.1.1');
};

/** The first byte of a packet after the CONNECT. */
export const checkPacketHeader = (header: number, version: ProtocolVersion): void => {
  const type = header >> 4;
  const flags = header & 0x0f;
  if (type === PacketType.publish) {
    checkPublishFlags(flags);
    return;
  }
  if (type === 0 || (type === PacketType.auth && version === 4))
    throw new ProtocolError(`packet type ${type} is reserved`, '2.2.1', '2.1.2');
  if (flags !== (packetsWithFlags2.has(type) ? 2 : 0))
    throw new ProtocolError('reserved flags of the fixed header are set', '2.2.2', '2.1.3');
  if (type === PacketType.connect) throw new ProtocolError('a second CONNECT', '3.1', '3.1', ReasonCode.protocolError);
  if (serverPackets.has(type))
    throw new ProtocolError(`packet type ${type} is sent by servers only`, '2.2.1', '2.1.2', ReasonCode.protocolError);
  if (type === PacketType.auth)
    throw new ProtocolError('AUTH where no authentication method was agreed', '3.15', '4.12', ReasonCode.protocolError);
};

/** The first byte of a connection. */
export const checkFirstHeader = (header: number): void => {
  if (header >> 4 !== PacketType.connect)
    throw new ProtocolError(`packet type ${header >> 4} before CONNECT`, '3.1', '3.1', ReasonCode.protocolError);
  if (header & 0x0f) throw new ProtocolError('reserved flags of the fixed header are set', '2.2.2', '2.1.3');
};
