import { generate, type IConnackPacket, type IDisconnectPacket } from 'mqtt-packet';
import type { ConnectPacket } from './read-connect.ts';
import { type ConnectRefusal, ReasonCode, ReturnCode } from './reason-codes.ts';
import type { GatewayLimits, ProtocolVersion } from './server-types.ts';

export const PINGRESP = Buffer.from([0xd0, 0]);

/** First bytes of the answers to a publish. */
export const Answer = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

/** PUBACK, PUBREC or PUBCOMP. MQTT 5 §3.4.2.1: the reason code 0 and empty properties may be left out. */
export const writeAnswer = (header: number, packetId: number, reasonCode = 0): Buffer =>
  reasonCode === 0
    ? Buffer.from([header, 2, packetId >> 8, packetId & 0xff])
    : Buffer.from([header, 3, packetId >> 8, packetId & 0xff, reasonCode]);

type Accepted = { version: ProtocolVersion; keepAlive: number; connect: ConnectPacket; limits: GatewayLimits };

const accepted = (properties: IConnackPacket['properties']): Buffer =>
  generate(
    { cmd: 'connack', sessionPresent: false, reasonCode: ReasonCode.success, properties },
    { protocolVersion: 5 },
  );

/**
 * MQTT 3.1.1 §3.2, MQTT 5 §3.2: no session is kept, so Session Present is 0. Where the client takes only small packets,
 * what a client can do without is left out; nothing where it takes not even that.
 */
export const writeAccepted = ({ version, keepAlive, connect, limits }: Accepted): Buffer | undefined => {
  if (version === 4) return generate({ cmd: 'connack', sessionPresent: false, returnCode: ReturnCode.accepted });
  const needed = {
    ...(connect.sessionExpiry > 0 ? { sessionExpiryInterval: 0 } : {}),
    ...(keepAlive === connect.keepAlive ? {} : { serverKeepAlive: keepAlive }),
  };
  const whole = {
    ...needed,
    sessionExpiryInterval: 0,
    receiveMaximum: limits.windowMessages,
    maximumPacketSize: limits.packetBytes,
    retainAvailable: false,
    topicAliasMaximum: 0,
    wildcardSubscriptionAvailable: false,
    subscriptionIdentifiersAvailable: false,
    sharedSubscriptionAvailable: false,
  };
  return [whole, needed].map(accepted).find((packet) => packet.length <= connect.maximumPacketSize);
};

/** MQTT 5 §3.2.2.3.9 and §3.14.2.2.3: words are left out where the client could not take the packet with them. */
const fitting = <P extends IConnackPacket | IDisconnectPacket>(packet: P, words: string, maximum: number): Buffer => {
  const whole = generate({ ...packet, properties: { reasonString: words } }, { protocolVersion: 5 });
  return whole.length <= maximum ? whole : generate(packet, { protocolVersion: 5 });
};

export const writeRefused = (version: ProtocolVersion, refusal: ConnectRefusal, maximum: number): Buffer =>
  version === 4
    ? generate({ cmd: 'connack', sessionPresent: false, returnCode: refusal.returnCode })
    : fitting<IConnackPacket>(
        { cmd: 'connack', sessionPresent: false, reasonCode: refusal.reasonCode },
        refusal.words,
        maximum,
      );

export const writeDisconnect = (reasonCode: number, words: string, maximum: number): Buffer =>
  fitting<IDisconnectPacket>({ cmd: 'disconnect', reasonCode }, words, maximum);

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

/** A PUBLISH on a topic that is known for long; with QoS 1 where it has an identifier, else with QoS 0. */
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
