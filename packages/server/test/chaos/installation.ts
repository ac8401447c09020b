import { accountCalls, applicationCalls, modelCalls, productCalls } from '@device-center/contract';
import { type PostgresServer, startPostgres } from '../../../../scripts/lib/postgres.mjs';
import { freePort, startMosquitto, type TestBroker } from '../broker-fixtures.ts';
import { type Client, createClient } from '../client.ts';
import type { ProductFixture } from '../device-fixtures.ts';
import { postgresServer } from '../engine.ts';
import { createEnvironment } from '../environment.ts';
import { event, integer, param, property } from '../functions.ts';
import { ADMIN_PASSWORD, unique } from '../hub.ts';
import { adminProcess, deviceProcess, type HubProcess, startHubProcess } from '../hub-process.ts';
import { NEAR } from '../zone-fixtures.ts';
import { addBrokerZone } from '../zone-flow-fixtures.ts';

/** What can be killed. The hub's own MQTT server is part of its device process. */
export type Kind = 'hub' | 'adminProcess' | 'deviceProcess' | 'broker' | 'database';

/** A hub with its database and broker; each of them can be killed and is restarted on the same port and data. */
export type Installation = {
  engine: 'SQLite' | 'PostgreSQL';
  admin: Client;
  shop: ProductFixture;
  zoneId: number;
  /** SQLite has no process of its own and is not among them. */
  kinds: Kind[];
  hub: () => HubProcess;
  /** How long each restart of the database took, in milliseconds. */
  databaseStarts: number[];
  /** Kills it; resolves when it has been restarted. */
  kill: (kind: Kind) => Promise<void>;
  close: () => Promise<void>;
};

const START_WITHIN_MS = 60_000;
/** A real database is not restarted at once. */
const DATABASE_DOWN_MS = 1_000;
const LARGEST = 2_147_483_647;

const whole = () => integer(0, LARGEST);

/** A product whose reports, events and property commands carry a serial number. */
const createSerialProduct = async (admin: Client): Promise<ProductFixture> => {
  const tenancyId = '1';
  const sent = { applicationName: unique('app'), tenancyId };
  const { applicationId } = await admin.ok(applicationCalls.addApplication, sent);
  const { productId, productSecret } = await admin.ok(productCalls.addDeviceProduct, {
    productName: unique('product'),
    ...({ categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1, inheritFunctions: 0 } as const),
    tenancyId,
    applicationId,
  });
  const functions = [
    property('serial', whole()),
    property('target', whole()),
    event('tick', [param('serial', whole())]),
  ];
  await admin.ok(modelCalls.addProductFunctions, { productId, functions }, { as: 'json' });
  return { tenancyId, applicationId, productId, productSecret };
};

/** Never 0, which would be the test's own group. */
const killProcess = (pid: number): void => {
  if (pid > 0) process.kill(pid, 'SIGKILL');
};

const createKills = (start: () => Promise<HubProcess>, broker: TestBroker, database: PostgresServer | undefined) => {
  let hub: HubProcess;
  const databaseStarts: number[] = [];
  /** Restarts the hub as a service manager does: retries while its dependencies are not available. */
  const startHub = async (): Promise<void> => {
    for (const until = Date.now() + START_WITHIN_MS; ; ) {
      try {
        hub = await start();
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
      }
    }
  };
  const kills: Record<Kind, () => Promise<void>> = {
    hub: async () => {
      await hub.kill();
      await startHub();
    },
    // The supervisor starts them again.
    adminProcess: async () => killProcess(adminProcess(hub)),
    deviceProcess: async () => killProcess(deviceProcess(hub)),
    broker: async () => {
      await broker.kill();
      await broker.start();
    },
    database: async () => {
      await database?.kill();
      await new Promise((resolve) => setTimeout(resolve, DATABASE_DOWN_MS));
      const since = performance.now();
      await database?.startAgain();
      databaseStarts.push(performance.now() - since);
    },
  };
  return { startHub, databaseStarts, kill: (kind: Kind) => kills[kind](), hub: (): HubProcess => hub };
};

export const startInstallation = async (): Promise<Installation> => {
  const onPostgres = Boolean(postgresServer());
  // A separate database server: the one that other tests use must not be killed.
  const [database, broker, httpPort, mqttPort] = await Promise.all([
    onPostgres ? startPostgres() : undefined,
    // Otherwise Mosquitto writes its whole file at each change and does little else.
    startMosquitto({ more: ['autosave_on_changes false'] }),
    freePort(),
    freePort(),
  ]);
  const place = await createEnvironment(database?.url);
  const ports = { PORT: String(httpPort), MQTT_PORT: String(mqttPort) };
  const env = { ...place.env, ADMIN_PASSWORD, ...NEAR, ...ports, RATE_LIMIT_DEVICES: '1000000' };
  const { startHub, databaseStarts, kill, hub } = createKills(() => startHubProcess(env), broker, database);
  await startHub();
  const { url } = hub();
  const { token } = await createClient(url).ok(accountCalls.login, { username: 'admin', password: ADMIN_PASSWORD });
  const admin = createClient(url, token);
  const zoneId = await addBrokerZone(admin, { port: broker.port });
  return {
    engine: onPostgres ? 'PostgreSQL' : 'SQLite',
    admin,
    shop: await createSerialProduct(admin),
    zoneId,
    kinds: ['hub', 'adminProcess', 'deviceProcess', 'broker', ...(onPostgres ? (['database'] as const) : [])],
    hub,
    databaseStarts,
    kill,
    close: async () => {
      await hub().stop();
      await broker.dispose();
      await place.dispose();
      await database?.stop();
    },
  };
};
