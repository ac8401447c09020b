import {
  connect,
  connectBody,
  downTopic,
  packet,
  properties,
  publish,
  text,
  uint16,
  upTopic,
  variableInteger,
} from './bytes.ts';
import { badTexts, ID, type Malformed } from './malformed.ts';

const UP = upTopic(ID);
const will = { topic: UP, payload: Buffer.from('gone') };

const byte = (id: number, value: number): Buffer => Buffer.from([id, value]);
const word = (id: number, value: number): Buffer => Buffer.concat([Buffer.from([id]), uint16(value)]);
const long = (id: number, value: number): Buffer => Buffer.from([id, 0, 0, value >> 8, value & 0xff]);
const words = (id: number, value: string | Buffer): Buffer => Buffer.concat([Buffer.from([id]), text(value)]);
const pair = (name: string | Buffer, value: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x26]), text(name), text(value)]);

/** MQTT 5 §2.2.2.2: every property with a valid value. */
const all = new Map<number, Buffer>([
  [0x01, byte(0x01, 1)],
  [0x02, long(0x02, 60)],
  [0x03, words(0x03, 'text/plain')],
  [0x08, words(0x08, 'answers')],
  [0x09, words(0x09, 'one')],
  [0x0b, byte(0x0b, 1)],
  [0x11, long(0x11, 60)],
  [0x12, words(0x12, 'assigned')],
  [0x13, word(0x13, 60)],
  [0x15, words(0x15, 'method')],
  [0x16, words(0x16, 'data')],
  [0x17, byte(0x17, 1)],
  [0x18, long(0x18, 60)],
  [0x19, byte(0x19, 1)],
  [0x1a, words(0x1a, 'information')],
  [0x1c, words(0x1c, 'reference')],
  [0x1f, words(0x1f, 'because')],
  [0x21, word(0x21, 20)],
  [0x22, word(0x22, 20)],
  [0x23, word(0x23, 1)],
  [0x24, byte(0x24, 1)],
  [0x25, byte(0x25, 1)],
  [0x26, pair('name', 'value')],
  [0x27, long(0x27, 9_000)],
  [0x28, byte(0x28, 1)],
  [0x29, byte(0x29, 1)],
  [0x2a, byte(0x2a, 1)],
]);

type Place = { name: string; allowed: number[]; make: (...given: Buffer[]) => Buffer };

/** §2.2.2.2: the packets in which each property is allowed. */
const places: Place[] = [
  {
    name: 'PUBLISH',
    allowed: [0x01, 0x02, 0x03, 0x08, 0x09, 0x23, 0x26],
    make: (...given) => publish(UP, { version: 5, properties: given }),
  },
  {
    name: 'PUBACK',
    allowed: [0x1f, 0x26],
    make: (...given) => packet(0x40, uint16(7), Buffer.from([0]), properties(5, ...given)),
  },
  {
    name: 'PUBREL',
    allowed: [0x1f, 0x26],
    make: (...given) => packet(0x62, uint16(7), Buffer.from([0]), properties(5, ...given)),
  },
  {
    name: 'SUBSCRIBE',
    allowed: [0x0b, 0x26],
    make: (...given) => packet(0x82, uint16(7), properties(5, ...given), text(downTopic(ID)), Buffer.from([1])),
  },
  {
    name: 'UNSUBSCRIBE',
    allowed: [0x26],
    make: (...given) => packet(0xa2, uint16(7), properties(5, ...given), text(downTopic(ID))),
  },
  {
    name: 'DISCONNECT',
    allowed: [0x11, 0x1f, 0x26],
    make: (...given) => packet(0xe0, Buffer.from([0]), properties(5, ...given)),
  },
];

const connectPlaces: Place[] = [
  {
    name: 'CONNECT',
    allowed: [0x11, 0x15, 0x16, 0x17, 0x19, 0x21, 0x22, 0x26, 0x27],
    make: (...given) => connect({ version: 5, clientId: ID, properties: given }),
  },
  {
    name: 'a will',
    allowed: [0x01, 0x02, 0x03, 0x08, 0x09, 0x18, 0x26],
    make: (...given) => connect({ version: 5, clientId: ID, will, willProperties: given }),
  },
];

const misplaced = ({ name, allowed, make }: Place): Malformed[] =>
  [...all]
    .filter(([id]) => !allowed.includes(id))
    .map(([id, bytes]) => ({
      name: `property ${id} in ${name}`,
      version: 5,
      clause: '2.2.2.2',
      bytes: make(bytes),
    }));

const unknown = ({ name, make }: Place): Malformed[] =>
  [0x00, 0x04, 0x2b, 0x7f].map((id) => ({
    name: `the unknown property ${id} in ${name}`,
    version: 5,
    clause: '2.2.2.2',
    bytes: make(byte(id, 1)),
  }));

