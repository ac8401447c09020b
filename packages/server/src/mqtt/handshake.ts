import type { PacketReader } from './packet-reader.ts';
import { ProtocolError } from './protocol-error.ts';
import { type ConnectPacket, readConnect } from './read-connect.ts';
import { type ConnectError, connectErrorOf, ReasonCode, ReturnCode } from './reason-codes.ts';
import type { ConnectRequest, ProtocolVersion, ServerLimits, Transport } from './server-types.ts';

export type Origin = { ip: string; transport: Transport };

export const tooLarge = (bytes: number): ProtocolError =>
  new ProtocolError(`a packet of ${bytes} bytes is too large`, '2.2.3', '3.2.2.3.6', ReasonCode.packetTooLarge);

export const unsupportedVersion: ConnectError = {
  returnCode: ReturnCode.unacceptableProtocolVersion,
  reasonCode: ReasonCode.unsupportedProtocolVersion,
  reasonString: 'The hub supports MQTT 3.1.1 and 5',
};
const emptyClientId: ConnectError = {
  returnCode: ReturnCode.identifierRejected,
  reasonCode: ReasonCode.clientIdNotValid,
  reasonString: 'The client identifier must be the device ID',
};
const authenticationMethod: ConnectError = {
  returnCode: ReturnCode.notAuthorized,
  reasonCode: ReasonCode.badAuthenticationMethod,
  reasonString: 'The hub does not support extended authentication',
};
const foreignWillTopic: ConnectError = {
  returnCode: ReturnCode.notAuthorized,
  reasonCode: ReasonCode.topicNameInvalid,
  reasonString: "The will topic must be the device's own uplink topic",
};

const connackTooLarge: ConnectError = {
  returnCode: ReturnCode.notAuthorized,
  reasonCode: ReasonCode.packetTooLarge,
  reasonString: "The CONNACK exceeds the client's Maximum Packet Size",
};

/** Reads what follows the protocol level of a CONNECT. */
export const readBoundedConnect = (reader: PacketReader, packetBytes: number, limits: ServerLimits): ConnectPacket => {
  const connect = readConnect(reader);
  const withoutWill = packetBytes - connect.willBytes;
  if (withoutWill > limits.connectBytes) throw tooLarge(withoutWill);
  return connect;
};

/** Checks a CONNECT before the device is authorized. */
export const checkConnect = (connect: ConnectPacket): ConnectError | null => {
  if (connect.authenticationMethod) return authenticationMethod;
  if (connect.clientId === '') return emptyClientId;
  return connect.username === connect.clientId ? null : connectErrorOf('TOKEN_INVALID');
};

/** Checks a CONNECT of an authorized device. `connack` is undefined where it exceeds the Maximum Packet Size. */
export const checkAuthorizedConnect = (
  { will }: ConnectPacket,
  upTopic: string,
  connack: Buffer | undefined,
): ConnectError | null => {
  if (will && will.topic !== upTopic) return foreignWillTopic;
  return connack ? null : connackTooLarge;
};

/** MQTT 5 §3.2.2.3.14: Server Keep Alive. 3.1.1 cannot announce it, but the same bounds apply to its clients. */
export const boundedKeepAlive = (requested: number, { keepAliveMin, keepAliveMax }: ServerLimits): number =>
  requested === 0 ? keepAliveMax : Math.min(Math.max(requested, keepAliveMin), keepAliveMax);

export const connectRequestOf = (
  { clientId, username, password, will }: ConnectPacket,
  protocolVersion: ProtocolVersion,
  keepAlive: number,
  origin: Origin,
): ConnectRequest => ({ clientId, username, password, protocolVersion, keepAlive, will, ...origin });
