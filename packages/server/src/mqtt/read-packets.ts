import type { PacketReader } from './packet-reader.ts';
import { Property, readProperties } from './properties.ts';
import { ProtocolError } from './protocol-error.ts';
import { ReasonCode } from './reason-codes.ts';

export type Subscription = { filter: string; qos: number; noLocal: boolean };
export type SubscribePacket = { packetId: number; subscriptions: Subscription[]; hasIdentifier: boolean };
export type UnsubscribePacket = { packetId: number; filters: string[] };

/** Truncates a topic name for log lines and reason strings. */
const truncated = (topic: string): string => (topic.length > 100 ? `${topic.slice(0, 100)}…` : topic);

/** If the topic at the cursor equals the expected one, moves the cursor behind it and returns true. */
const skipExpectedTopic = (reader: PacketReader, expected: Buffer): boolean => {
  const start = reader.at + 2;
  const end = start + expected.length;
  if (end > reader.end || reader.bytes.readUInt16BE(reader.at) !== expected.length) return false;
  if (reader.bytes.compare(expected, 0, expected.length, start, end) !== 0) return false;
  reader.at = end;
  return true;
};

/** The error for an unexpected topic: malformed, or not the device's own. */
const topicError = (topic: string): ProtocolError => {
  if (topic === '') return new ProtocolError('an empty topic', '4.7.3', '3.3.2.1', ReasonCode.protocolError);
  if (/[#+]/.test(topic))
    return new ProtocolError('a topic with a wildcard in PUBLISH', '3.3.2.1', '3.3.2.1', ReasonCode.topicNameInvalid);
  return new ProtocolError(
    `the topic ${truncated(topic)} is not allowed, only the device's own uplink topic`,
    '3.3.5',
    '3.3.5',
    ReasonCode.notAuthorized,
  );
};

/** Moves the cursor to the payload of a PUBLISH and returns the packet identifier; 0 for QoS 0. */
export const readPublishHead = (reader: PacketReader, qos: number, expectedTopic: Buffer): number => {
  const topic = skipExpectedTopic(reader, expectedTopic) ? null : reader.text();
  const packetId = qos > 0 ? reader.packetId() : 0;
  const properties = readProperties(reader, 'publish');
  // CONNACK announces Topic Alias Maximum 0.
  if (properties.has(Property.topicAlias))
    throw new ProtocolError('a topic alias', '3.3.2', '3.3.2.3.4', ReasonCode.topicAliasInvalid);
  if (topic !== null) throw topicError(topic);
  return packetId;
};

export type AcknowledgementPacket = { packetId: number; reasonCode: number };

const acknowledgementCodes = new Set([0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99]);
const releaseCodes = new Set([0x00, 0x92]);

const readAcknowledgement = (reader: PacketReader, codes: ReadonlySet<number>): AcknowledgementPacket => {
  const packetId = reader.packetId();
  let reasonCode: number = ReasonCode.success;
  if (reader.version === 5 && reader.remaining > 0) {
    reasonCode = reader.byte();
    if (!codes.has(reasonCode)) throw new ProtocolError(`reason code ${reasonCode} is not for this packet`, '2.4');
    if (reader.remaining > 0) readProperties(reader, 'answer');
  }
  reader.expectEnd();
  return { packetId, reasonCode };
};

export const readPuback = (reader: PacketReader): AcknowledgementPacket =>
  readAcknowledgement(reader, acknowledgementCodes);
export const readPubrel = (reader: PacketReader): AcknowledgementPacket => readAcknowledgement(reader, releaseCodes);

const readFilter = (reader: PacketReader): string => {
  const filter = reader.text();
  if (filter === '') throw new ProtocolError('an empty topic filter', '4.7.3');
  return filter;
};

const readSubscription = (reader: PacketReader): Subscription => {
  const filter = readFilter(reader);
  const options = reader.byte();
  const qos = options & 3;
  if (qos === 3) throw new ProtocolError('a subscription with QoS 3', '3.8.3', '3.8.3.1', ReasonCode.protocolError);
  if (options & (reader.version === 5 ? 0xc0 : 0xfc))
    throw new ProtocolError('reserved bits of a subscription are set', '3.8.3', '3.8.3.1');
  if ((options & 0x30) === 0x30)
    throw new ProtocolError('retain handling 3', '3.8.3', '3.8.3.1', ReasonCode.protocolError);
  return { filter, qos, noLocal: Boolean(options & 4) };
};

export const readSubscribe = (reader: PacketReader): SubscribePacket => {
  const packetId = reader.packetId();
  const properties = readProperties(reader, 'subscribe');
  const subscriptions: Subscription[] = [];
  while (reader.remaining > 0) subscriptions.push(readSubscription(reader));
  if (subscriptions.length === 0)
    throw new ProtocolError('SUBSCRIBE without a filter', '3.8.3', '3.8.3', ReasonCode.protocolError);
  return { packetId, subscriptions, hasIdentifier: properties.has(Property.subscriptionIdentifier) };
};

export const readUnsubscribe = (reader: PacketReader): UnsubscribePacket => {
  const packetId = reader.packetId();
  readProperties(reader, 'unsubscribe');
  const filters: string[] = [];
  while (reader.remaining > 0) filters.push(readFilter(reader));
  if (filters.length === 0)
    throw new ProtocolError('UNSUBSCRIBE without a filter', '3.10.3', '3.10.3', ReasonCode.protocolError);
  return { packetId, filters };
};

/** MQTT 5 §3.14.2.1: the reason codes that a client may send. */
const disconnectCodes = new Set([0x00, 0x04, 0x80, 0x81, 0x82, 0x83, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99]);

/** The reason code of a DISCONNECT. */
export const readDisconnect = (reader: PacketReader, sessionExpiryAtConnect: number): number => {
  if (reader.version === 4 || reader.remaining === 0) {
    reader.expectEnd();
    return ReasonCode.success;
  }
  const reasonCode = reader.byte();
  if (!disconnectCodes.has(reasonCode))
    throw new ProtocolError(`reason code ${reasonCode} is not for a client's DISCONNECT`, '2.4', '3.14.2.1');
  if (reader.remaining > 0) {
    const expiry = readProperties(reader, 'disconnect').get(Property.sessionExpiry);
    if (expiry && sessionExpiryAtConnect === 0)
      throw new ProtocolError('a session expiry after none at CONNECT', '3.14', '3.14.2.2.2', ReasonCode.protocolError);
  }
  reader.expectEnd();
  return reasonCode;
};
