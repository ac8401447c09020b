import { createHash, createHmac } from 'node:crypto';
import { type Bucket, type ConnectRow, type Envelope, recordCalls, type SignMethod } from '@device-center/contract';
import type { IClientOptions } from 'mqtt';
import { expect } from 'vitest';
import type { Hub } from './hub.ts';
import { connectClient, getBucket, type Identity, login, type RawDevice } from './raw-device.ts';

export const LONG = Boolean(process.env.TEST_LONG);

/** The signature, computed by the text of the protocol page without the contract's code. */
export const signByHand = (fields: Record<string, string | number>, method: SignMethod, secret: string): string => {
  const text = Object.keys(fields)
    .filter((name) => name !== 'signature' && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
  return method === 'md5'
    ? createHash('md5').update(`${text}\n${secret}`, 'utf8').digest('hex')
    : createHmac('sha256', secret).update(text, 'utf8').digest('hex');
};

/** The reason code of the CONNACK; 0 when accepted. */
export const connectCode = async (bucket: Bucket, options: IClientOptions = {}): Promise<number> => {
  try {
    const client = await connectClient(bucket, options);
    await client.endAsync();
    return 0;
  } catch (error) {
    return (error as { code?: number }).code ?? -1;
  }
};

/** The reason string of a rejected CONNECT (MQTT 5). */
export const connectReason = async (bucket: Bucket): Promise<string> =>
  connectClient(bucket, { protocolVersion: 5 }).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

/** Logs in without connecting: the token and where to connect. */
export const logInWithoutConnecting = async (hub: { url: string }, who: Identity) => {
  const answer = await login(hub.url, who);
  return { answer, bucket: await getBucket(hub.url, answer.token), secret: answer.deviceSecret ?? who.secret };
};

export const waitForClose = ({ client }: Pick<RawDevice, 'client'>): Promise<void> =>
  client.connected ? new Promise((resolve) => client.once('close', () => resolve())) : Promise.resolve();

/** Publishes and waits for the PUBACK; rejects when the hub disconnects instead. */
export const publish = async (device: RawDevice, message: string | Buffer): Promise<void> => {
  const { client, bucket } = device;
  const cut = new Promise<never>((_, reject) => client.once('close', () => reject(new Error('cut over the message'))));
  await Promise.race([client.publishAsync(bucket.topics.up, message, { qos: 1 }), cut]);
};

/** Publishes without waiting; returns the growing set of acknowledged `dataId`s. */
export const publishAll = (device: RawDevice, envelopes: Envelope[]): Set<string> => {
  const acknowledged = new Set<string>();
  for (const envelope of envelopes)
    device.publish(envelope).then(
      () => acknowledged.add(envelope.dataId),
      () => undefined,
    );
  return acknowledged;
};

/** Sends a request and waits for its answer. */
export const ask = async (device: RawDevice, sent: Parameters<RawDevice['seal']>[0]): Promise<Envelope> => {
  const envelope = device.seal(sent);
  await publish(device, JSON.stringify(envelope));
  return device.next(({ dataFlow, dataId }) => dataFlow === 1 && dataId === envelope.dataId);
};

export const connectRows = async (hub: Hub, deviceId: string): Promise<ConnectRow[]> =>
  (await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId, pageSize: 200 })).list;

/** Waits until this is the device's newest connection event. */
export const expectLatestEvent = (hub: Hub, deviceId: string, status: 1 | 2 | 3, reason: string) =>
  expect
    .poll(async () => (await connectRows(hub, deviceId)).slice(0, 1).map((row) => [row.status, row.reason]), {
      timeout: 20_000,
      interval: 50,
    })
    .toEqual([[status, reason]]);

export const refusedLogins = async (hub: Hub, deviceId: string): Promise<ConnectRow[]> =>
  (await hub.admin.ok(recordCalls.queryRefusedLogins, { deviceId })).list;

/** The stored uplink messages of a device, oldest first. */
export const upRecords = (hub: Pick<Hub, 'records'>, deviceId: string) =>
  hub.records
    .selectFrom('message_record')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('data_flow', '=', 1)
    .orderBy('record_id')
    .execute();

export const samples = (hub: Pick<Hub, 'records'>, deviceId: string) =>
  hub.records
    .selectFrom('property_sample')
    .selectAll()
    .where('device_id', '=', deviceId)
    .orderBy('record_id')
    .execute();

export const deviceLogs = (hub: Pick<Hub, 'records'>, deviceId: string) =>
  hub.records.selectFrom('device_log').selectAll().where('device_id', '=', deviceId).orderBy('record_id').execute();
