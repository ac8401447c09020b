import type { Bucket } from '@device-center/contract';
import { DeviceError, refusalInWords } from './device-error.ts';
import { loadMqtt } from './load-mqtt.js';

/** The part of MQTT.js that is used here; its own types would bring Node's with them. */
type Packet = { cmd?: string; reasonCode?: number; properties?: { reasonString?: string } };
type Client = {
  on: (name: string, listener: (...args: never[]) => void) => unknown;
  publish: (topic: string, text: string, options: { qos: 0 | 1 | 2 }, done: (error?: Error) => void) => unknown;
  subscribe: (
    topic: string,
    options: { qos: 1 },
    done: (error: Error | null, granted?: { qos: number }[]) => void,
  ) => unknown;
  end: (force: boolean, options: object, done: () => void) => unknown;
  stream?: { destroy?: () => void };
};
type Connect = (url: string, options: object) => Client;

type LinkOptions = {
  protocolVersion: 4 | 5;
  keepAlive: number;
  qos: 0 | 1 | 2;
  tls: object;
  will: string;
  onMessage: (text: string) => void;
};

/** How a connection ended: in words, and by MQTT 5's reason code where the hub gave one. */
export type Ending = { reason: string; reasonCode?: number };

export type Link = {
  publish: (text: string, acknowledged: () => void) => void;
  subscribe: () => Promise<void>;
  /** DISCONNECT, then close. */
  end: () => Promise<void>;
  destroy: () => void;
  /** Holds, with the reason, when the connection is gone. */
  closed: Promise<Ending>;
};

const CONNECT_WITHIN_MS = 15_000;
const SUBSCRIBE_REFUSED = 0x80;
/** CONNACK 4 of MQTT 3.1.1 and 0x86 of MQTT 5: user name or password, which is the token. */
const TOKEN_CODES = new Set([4, 0x86]);
/** 5 and 0x87: not authorized; 3.1.1 has no words for why. */
const CLOSED_CODES = new Set([5, 0x87]);

const loadConnect = async (): Promise<Connect> => {
  const library = await loadMqtt();
  // CommonJS in Node, a module in a bundle: the function is in one of two places.
  const { connect, default: whole } = library as { connect?: Connect; default?: { connect: Connect } };
  const found = connect ?? whole?.connect;
  if (!found) throw new Error('mqtt has no connect()');
  return found;
};

const connackRefusal = (code: unknown, words: string): DeviceError | null => {
  const told = refusalInWords(words);
  if (told || typeof code !== 'number') return told;
  if (TOKEN_CODES.has(code)) return new DeviceError('TOKEN_INVALID', words);
  return CLOSED_CODES.has(code) ? new DeviceError('KICKED', words || 'The hub does not admit this device') : null;
};

/** One connection. It never mends itself: a new one is made with a token of that time. */
export const openLink = async (bucket: Bucket, options: LinkOptions): Promise<Link> => {
  const connect = await loadConnect();
  const { protocol, host, port, path, topics } = bucket;
  const client = connect(`${protocol}://${host}:${port}${path}`, {
    ...options.tls,
    clientId: bucket.clientId,
    username: bucket.username,
    password: bucket.password,
    protocolVersion: options.protocolVersion,
    keepalive: options.keepAlive,
    connectTimeout: CONNECT_WITHIN_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    clean: true,
    // Its other kind is a worker made from a text, which a page with a strict policy refuses.
    timerVariant: 'native',
    will: { topic: topics.up, payload: options.will, qos: 1, retain: false },
  });

  let words = '';
  let reasonCode: number | undefined;
  let failure: Error | null = null;
  client.on('packetreceive', (packet: Packet) => {
    if (packet.cmd === 'connack' || packet.cmd === 'disconnect') words = packet.properties?.reasonString ?? words;
    if (packet.cmd === 'disconnect') reasonCode = packet.reasonCode;
  });
  client.on('message', (_topic: string, bytes: { toString: () => string }) => options.onMessage(bytes.toString()));

  const closed = new Promise<Ending>((resolve) => {
    client.on('close', () => resolve({ reason: words || failure?.message || 'connection lost', reasonCode }));
  });
  await new Promise<void>((resolve, reject) => {
    client.on('connect', () => resolve());
    // Without a listener an error would end the process.
    client.on('error', (error: Error & { code?: unknown }) => {
      failure = error;
      reject(connackRefusal(error.code, words) ?? error);
    });
    void closed.then(({ reason }) => reject(failure ?? new Error(reason)));
  });

  const destroy = (): void => {
    client.stream?.destroy?.();
    client.end(true, {}, () => undefined);
  };

  return {
    closed,
    publish: (text, acknowledged) => {
      // A PUBACK that says no, as an outside broker may: the message goes again over a new connection.
      client.publish(topics.up, text, { qos: options.qos }, (error) => (error ? destroy() : acknowledged()));
    },
    subscribe: () =>
      new Promise((resolve, reject) => {
        client.subscribe(topics.down, { qos: 1 }, (error, granted) => {
          if (error) reject(error);
          else if ((granted?.[0]?.qos ?? 0) >= SUBSCRIBE_REFUSED) reject(new Error(`No right to ${topics.down}`));
          else resolve();
        });
      }),
    end: () => new Promise((resolve) => client.end(false, {}, () => resolve())),
    destroy,
  };
};
