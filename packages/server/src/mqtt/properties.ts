import type { PacketReader } from './packet-reader.ts';
import { ProtocolError } from './protocol-error.ts';
import { ReasonCode } from './reason-codes.ts';

/** MQTT 5 §2.2.2.2: the properties that the server evaluates. */
export const Property = {
  payloadFormat: 0x01,
  responseTopic: 0x08,
  subscriptionIdentifier: 0x0b,
  sessionExpiry: 0x11,
  authenticationMethod: 0x15,
  authenticationData: 0x16,
  requestProblemInformation: 0x17,
  requestResponseInformation: 0x19,
  receiveMaximum: 0x21,
  topicAlias: 0x23,
  userProperty: 0x26,
  maximumPacketSize: 0x27,
} as const;

type Kind = 'byte' | 'uint16' | 'uint32' | 'variableInteger' | 'text' | 'binary' | 'pair';
/** The packets that a client sends with properties; `answer` is PUBACK, PUBREC, PUBREL and PUBCOMP. */
export type PropertyContext = 'connect' | 'will' | 'publish' | 'answer' | 'subscribe' | 'unsubscribe' | 'disconnect';
export type Properties = ReadonlyMap<number, number | string | Buffer>;

const property = (kind: Kind, ...contexts: PropertyContext[]) => ({
  kind,
  contexts: new Set<PropertyContext>(contexts),
});

/** MQTT 5 §2.2.2.2: the properties that a client may send. */
const clientProperties = new Map([
  [Property.payloadFormat as number, property('byte', 'publish', 'will')],
  [0x02, property('uint32', 'publish', 'will')],
  [0x03, property('text', 'publish', 'will')],
  [Property.responseTopic, property('text', 'publish', 'will')],
  [0x09, property('binary', 'publish', 'will')],
  [Property.subscriptionIdentifier, property('variableInteger', 'subscribe')],
  [Property.sessionExpiry, property('uint32', 'connect', 'disconnect')],
  [Property.authenticationMethod, property('text', 'connect')],
  [Property.authenticationData, property('binary', 'connect')],
  [Property.requestProblemInformation, property('byte', 'connect')],
  [0x18, property('uint32', 'will')],
  [Property.requestResponseInformation, property('byte', 'connect')],
  [0x1f, property('text', 'answer', 'disconnect')],
  [Property.receiveMaximum, property('uint16', 'connect')],
  [0x22, property('uint16', 'connect')],
  [Property.topicAlias, property('uint16', 'publish')],
  [
    Property.userProperty,
    property('pair', 'connect', 'will', 'publish', 'answer', 'subscribe', 'unsubscribe', 'disconnect'),
  ],
  [Property.maximumPacketSize, property('uint32', 'connect')],
]);

const violation = (message: string, clause: string): ProtocolError =>
  new ProtocolError(message, clause, clause, ReasonCode.protocolError);

const expectFlag = (clause: string) => (value: number | string | Buffer) => {
  if (value !== 0 && value !== 1) throw violation('a property is neither 0 nor 1', clause);
};
const expectNonZero = (clause: string) => (value: number | string | Buffer) => {
  if (value === 0) throw violation('a property is 0 where that is not allowed', clause);
};

const valueRules = new Map<number, (value: number | string | Buffer) => void>([
  [Property.payloadFormat, expectFlag('3.3.2.3.2')],
  [Property.requestProblemInformation, expectFlag('3.1.2.11.7')],
  [Property.requestResponseInformation, expectFlag('3.1.2.11.6')],
  [Property.receiveMaximum, expectNonZero('3.1.2.11.3')],
  [Property.maximumPacketSize, expectNonZero('3.1.2.11.4')],
  [Property.subscriptionIdentifier, expectNonZero('3.8.2.1.2')],
  [
    Property.responseTopic,
    (value) => {
      if (typeof value === 'string' && /[#+]/.test(value))
        throw violation('a response topic with a wildcard', '3.3.2.3.5');
    },
  ],
]);

const noProperties: Properties = new Map();

const readValue = (reader: PacketReader, kind: Kind): number | string | Buffer => {
  if (kind !== 'pair') return reader[kind]();
  reader.text();
  return reader.text();
};

const readOne = (
  reader: PacketReader,
  context: PropertyContext,
  found: Map<number, number | string | Buffer>,
): void => {
  const id = reader.variableInteger();
  const { kind, contexts } = clientProperties.get(id) ?? {};
  if (!kind || !contexts?.has(context))
    throw new ProtocolError(`property ${id} is not known in this packet`, '2.2.2.2', '2.2.2.2');
  if (found.has(id) && id !== Property.userProperty) throw violation(`property ${id} occurs twice`, '2.2.2.2');
  const value = readValue(reader, kind);
  valueRules.get(id)?.(value);
  found.set(id, value);
};

/** Reads the properties; MQTT 3.1.1 has noProperties. */
export const readProperties = (reader: PacketReader, context: PropertyContext): Properties => {
  if (reader.version !== 5) return noProperties;
  const length = reader.variableInteger();
  if (length === 0) return noProperties;
  const end = reader.at + length;
  if (end > reader.end) throw new ProtocolError('the properties run over the end of the packet', '2.2.2', '2.2.2.1');
  const found = new Map<number, number | string | Buffer>();
  while (reader.at < end) readOne(reader, context, found);
  if (reader.at > end) throw new ProtocolError('a property runs over the end of the properties', '2.2.2', '2.2.2.1');
  return found;
};
