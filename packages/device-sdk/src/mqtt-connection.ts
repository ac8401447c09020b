import type { Bucket } from '@device-center/contract';
import { DeviceError, errorFromReason } from './device-error.ts';
import { loadMqtt } from './load-mqtt.js';

/** The subset of MQTT.js used here; the library's own types would pull in those of Node. */
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

type MqttConnectionOptions = {
  protocolVersion: 4 | 5;
  keepAlive: number;
  qos: 0 | 1 | 2;
  tls: object;
  will: string;
  onMessage: (text: string) => void;
};

/** Why a connection closed; `reasonCode` is that of MQTT 5, when the hub sent one. */
export type CloseInfo = { reason: string; reasonCode?: number };

export type MqttConnection = {
  publish: (text: string, acknowledged: () => void) => void;
  subscribe: () => Promise<void>;
  /** Sends DISCONNECT, then closes the connection. */
  end: () => Promise<void>;
  destroy: () => void;
  /** Resolves when the connection has closed. */
  closed: Promise<CloseInfo>;
};

const CONNECT_WITHIN_MS = 15_000;
const SUBACK_FAILURE = 0x80;
/** CONNACK 4 of MQTT 3.1.1 and 0x86 of MQTT 5: bad user name or password; the password is the token. */
const TOKEN_CODES = new Set([4, 0x86]);
/** CONNACK 5 of MQTT 3.1.1 and 0x87 of MQTT 5: not authorized. MQTT 3.1.1 has no reason string. */
const NOT_AUTHORIZED_CODES = new Set([5, 0x87]);

const loadConnect = async (): Promise<Connect> => {
  const library = await loadMqtt();
  // CommonJS in Node exports connect() on `default`, the ES module of a bundle by name.
  const { connect, default: defaultExport } = library as { connect?: Connect; default?: { connect: Connect } };
  const found = connect ?? defaultExport?.connect;
  if (!found) throw new Error('mqtt package exports no connect()');
  return found;
};

const connackError = (code: unknown, reasonString: string): DeviceError | null => {
  const error = errorFromReason(reasonString);
  if (error || typeof code !== 'number') return error;
  if (TOKEN_CODES.has(code)) return new DeviceError('TOKEN_INVALID', reasonString);
  return NOT_AUTHORIZED_CODES.has(code)
    ? new DeviceError('KICKED', reasonString || 'the hub did not authorize the connection')
    : null;
};

/** Opens one connection. It does not reconnect: the caller opens a new one with the current token. */
export const openMqttConnection = async (bucket: Bucket, options: MqttConnectionOptions): Promise<MqttConnection> => {
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
    // The default timer runs in a worker from a blob URL, which a strict content security policy blocks.
    timerVariant: 'native',
    will: { topic: topics.up, payload: options.will, qos: 1, retain: false },
  });

  let reasonString = '';
  let reasonCode: number | undefined;
  let failure: Error | null = null;
  client.on('packetreceive', (packet: Packet) => {
    if (packet.cmd === 'connack' || packet.cmd === 'disconnect')
      reasonString = packet.properties?.reasonString ?? reasonString;
    if (packet.cmd === 'disconnect') reasonCode = packet.reasonCode;
  });
  client.on('message', (_topic: string, bytes: { toString: () => string }) => options.onMessage(bytes.toString()));

  const closed = new Promise<CloseInfo>((resolve) => {
    client.on('close', () => resolve({ reason: reasonString || failure?.message || 'connection lost', reasonCode }));
  });
  await new Promise<void>((resolve, reject) => {
    client.on('connect', () => resolve());
    // An 'error' event without a listener would end the process.
    client.on('error', (error: Error & { code?: unknown }) => {
      failure = error;
      reject(connackError(error.code, reasonString) ?? error);
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
      // An external broker may reject a message in its PUBACK: reconnect and send it again.
      client.publish(topics.up, text, { qos: options.qos }, (error) => (error ? destroy() : acknowledged()));
    },
    subscribe: () =>
      new Promise((resolve, reject) => {
        client.subscribe(topics.down, { qos: 1 }, (error, granted) => {
          if (error) reject(error);
          else if ((granted?.[0]?.qos ?? 0) >= SUBACK_FAILURE)
            reject(new Error(`subscription to ${topics.down} rejected`));
          else resolve();
        });
      }),
    end: () => new Promise((resolve) => client.end(false, {}, () => resolve())),
    destroy,
  };
};
