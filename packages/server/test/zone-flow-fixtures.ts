import { controlCalls, recordCalls, type Sent, type ZoneDetails, zoneCalls } from '@device-center/contract';
import { createDevice, type Device, type DeviceOptions } from '@device-center/device-sdk';
import { expect } from 'vitest';
import { startMosquitto } from './broker-fixtures.ts';
import type { Client } from './client.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import type { Environment } from './environment.ts';
import { type Hub, type SpawnedHub, spawnHub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { NEAR } from './zone-fixtures.ts';

type ZoneInput = Partial<Omit<Sent<typeof zoneCalls.addZone>, 'nodes'>>;
export type TestNode = { port: number; hostName?: string } & Record<string, unknown>;

/** An inner zone with one MQTT node on this machine. */
export const addBrokerZone = async (admin: Client, node: TestNode, more: ZoneInput = {}): Promise<number> => {
  const { id } = await admin.ok(zoneCalls.addZone, {
    zoneName: unique('zone'),
    zoneType: 1,
    routeKey: unique('r'),
    address: `127.0.0.1:${node.port}`,
    isSyncModel: 0,
    nodes: JSON.stringify([{ hostName: '127.0.0.1', serverType: 1, ...node }]),
    ...more,
  });
  return id;
};

/** A hub, a Mosquitto as the broker of a zone, and a product for devices of the zone. */
const createBrokerFixture = async <Started extends Hub>(starting: Promise<Started>) => {
  const [hub, broker] = await Promise.all([starting, startMosquitto()]);
  const shop = await createProductFixture(hub);
  const zoneId = await addBrokerZone(hub.admin, { port: broker.port });
  return { hub, broker, shop, zoneId };
};

export const startBrokerFixture = (extra: Record<string, string> = {}) =>
  createBrokerFixture(startHub({ ...NEAR, ...extra }));

/** The same with a spawned hub. */
export const spawnBrokerFixture = (extra: Record<string, string> = {}, where?: Promise<Environment>) =>
  createBrokerFixture<SpawnedHub>(spawnHub({ ...NEAR, ...extra }, [], where));

export const zoneDetail = (admin: Client, id: number): Promise<ZoneDetails> =>
  admin.ok(zoneCalls.getZoneDetail, { id });

/** Waits for a state of the hub's connection to the zone's first node. */
export const expectNode = (admin: Client, id: number, state: string, timeout = 30_000) =>
  expect.poll(async () => (await zoneDetail(admin, id)).nodes[0]?.state, { timeout, interval: 100 }).toBe(state);

/** A registered device of the zone, not started. It reconnects quickly. */
export const zoneDevice = async (
  hub: Hub,
  { productId, productSecret, applicationId }: ProductFixture,
  haZoneId: number,
  more: Partial<DeviceOptions> = {},
): Promise<Device> => {
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId });
  return createDevice({
    hubUrl: hub.url,
    productId,
    productSecret,
    deviceId,
    backoff: { first: 100, max: 1_000 },
    ...more,
  });
};

export const command = (admin: Client, deviceId: string, functionId: string, functionValue: unknown) =>
  admin.ok(controlCalls.commandDeviceFunction, { deviceId, functionId, functionValue }, { as: 'json' });

export const latest = async (admin: Client, deviceId: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await admin.ok(recordCalls.getLatestValues, { deviceId })).map(({ signCode, value }) => [signCode, value]),
  );

/** All stored values of a property, in the order of its samples. */
export const storedValues = async (
  hub: Pick<Hub, 'records'>,
  deviceId: string,
  signCode: string,
): Promise<unknown[]> => {
  const rows = await hub.records
    .selectFrom('property_sample')
    .select('value')
    .where('device_id', '=', deviceId)
    .where('sign_code', '=', signCode)
    .orderBy('sample_time')
    .orderBy('record_id')
    .execute();
  return rows.map((row) => JSON.parse(row.value) as unknown);
};
