import { connect, downTopic, packet, publish, subscribe, uint16, unsubscribe, upTopic, type Version } from './bytes.ts';

/** A packet that breaks the standard, with the clause that the hub must name. */
export type Malformed = { name: string; version: Version; clause: string; bytes: Buffer };

export const ID = 'dev-broken';
const UP = upTopic(ID);
const DOWN = downTopic(ID);
const versions: Version[] = [4, 5];

export const byVersion = (make: (version: Version) => Omit<Malformed, 'version'>[]): Malformed[] =>
  versions.flatMap((version) => make(version).map((one) => ({ ...one, version })));

export const either = (version: Version, clause311: string, clause5: string): string =>
  version === 4 ? clause311 : clause5;

const right = (version: Version): [string, Buffer][] => [
  ['PUBLISH', publish(UP, { version })],
  ['PUBACK', packet(0x40, uint16(1))],
  ['PUBREL', packet(0x62, uint16(1))],
  ['SUBSCRIBE', subscribe(version, DOWN)],
  ['UNSUBSCRIBE', unsubscribe(version, DOWN)],
  ['PINGREQ', packet(0xc0)],
  ['DISCONNECT', packet(0xe0)],
];

export const withByte = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
};

/** Every fixed header with flags that its type does not allow. */
const flags = byVersion((version) =>
  right(version)
    .filter(([name]) => name !== 'PUBLISH')
    .flatMap(([name, bytes]) =>
      Array.from({ length: 16 }, (_, nibble) => nibble)
        .filter((nibble) => nibble !== ((bytes[0] ?? 0) & 0x0f))
        .map((nibble) => ({
          name: `${name} with flags ${nibble}`,
          clause: either(version, '2.2.2', '2.1.3'),
          bytes: withByte(bytes, 0, ((bytes[0] ?? 0) & 0xf0) | nibble),
        })),
    ),
);

const types = byVersion((version) => [
  { name: 'type 0', clause: either(version, '2.2.1', '2.1.2'), bytes: packet(0x00) },
  { name: 'AUTH', clause: either(version, '2.2.1', '4.12'), bytes: packet(0xf0) },
  { name: 'a second CONNECT', clause: '3.1', bytes: connect({ version, clientId: ID }) },
  ...[0x20, 0x90, 0xb0, 0xd0].map((header) => ({
    name: `the server's own packet 0x${header.toString(16)}`,
    clause: either(version, '2.2.1', '2.1.2'),
    bytes: packet(header, uint16(1), Buffer.from([0])),
  })),
  ...[0x50, 0x70].map((header) => ({
    name: `a QoS 2 answer 0x${header.toString(16)} to nothing`,
    clause: '4.3.3',
    bytes: packet(header, uint16(1)),
  })),
]);

const lengths = byVersion((version) => [
  ...right(version).map(([name, bytes]) => ({
    name: `${name} with a length of five bytes`,
    clause: either(version, '2.2.3', '1.5.5'),
    bytes: Buffer.from([bytes[0] ?? 0, 0x80, 0x80, 0x80, 0x80, 0x01]),
  })),
  ...right(version).map(([name, bytes]) => ({
    name: `${name} announced with 256 MiB`,
    clause: either(version, '2.2.3', '3.2.2.3.6'),
    bytes: Buffer.from([bytes[0] ?? 0, 0xff, 0xff, 0xff, 0x7f]),
  })),
  {
    name: 'PUBLISH announced one byte beyond the limit',
    clause: either(version, '2.2.3', '3.2.2.3.6'),
    bytes: Buffer.from([0x32, 0xfd, 0x87, 0x08]),
  },
]);

/** Every packet truncated to its first bytes, with a remaining length that matches. */
const shortened = byVersion((version) =>
  right(version)
    .filter(([name]) => ['PUBACK', 'PUBREL', 'SUBSCRIBE', 'UNSUBSCRIBE'].includes(name))
    .flatMap(([name, bytes]) => {
      const body = bytes.subarray(2);
      // Packet identifier and, in MQTT 5, the property length: a packet of this size has no filter.
      const noFilter = version === 5 ? 3 : 2;
      return Array.from({ length: body.length }, (_, length) => length).map((length) => ({
        name: `${name} cut down to ${length} bytes`,
        clause:
          length === noFilter && body.length > 4
            ? name === 'SUBSCRIBE'
              ? '3.8.3'
              : '3.10.3'
            : either(version, '2.2.3', '2.1.4'),
        bytes: packet(bytes[0] ?? 0, body.subarray(0, length)),
      }));
    })
    .concat(
      Array.from({ length: UP.length + (version === 5 ? 5 : 4) }, (_, length) => ({
        name: `PUBLISH cut down to ${length} bytes`,
        clause: either(version, '2.2.3', '2.1.4'),
        bytes: packet(0x32, publish(UP, { version }).subarray(2, 2 + length)),
      })),
    ),
);

