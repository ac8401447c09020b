import { type ConnectFields, connect, connectBody, packet, text, upTopic, type Version } from './bytes.ts';
import { badTexts, byVersion, either, ID, type Malformed, withByte } from './malformed.ts';

const will = { topic: upTopic(ID), payload: Buffer.from('gone') };
const make = (version: Version, fields: Partial<ConnectFields> = {}): Buffer =>
  connect({ version, clientId: ID, ...fields });

/** A CONNECT without a will, with these flags. */
const withFlags = (version: Version, flags: number): Buffer => make(version, { flags });

const flags = byVersion((version) => [
  { name: 'the reserved flag', clause: '3.1.2.3', bytes: withFlags(version, 0xc3) },
  { name: 'QoS 1 for no will', clause: '3.1.2.6', bytes: withFlags(version, 0xca) },
  { name: 'QoS 2 for no will', clause: '3.1.2.6', bytes: withFlags(version, 0xd2) },
  { name: 'retain for no will', clause: '3.1.2.7', bytes: withFlags(version, 0xe2) },
  { name: 'a will with QoS 3', clause: '3.1.2.6', bytes: make(version, { will, flags: 0xde }) },
  ...Array.from({ length: 15 }, (_, nibble) => ({
    name: `a header with flags ${nibble + 1}`,
    clause: '2.2.2',
    bytes: withByte(make(version), 0, 0x10 | (nibble + 1)),
  })),
]);

const shortened = byVersion((version) => {
  const body = Buffer.concat(connectBody({ version, clientId: ID, will }));
  // Before the protocol level the version is unknown: the clause is that of 3.1.1.
  return Array.from({ length: body.length }, (_, length) => ({
    name: `CONNECT cut down to ${length} bytes`,
    clause: length < 7 ? '2.2.3' : either(version, '2.2.3', '2.1.4'),
    bytes: packet(0x10, body.subarray(0, length)),
  }));
});

/** The offsets of the length fields in a CONNECT with a will. */
const lengthPlaces = (version: Version): [string, number][] => {
  const parts = connectBody({ version, clientId: ID, will });
  const names =
    version === 5
      ? ['name', '', '', '', 'client id', '', 'will topic', 'will payload', 'user name', 'password']
      : ['name', '', '', '', 'client id', '', 'will topic', 'will payload', 'user name', 'password'];
  let at = 2;
  const places: [string, number][] = [];
  for (const [index, part] of parts.entries()) {
    const name = names[index];
    if (name) places.push([name, at]);
    at += part.length;
  }
  return places;
};

const wrongLengths = byVersion((version) =>
  lengthPlaces(version).map(([name, at]) => ({
    name: `a ${name} of 65,535 bytes that are not there`,
    clause: name === 'name' ? '2.2.3' : either(version, '2.2.3', '2.1.4'),
    bytes: withByte(withByte(make(version, { will }), at, 0xff), at + 1, 0xff),
  })),
);

const texts = byVersion((version) =>
  badTexts.flatMap(([what, bytes]) => [
    {
      name: `a client id with ${what}`,
      clause: either(version, '1.5.3', '1.5.4'),
      bytes: make(version, { clientId: bytes }),
    },
    {
      name: `a user name with ${what}`,
      clause: either(version, '1.5.3', '1.5.4'),
      bytes: make(version, { username: bytes }),
    },
    {
      name: `a will topic with ${what}`,
      clause: either(version, '1.5.3', '1.5.4'),
      bytes: make(version, { will: { ...will, topic: bytes } }),
    },
  ]),
);

const contents: Malformed[] = [
  ...byVersion((version) => [
    {
      name: 'bytes behind the last field',
      clause: either(version, '2.2.3', '2.1.4'),
      bytes: packet(0x10, ...connectBody({ version, clientId: ID }), Buffer.from([0])),
    },
    { name: 'an empty will topic', clause: '4.7.3', bytes: make(version, { will: { ...will, topic: '' } }) },
    { name: 'a will topic with #', clause: '3.3.2.1', bytes: make(version, { will: { ...will, topic: 'dc/#' } }) },
    { name: 'a will topic with +', clause: '3.3.2.1', bytes: make(version, { will: { ...will, topic: '+' } }) },
    { name: 'another protocol', clause: '3.1.2.1', bytes: make(version, { name: 'AMQP' }) },
    { name: 'a name in small letters', clause: '3.1.2.1', bytes: make(version, { name: 'mqtt' }) },
    {
      name: 'a client id of 5,000 bytes',
      clause: '2.2.3',
      bytes: make(version, { clientId: 'x'.repeat(5_000), username: ID }),
    },
    {
      name: 'a user name of 5,000 bytes beside a will',
      clause: either(version, '2.2.3', '3.2.2.3.6'),
      bytes: make(version, { will, username: 'x'.repeat(5_000) }),
    },
    {
      name: 'a will that is too large, announced',
      clause: '2.2.3',
      bytes: Buffer.concat([
        Buffer.from([0x10, 0x80, 0x80, 0x0c]),
        Buffer.concat(connectBody({ version, clientId: ID, will })).subarray(0, 10),
      ]),
    },
    { name: 'a length of five bytes', clause: '2.2.3', bytes: Buffer.from([0x10, 0x80, 0x80, 0x80, 0x80, 1]) },
    ...[0x20, 0x30, 0x40, 0x62, 0x82, 0xa2, 0xc0, 0xe0, 0xf0, 0x00].map((header) => ({
      name: `0x${header.toString(16)} before CONNECT`,
      clause: '3.1',
      bytes: packet(header, text('a')),
    })),
  ]),
  {
    name: 'a password without a user name',
    version: 4,
    clause: '3.1.2.9',
    bytes: make(4, { username: null }),
  },
  {
    name: 'a padded length',
    version: 5,
    clause: '1.5.5',
    bytes: Buffer.concat([Buffer.from([0x10, 0x80 | (make(5).length - 2), 0]), make(5).subarray(2)]),
  },
];

export const insteadOfConnect: Malformed[] = [...flags, ...shortened, ...wrongLengths, ...texts, ...contents];
