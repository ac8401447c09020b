import type { PacketReader } from './packet-reader.ts';
import { type Properties, Property, readProperties } from './properties.ts';
import { ProtocolError } from './protocol-error.ts';
import { ReasonCode } from './reason-codes.ts';
import type { ProtocolVersion, Will } from './server-types.ts';

/** MQTT 3.1.1 §3.1.2.3, as bits. */
const Flag = { reserved: 0x01, will: 0x04, willQos: 0x18, willRetain: 0x20, password: 0x40, username: 0x80 } as const;

/** Offset of the flags: after the name's length, the name `MQTT` and the level. */
const FLAGS_AT = 7;
const LARGEST = 0xffff_ffff;

export type ConnectPacket = {
  clientId: string;
  username: string;
  password: string;
  keepAlive: number;
  will: Will | null;
  /** Length of the will within the packet. */
  willBytes: number;
  sessionExpiry: number;
  receiveMaximum: number;
  maximumPacketSize: number;
  authenticationMethod: boolean;
};

/** Whether a partially received CONNECT has a will; undefined until its flags have arrived. */
export const connectHasWill = (bytes: Buffer, bodyStart: number, bodyBytes: number): boolean | undefined =>
  bodyBytes > FLAGS_AT ? Boolean(bytes.readUInt8(bodyStart + FLAGS_AT) & Flag.will) : undefined;

/** The protocol level; undefined when the hub does not support it. */
export const readProtocolLevel = (reader: PacketReader): ProtocolVersion | undefined => {
  const name = reader.text();
  const level = reader.byte();
  if (name === 'MQIsdp' && level === 3) return undefined;
  if (name !== 'MQTT') throw new ProtocolError('the protocol is not named MQTT', '3.1.2.1');
  return level === 4 || level === 5 ? level : undefined;
};

const checkFlags = (flags: number, version: ProtocolVersion): void => {
  if (flags & Flag.reserved) throw new ProtocolError('the reserved flag of CONNECT is set', '3.1.2.3');
  const willQos = (flags & Flag.willQos) >> 3;
  if (willQos === 3) throw new ProtocolError('a will with QoS 3', '3.1.2.6');
  if (!(flags & Flag.will) && willQos) throw new ProtocolError('a QoS for no will', '3.1.2.6');
  if (!(flags & Flag.will) && flags & Flag.willRetain) throw new ProtocolError('retain for no will', '3.1.2.7');
  // MQTT 5 §3.1.2.9 allows a password without a user name.
  if (version === 4 && flags & Flag.password && !(flags & Flag.username))
    throw new ProtocolError('a password without a user name', '3.1.2.9');
};

const readWill = (reader: PacketReader): Will => {
  readProperties(reader, 'will');
  const topic = reader.text();
  if (topic === '') throw new ProtocolError('an empty will topic', '4.7.3');
  if (/[#+]/.test(topic)) throw new ProtocolError('a will topic with a wildcard', '3.3.2.1');
  // Copied, because the will outlives the receive buffer.
  return { topic, payload: Buffer.from(reader.binary()) };
};

const numberIn = (properties: Properties, id: number, otherwise: number): number => {
  const value = properties.get(id);
  return typeof value === 'number' ? value : otherwise;
};

/** Reads the CONNECT from the flags on. */
export const readConnect = (reader: PacketReader): ConnectPacket => {
  const flags = reader.byte();
  checkFlags(flags, reader.version);
  const keepAlive = reader.uint16();
  const properties = readProperties(reader, 'connect');
  const authenticationMethod = properties.has(Property.authenticationMethod);
  if (properties.has(Property.authenticationData) && !authenticationMethod)
    throw new ProtocolError('authentication data without its method', '3.1', '3.1.2.11.10', ReasonCode.protocolError);
  const clientId = reader.text();
  const willStart = reader.at;
  const will = flags & Flag.will ? readWill(reader) : null;
  const willBytes = reader.at - willStart;
  const username = flags & Flag.username ? reader.text() : '';
  const password = flags & Flag.password ? reader.binary().toString() : '';
  reader.expectEnd();
  return {
    clientId,
    username,
    password,
    keepAlive,
    will,
    willBytes,
    sessionExpiry: numberIn(properties, Property.sessionExpiry, 0),
    receiveMaximum: numberIn(properties, Property.receiveMaximum, 0xffff),
    maximumPacketSize: numberIn(properties, Property.maximumPacketSize, LARGEST),
    authenticationMethod,
  };
};
