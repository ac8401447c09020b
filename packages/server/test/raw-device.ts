import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  type Bucket,
  type Envelope,
  type Hashes,
  type LoginAnswer,
  PROTOCOL_VERSION,
  type SignMethod,
  signLogin,
  signMessage,
} from '@device-center/contract';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';

const hashes: Hashes = {
  md5: (text) => createHash('md5').update(text).digest('hex'),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (secret, text) => createHmac('sha256', secret).update(text).digest('hex'),
};

export type Identity = { productId: string; deviceId: string; secret: string; signMethod?: SignMethod };
type Failure = { code: string; statusCode: number; message: string };

/** A login request by the protocol page, without the SDK. `before` changes fields before the signature. */
export const loginFields = (who: Identity, before: Record<string, unknown> = {}): Record<string, unknown> => {
  const fields = {
    productId: who.productId,
    deviceId: who.deviceId,
    timestamp: Date.now(),
    nonce: randomBytes(8).toString('hex'),
    signMethod: who.signMethod ?? 'hmacsha256',
    ...before,
  } as Record<string, string | number>;
  return { ...fields, signature: signLogin(hashes, fields.signMethod as SignMethod, who.secret, fields) };
};

const post = async (url: string, body: unknown): Promise<Response> =>
  fetch(`${url}/api/bucket/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en-US' },
    body: JSON.stringify(body),
  });

export const tryLogin = async (url: string, body: unknown): Promise<{ data: LoginAnswer | null } & Failure> =>
  (await (await post(url, body)).json()) as { data: LoginAnswer | null } & Failure;

export const login = async (url: string, who: Identity, before: Record<string, unknown> = {}): Promise<LoginAnswer> => {
  const { data, code } = await tryLogin(url, loginFields(who, before));
  if (!data) throw new Error(`log-in refused: ${code}`);
  return data;
};

export const getBucket = async (url: string, token: string, transport: 'tcp' | 'ws' = 'tcp'): Promise<Bucket> => {
  const answer = await fetch(`${url}/api/bucket/getConnectBucket?transport=${transport}`, {
    headers: { authorization: token },
  });
  const { data, code } = (await answer.json()) as { data: Bucket | null; code: string };
  if (!data) throw new Error(`no bucket: ${code}`);
  return data;
};

type Sent = { type: number; payload: unknown } & Partial<Omit<Envelope, 'type' | 'payload'>>;

/** A device on a plain MQTT library, without the SDK: login, connection, envelopes. */
export type RawDevice = Identity & {
  url: string;
  answer: LoginAnswer;
  bucket: Bucket;
  client: MqttClient;
  received: Envelope[];
  /** The next message that matches, received before or after the call. */
  next: (fits: (envelope: Envelope) => boolean, withinMs?: number) => Promise<Envelope>;
  seal: (sent: Sent) => Envelope;
  /** Resolves at the PUBACK. */
  publish: (envelope: Envelope, qos?: 0 | 1 | 2) => Promise<void>;
  send: (sent: Sent, qos?: 0 | 1 | 2) => Promise<Envelope>;
  /** Sends a request and waits for its response. */
  ask: (sent: Sent) => Promise<Envelope>;
  respond: (request: Envelope, code: number, payload: unknown) => Promise<void>;
  end: (force?: boolean) => Promise<void>;
};

export const connectClient = (bucket: Bucket, options: IClientOptions = {}): Promise<MqttClient> =>
  new Promise((resolve, reject) => {
    const client = mqtt.connect(`${bucket.protocol}://${bucket.host}:${bucket.port}${bucket.path}`, {
      clientId: bucket.clientId,
      username: bucket.username,
      password: bucket.password,
      keepalive: 30,
      reconnectPeriod: 0,
      ...options,
    });
    client.once('connect', () => resolve(client));
    client.once('error', (error) => {
      client.end(true);
      reject(error);
    });
    client.once('close', () => reject(new Error('closed before CONNACK')));
  });

export const connectDevice = async (
  url: string,
  who: Identity,
  { before = {}, options = {}, transport = 'tcp' as 'tcp' | 'ws' } = {},
): Promise<RawDevice> => {
  const answer = await login(url, who, before);
  const secret = answer.deviceSecret ?? who.secret;
  const bucket = await getBucket(url, answer.token, transport);
  const client = await connectClient(bucket, options);
  const received: Envelope[] = [];
  const waiting = new Set<() => void>();
  client.on('message', (_topic, bytes) => {
    received.push(JSON.parse(bytes.toString()) as Envelope);
    for (const look of [...waiting]) look();
  });
  client.on('error', () => undefined);
  let dataId = 10_000;
  const signMethod = who.signMethod ?? 'hmacsha256';

  const seal = ({ type, payload, ...more }: Sent): Envelope => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const unsigned = {
      dataFlow: 0 as const,
      sessionId: answer.sessionId,
      tenantId: answer.tenantId,
      version: PROTOCOL_VERSION,
      signMethod,
      token: answer.token,
      dataId: String(dataId++),
      type,
      deviceId: who.deviceId,
      length: Buffer.byteLength(text),
      payload: text,
      timestamp: Date.now(),
      ...more,
    };
    return { ...unsigned, signature: more.signature ?? signMessage(hashes, unsigned.signMethod, secret, unsigned) };
  };
  const publish = async (envelope: Envelope, qos: 0 | 1 | 2 = 1): Promise<void> => {
    await client.publishAsync(bucket.topics.up, JSON.stringify(envelope), { qos });
  };
  const next: RawDevice['next'] = (fits, withinMs = 30_000) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = received.find(fits);
        if (!found) return;
        clearTimeout(late);
        waiting.delete(look);
        resolve(found);
      };
      const late = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`nothing that fits came, of ${received.length}`));
      }, withinMs);
      waiting.add(look);
      look();
    });
  const send = async (sent: Sent, qos: 0 | 1 | 2 = 1): Promise<Envelope> => {
    const envelope = seal(sent);
    await publish(envelope, qos);
    return envelope;
  };

  return {
    ...who,
    secret,
    url,
    answer,
    bucket,
    client,
    received,
    next,
    seal,
    publish,
    send,
    ask: async (sent) => {
      const { dataId: asked } = await send(sent);
      return next((envelope) => envelope.dataFlow === 1 && envelope.dataId === asked);
    },
    respond: async (request, code, payload) => {
      await send({ type: request.type, dataFlow: 1, dataId: request.dataId, payload, code });
    },
    end: async (force = false) => {
      await client.endAsync(force);
    },
  };
};
