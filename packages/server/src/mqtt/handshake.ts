import type { PacketReader } from './packet-reader.ts';
import { ProtocolError } from './protocol-error.ts';
import { type ConnectPacket, readConnect } from './read-connect.ts';
import { type ConnectRefusal, ReasonCode, ReturnCode, refusalOf } from './reason-codes.ts';
import type { ConnectRequest, GatewayLimits, ProtocolVersion, Transport } from './server-types.ts';

export type Origin = { ip: string; transport: Transport };

export const tooLarge = (bytes: number): ProtocolError =>
  new ProtocolError(`a packet of ${bytes} bytes is too large`, '2.2.3', '3.2.2.3.6', ReasonCode.packetTooLarge);

export const unknownVersion: ConnectRefusal = {
  returnCode: ReturnCode.unacceptableProtocolVersion,
  reasonCode: ReasonCode.unsupportedProtocolVersion,
  words: 'The hub speaks MQTT 3.1.1 and 5',
};
const noClientId: ConnectRefusal = {
  returnCode: ReturnCode.identifierRejected,
  reasonCode: ReasonCode.clientIdNotValid,
  words: 'The client identifier is the device id, and must not be empty',
};
const authenticationMethod: ConnectRefusal = {
  returnCode: ReturnCode.notAuthorized,
  reasonCode: ReasonCode.badAuthenticationMethod,
  words: 'The hub knows no extended authentication',
};
const foreignWill: ConnectRefusal = {
  returnCode: ReturnCode.notAuthorized,
  reasonCode: ReasonCode.topicNameInvalid,
  words: "A will may go to the device's own up topic only",
};

const takesNoConnack: ConnectRefusal = {
  returnCode: ReturnCode.notAuthorized,
  reasonCode: ReasonCode.packetTooLarge,
  words: 'The client takes no packet as large as this CONNACK must be',
};

/** Reads what follows the protocol level of a CONNECT. */
export const readBoundedConnect = (reader: PacketReader, packetBytes: number, limits: GatewayLimits): ConnectPacket => {
  const connect = readConnect(reader);
  const withoutWill = packetBytes - connect.willBytes;
  if (withoutWill > limits.connectBytes) throw tooLarge(withoutWill);
  return connect;
};

/** Why a CONNECT is refused before anybody is asked. */
export const refusalBeforeAdmit = (connect: ConnectPacket): ConnectRefusal | null => {
  if (connect.authenticationMethod) return authenticationMethod;
  if (connect.clientId === '') return noClientId;
  return connect.username === connect.clientId ? null : refusalOf('TOKEN_INVALID');
};

/** Why a CONNECT is refused although the device may connect. `connack`: nothing where the client could not take it. */
export const refusalAfterAdmit = (
  { will }: ConnectPacket,
  upTopic: string,
  connack: Buffer | undefined,
): ConnectRefusal | null => {
  if (will && will.topic !== upTopic) return foreignWill;
  return connack ? null : takesNoConnack;
};

/** MQTT 5 §3.2.2.3.14 lets the server set it; a 3.1.1 client is measured by it without being told. */
export const boundedKeepAlive = (asked: number, { keepAliveMin, keepAliveMax }: GatewayLimits): number =>
  asked === 0 ? keepAliveMax : Math.min(Math.max(asked, keepAliveMin), keepAliveMax);

export const requestOf = (
  { clientId, username, password, will }: ConnectPacket,
  protocolVersion: ProtocolVersion,
  keepAlive: number,
  origin: Origin,
): ConnectRequest => ({ clientId, username, password, protocolVersion, keepAlive, will, ...origin });