const twice = ({ name, allowed, make }: Place): Malformed[] =>
  allowed
    .filter((id) => id !== 0x26)
    .map((id) => ({
      name: `property ${id} twice in ${name}`,
      version: 5,
      clause: '2.2.2.2',
      bytes: make(all.get(id) ?? Buffer.alloc(0), all.get(id) ?? Buffer.alloc(0)),
    }));

const badPairs = ({ name, make }: Place): Malformed[] =>
  badTexts.flatMap(([what, bytes]) => [
    {
      name: `a user property in ${name} named with ${what}`,
      version: 5,
      clause: '1.5.4',
      bytes: make(pair(bytes, 'v')),
    },
    { name: `a user property in ${name} that is ${what}`, version: 5, clause: '1.5.4', bytes: make(pair('n', bytes)) },
  ]);

const each = (from: Place[]): Malformed[] =>
  from.flatMap((place) => [...misplaced(place), ...unknown(place), ...twice(place), ...badPairs(place)]);

const one = (name: string, clause: string, bytes: Buffer): Malformed => ({ name, version: 5, clause, bytes });
const publishWith = (...given: Buffer[]): Buffer => publish(UP, { version: 5, properties: given });
const connectWith = (...given: Buffer[]): Buffer => connect({ version: 5, clientId: ID, properties: given });
const rawProperties = (raw: Buffer): Buffer => packet(0x32, text(UP), uint16(1), raw);

export const brokenProperties: Malformed[] = [
  ...each(places),
  one('a topic alias', '3.3.2.3.4', publishWith(word(0x23, 1))),
  one('a topic alias in place of the topic', '3.3.2.3.4', publish('', { version: 5, properties: [word(0x23, 1)] })),
  one('a payload format of 2', '3.3.2.3.2', publishWith(byte(0x01, 2))),
  one('a response topic with a wildcard', '3.3.2.3.5', publishWith(words(0x08, 'answers/#'))),
  one('properties longer than the packet', '2.2.2.1', rawProperties(variableInteger(5_000))),
  one('properties that end within a property', '2.2.2.1', rawProperties(Buffer.from([3, 0x02, 0, 0, 0, 60]))),
  one('a property that the packet ends in', '2.1.4', rawProperties(Buffer.from([3, 0x02, 0, 0]))),
  one('a padded length of properties', '1.5.5', rawProperties(Buffer.from([0x80, 0]))),
  one('a length of properties of five bytes', '1.5.5', rawProperties(Buffer.from([0x80, 0x80, 0x80, 0x80, 1]))),
  one(
    'a session expiry after none at CONNECT',
    '3.14.2.2.2',
    packet(0xe0, Buffer.from([0]), properties(5, long(0x11, 60))),
  ),
  ...[0x01, 0x87, 0x8b, 0xff].map((code) =>
    one(`DISCONNECT with reason code ${code}`, '3.14.2.1', packet(0xe0, Buffer.from([code]))),
  ),
  ...[0x01, 0x92, 0xff].map((code) =>
    one(`PUBACK with reason code ${code}`, '2.4', packet(0x40, uint16(1), Buffer.from([code]))),
  ),
  ...[0x10, 0x80].map((code) =>
    one(`PUBREL with reason code ${code}`, '2.4', packet(0x62, uint16(1), Buffer.from([code]))),
  ),
  one(
    'a subscription identifier of 0',
    '3.8.2.1.2',
    packet(0x82, uint16(7), properties(5, byte(0x0b, 0)), text('a'), Buffer.from([1])),
  ),
  one('retain handling 3', '3.8.3.1', packet(0x82, uint16(7), properties(5), text('a'), Buffer.from([0x31]))),
  one(
    'No Local on a shared subscription',
    '3.8.3.1',
    packet(0x82, uint16(7), properties(5), text('$share/g/a'), Buffer.from([0x05])),
  ),
];

export const brokenConnectProperties: Malformed[] = [
  ...each(connectPlaces),
  one('a Receive Maximum of 0', '3.1.2.11.3', connectWith(word(0x21, 0))),
  one('a Maximum Packet Size of 0', '3.1.2.11.4', connectWith(long(0x27, 0))),
  one('a Request Problem Information of 2', '3.1.2.11.7', connectWith(byte(0x17, 2))),
  one('a Request Response Information of 2', '3.1.2.11.6', connectWith(byte(0x19, 2))),
  one('authentication data without a method', '3.1.2.11.10', connectWith(words(0x16, 'data'))),
  one(
    'properties longer than the packet',
    '2.2.2.1',
    packet(0x10, ...connectBody({ version: 5, clientId: ID }).slice(0, 3), variableInteger(5_000)),
  ),
];
