import { generate, type IConnackPacket, type IDisconnectPacket } from 'mqtt-packet';
import type { ConnectPacket } from './read-connect.ts';
import { type ConnectError, ReasonCode, ReturnCode } from './reason-codes.ts';
import type { ProtocolVersion, ServerLimits } from './server-types.ts';

export const PINGRESP = Buffer.from([0xd0, 0]);

/** First bytes of the acknowledgement packets. */
export const Acknowledgement = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

/** PUBACK, PUBREC or PUBCOMP. MQTT 5 §3.4.2.1: reason code 0 and empty properties may be omitted. */
export const writeAcknowledgement = (header: number, packetId: number, reasonCode = 0): Buffer =>
  reasonCode === 0
    ? Buffer.from([header, 2, packetId >> 8, packetId & 0xff])
    : Buffer.from([header, 3, packetId >> 8, packetId & 0xff, reasonCode]);

type AcceptedParams = { version: ProtocolVersion; keepAlive: number; connect: ConnectPacket; limits: ServerLimits };

const connackWith = (properties: IConnackPacket['properties']): Buffer =>
  generate(
    { cmd: 'connack', sessionPresent: false, reasonCode: ReasonCode.success, properties },
    { protocolVersion: 5 },
  );

/**
 * MQTT 3.1.1 §3.2, MQTT 5 §3.2: the hub keeps no MQTT session, so Session Present is 0. Optional properties are omitted
 * when the client's Maximum Packet Size is small; undefined when not even the required ones fit.
 */
export const writeAccepted = ({ version, keepAlive, connect, limits }: AcceptedParams): Buffer | undefined => {
  if (version === 4) return generate({ cmd: 'connack', sessionPresent: false, returnCode: ReturnCode.accepted });
  const required = {
    ...(connect.sessionExpiry > 0 ? { sessionExpiryInterval: 0 } : {}),
    ...(keepAlive === connect.keepAlive ? {} : { serverKeepAlive: keepAlive }),
  };
  const all = {
    ...required,
    sessionExpiryInterval: 0,
    receiveMaximum: limits.windowMessages,
    maximumPacketSize: limits.packetBytes,
    retainAvailable: false,
    topicAliasMaximum: 0,
    wildcardSubscriptionAvailable: false,
    subscriptionIdentifiersAvailable: false,
    sharedSubscriptionAvailable: false,
  };
  return [all, required].map(connackWith).find((packet) => packet.length <= connect.maximumPacketSize);
};

/** MQTT 5 §3.2.2.3.9 and §3.14.2.2.3: the reason string is omitted when it would exceed the Maximum Packet Size. */
const withReasonString = <P extends IConnackPacket | IDisconnectPacket>(
  packet: P,
  reasonString: string,
  maximum: number,
): Buffer => {
  const whole = generate({ ...packet, properties: { reasonString } }, { protocolVersion: 5 });
  return whole.length <= maximum ? whole : generate(packet, { protocolVersion: 5 });
};

export const writeRejected = (version: ProtocolVersion, error: ConnectError, maximum: number): Buffer =>
  version === 4
    ? generate({ cmd: 'connack', sessionPresent: false, returnCode: error.returnCode })
    : withReasonString<IConnackPacket>(
        { cmd: 'connack', sessionPresent: false, reasonCode: error.reasonCode },
        error.reasonString,
        maximum,
      );

export const writeDisconnect = (reasonCode: number, reasonString: string, maximum: number): Buffer =>
  withReasonString<IDisconnectPacket>({ cmd: 'disconnect', reasonCode }, reasonString, maximum);

export const writeSuback = (version: ProtocolVersion, messageId: number, granted: number[]): Buffer =>
  generate({ cmd: 'suback', messageId, granted }, { protocolVersion: version });

export const writeUnsuback = (version: ProtocolVersion, messageId: number, granted: number[]): Buffer =>
  generate({ cmd: 'unsuback', messageId, granted }, { protocolVersion: version });

const remainingLength = (length: number): number[] => {
  const bytes: number[] = [];
  let rest = length;
  do {
    const more = rest > 127 ? 0x80 : 0;
    bytes.push((rest & 0x7f) | more);
    rest >>= 7;
  } while (rest > 0);
  return bytes;
};

/** PUBLISH on a pre-encoded topic; QoS 1 with a packet identifier, else QoS 0. */
export const writePublish = (version: ProtocolVersion, topic: Buffer, payload: Buffer, packetId?: number): Buffer => {
  const id = packetId === undefined ? [] : [packetId >> 8, packetId & 0xff];
  const head = Buffer.from(version === 5 ? [...id, 0] : id);
  const length = 2 + topic.length + head.length + payload.length;
  const first = packetId === undefined ? 0x30 : 0x32;
  return Buffer.concat([
    Buffer.from([first, ...remainingLength(length), topic.length >> 8, topic.length & 0xff]),
    topic,
    head,
    payload,
  ]);
};