const lengthened = [
  ...byVersion((version) => [
    { name: 'PINGREQ with a body', clause: either(version, '2.2.3', '2.1.4'), bytes: packet(0xc0, Buffer.from([0])) },
    {
      name: 'SUBSCRIBE with a lone byte behind',
      clause: either(version, '2.2.3', '2.1.4'),
      bytes: packet(0x82, subscribe(version, DOWN).subarray(2), Buffer.from([0])),
    },
  ]),
  ...[0x40, 0x62].map((header) => ({
    name: `an answer 0x${header.toString(16)} of three bytes`,
    version: 4 as const,
    clause: '2.2.3',
    bytes: packet(header, uint16(1), Buffer.from([0])),
  })),
  { name: 'DISCONNECT with a body', version: 4 as const, clause: '2.2.3', bytes: packet(0xe0, Buffer.from([0])) },
  ...right(5).map(([name, bytes]) => ({
    name: `${name} with a padded length`,
    version: 5 as const,
    clause: '1.5.5',
    bytes: Buffer.concat([Buffer.from([bytes[0] ?? 0, (bytes[1] ?? 0) | 0x80, 0x00]), bytes.subarray(2)]),
  })),
];

export const badTexts: [string, Buffer][] = [
  ['a NUL', Buffer.from('dc/\0')],
  ['a lone continuation byte', Buffer.from([0x64, 0x80])],
  ['an overlong form', Buffer.from([0xc0, 0xaf])],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['a code point beyond U+10FFFF', Buffer.from([0xf4, 0x90, 0x80, 0x80])],
  ['an unfinished character', Buffer.from([0x61, 0xe4, 0xbd])],
  ['the byte 0xff', Buffer.from([0xff])],
];

const texts = byVersion((version) =>
  badTexts.flatMap(([what, bytes]) => [
    { name: `a topic with ${what}`, clause: either(version, '1.5.3', '1.5.4'), bytes: publish(bytes, { version }) },
    { name: `a filter with ${what}`, clause: either(version, '1.5.3', '1.5.4'), bytes: subscribe(version, bytes) },
    {
      name: `UNSUBSCRIBE from a filter with ${what}`,
      clause: either(version, '1.5.3', '1.5.4'),
      bytes: unsubscribe(version, bytes),
    },
  ]),
);

const contents = byVersion((version) => [
  { name: 'QoS 3', clause: '3.3.1.2', bytes: withByte(publish(UP, { version }), 0, 0x36) },
  { name: 'DUP with QoS 0', clause: '3.3.1.1', bytes: publish(UP, { version, qos: 0, dup: true }) },
  { name: 'an empty topic', clause: either(version, '4.7.3', '3.3.2.1'), bytes: publish('', { version }) },
  { name: 'a topic with #', clause: '3.3.2.1', bytes: publish('dc/#', { version }) },
  { name: 'a topic with +', clause: '3.3.2.1', bytes: publish(UP.replace(ID, '+'), { version }) },
  { name: "another device's topic", clause: '3.3.5', bytes: publish(upTopic('dev-other'), { version }) },
  { name: 'the down topic', clause: '3.3.5', bytes: publish(DOWN, { version, qos: 0 }) },
  { name: 'a longer topic', clause: '3.3.5', bytes: publish(`${UP}/`, { version }) },
  {
    name: 'PUBLISH with id 0',
    clause: either(version, '2.3.1', '2.2.1'),
    bytes: publish(UP, { version, packetId: 0 }),
  },
  { name: 'PUBACK with id 0', clause: either(version, '2.3.1', '2.2.1'), bytes: packet(0x40, uint16(0)) },
  { name: 'PUBREL with id 0', clause: either(version, '2.3.1', '2.2.1'), bytes: packet(0x62, uint16(0)) },
  { name: 'SUBSCRIBE with id 0', clause: either(version, '2.3.1', '2.2.1'), bytes: subscribe(version, DOWN, 1, 0) },
  { name: 'UNSUBSCRIBE with id 0', clause: either(version, '2.3.1', '2.2.1'), bytes: unsubscribe(version, DOWN, 0) },
  { name: 'an empty filter', clause: '4.7.3', bytes: subscribe(version, '') },
  { name: 'UNSUBSCRIBE from an empty filter', clause: '4.7.3', bytes: unsubscribe(version, '') },
  {
    name: 'a subscription with QoS 3',
    clause: either(version, '3.8.3', '3.8.3.1'),
    bytes: subscribe(version, DOWN, 3),
  },
  ...[0x40, 0x80].map((options) => ({
    name: `a subscription with options ${options}`,
    clause: either(version, '3.8.3', '3.8.3.1'),
    bytes: subscribe(version, DOWN, options),
  })),
]);

export const afterConnect: Malformed[] = [
  ...flags,
  ...types,
  ...lengths,
  ...shortened,
  ...lengthened,
  ...texts,
  ...contents,
];
