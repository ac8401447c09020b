/** Encodes MQTT packets byte by byte, so that tests can also build malformed ones. */
export type Version = 4 | 5;

export const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint16(bytes.length), bytes]);
};

export const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

export const variableInteger = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 127 ? 0x80 : 0));
    rest >>= 7;
  } while (rest > 0);
  return Buffer.from(bytes);
};

export const packet = (header: number, ...body: Buffer[]): Buffer => {
  const whole = Buffer.concat(body);
  return Buffer.concat([Buffer.from([header]), variableInteger(whole.length), whole]);
};

/** The properties of MQTT 5; empty for 3.1.1. */
export const properties = (version: Version, ...all: Buffer[]): Buffer => {
  const whole = Buffer.concat(all);
  return version === 5 ? Buffer.concat([variableInteger(whole.length), whole]) : Buffer.alloc(0);
};

export type ConnectFields = {
  version: Version;
  clientId: string | Buffer;
  name: string;
  level: number;
  flags: number;
  keepAlive: number;
  properties: Buffer[];
  willProperties: Buffer[];
  will: { topic: string | Buffer; payload: Buffer } | null;
  username: string | Buffer | null;
  password: string | null;
};

export const connectBody = (fields: Partial<ConnectFields> = {}): Buffer[] => {
  const { version = 4, clientId = 'dev', will = null, username = clientId, password = 'token' } = fields;
  const usual = 2 | (will ? 4 : 0) | (username === null ? 0 : 0x80) | (password === null ? 0 : 0x40);
  return [
    text(fields.name ?? 'MQTT'),
    Buffer.from([fields.level ?? version, fields.flags ?? usual]),
    uint16(fields.keepAlive ?? 60),
    properties(version, ...(fields.properties ?? [])),
    text(clientId),
    ...(will ? [properties(version, ...(fields.willProperties ?? [])), text(will.topic), text(will.payload)] : []),
    ...(username === null ? [] : [text(username)]),
    ...(password === null ? [] : [text(password)]),
  ];
};

export const connect = (fields: Partial<ConnectFields> = {}): Buffer => packet(0x10, ...connectBody(fields));

export type PublishFields = {
  version: Version;
  qos: number;
  dup: boolean;
  retain: boolean;
  packetId: number;
  properties: Buffer[];
  payload: string | Buffer;
};

export const publish = (topic: string | Buffer, fields: Partial<PublishFields> = {}): Buffer => {
  const { version = 4, qos = 1, packetId = 1, payload = 'hello' } = fields;
  return packet(
    0x30 | (fields.dup ? 8 : 0) | (qos << 1) | (fields.retain ? 1 : 0),
    text(topic),
    qos > 0 ? uint16(packetId) : Buffer.alloc(0),
    properties(version, ...(fields.properties ?? [])),
    Buffer.from(payload),
  );
};

export const PINGREQ = Buffer.from([0xc0, 0]);
export const DISCONNECT = Buffer.from([0xe0, 0]);
export const pubrel = (packetId: number): Buffer => packet(0x62, uint16(packetId));
export const puback = (packetId: number): Buffer => packet(0x40, uint16(packetId));

export const subscribe = (version: Version, filter: string | Buffer, options = 1, packetId = 9): Buffer =>
  packet(0x82, uint16(packetId), properties(version), text(filter), Buffer.from([options]));

export const unsubscribe = (version: Version, filter: string | Buffer, packetId = 9): Buffer =>
  packet(0xa2, uint16(packetId), properties(version), text(filter));

export const upTopic = (clientId: string): string => `dc/1/P1a2b3c4/${clientId}/up`;
export const downTopic = (clientId: string): string => `dc/1/P1a2b3c4/${clientId}/down`;
