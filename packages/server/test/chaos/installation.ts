import { accountCalls, applicationCalls, modelCalls, productCalls } from '@device-center/contract';
import { type PostgresServer, startPostgres } from '../../../../scripts/lib/postgres.mjs';
import { freePort, startMosquitto, type TestBroker } from '../broker-fixtures.ts';
import { type Client, createClient } from '../client.ts';
import type { ProductFixture } from '../device-fixtures.ts';
import { postgresServer } from '../engine.ts';
import { event, integer, param, property } from '../functions.ts';
import { ADMIN_PASSWORD, unique } from '../hub.ts';
import { adminProcess, deviceProcess, type HubProcess, startHubProcess } from '../hub-process.ts';
import { createEnvironment } from '../place.ts';
import { NEAR } from '../zone-fixtures.ts';
import { addBrokerZone } from '../zone-flow-fixtures.ts';

/** What can be killed. The hub's own broker is a part of its device side. */
export type Kind = 'hub' | 'adminProcess' | 'deviceProcess' | 'broker' | 'database';

/** A hub with all that it stands on, each of which can be killed and comes back where it was. */
export type Installation = {
  engine: 'SQLite' | 'PostgreSQL';
  admin: Client;
  shop: ProductFixture;
  zoneId: number;
  /** SQLite is no process of its own: it dies with the sides that have it open. */
  kinds: Kind[];
  hub: () => HubProcess;
  /** How long the database itself took to be there again, in milliseconds, each time. */
  databaseStarts: number[];
  /** Kills it at once; holds when what was killed has been started again. */
  strike: (kind: Kind) => Promise<void>;
  close: () => Promise<void>;
};

const START_WITHIN_MS = 60_000;
/** Whoever runs a database has it back after a while, not at once. */
const DATABASE_AWAY_MS = 1_000;
const LARGEST = 2_147_483_647;

const whole = () => integer(0, LARGEST);

/** Messages that say their number, and a property whose orders say theirs. */
const makeShop = async (admin: Client): Promise<ProductFixture> => {
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
const killSide = (pid: number): void => {
  if (pid > 0) process.kill(pid, 'SIGKILL');
};

const createStrikes = (start: () => Promise<HubProcess>, broker: TestBroker, database: PostgresServer | undefined) => {
  let hub: HubProcess;
  const databaseStarts: number[] = [];
  /** As a service manager does: again, where it could not start because something it needs is not there yet. */
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
  const strikes: Record<Kind, () => Promise<void>> = {
    hub: async () => {
      await hub.kill();
      await startHub();
    },
    // The supervisor starts them again.
    adminProcess: async () => killSide(adminProcess(hub)),
    deviceProcess: async () => killSide(deviceProcess(hub)),
    broker: async () => {
      await broker.kill();
      await broker.start();
    },
    database: async () => {
      await database?.kill();
      await new Promise((resolve) => setTimeout(resolve, DATABASE_AWAY_MS));
      const since = performance.now();
      await database?.startAgain();
      databaseStarts.push(performance.now() - since);
    },
  };
  return { startHub, databaseStarts, strike: (kind: Kind) => strikes[kind](), hub: (): HubProcess => hub };
};

export const startInstallation = async (): Promise<Installation> => {
  const onPostgres = Boolean(postgresServer());
  // Its own: the server of the other tests may not be killed.
  const [database, broker, httpPort, mqttPort] = await Promise.all([
    onPostgres ? startPostgres() : undefined,
    // At each change it would write its whole file, and be busy with nothing else.
    startMosquitto({ more: ['autosave_on_changes false'] }),
    freePort(),
    freePort(),
  ]);
  const place = await createEnvironment(database?.url);
  const ports = { PORT: String(httpPort), MQTT_PORT: String(mqttPort) };
  const env = { ...place.env, ADMIN_PASSWORD, ...NEAR, ...ports, RATE_LIMIT_DEVICES: '1000000' };
  const { startHub, databaseStarts, strike, hub } = createStrikes(() => startHubProcess(env), broker, database);
  await startHub();
  const { url } = hub();
  const { token } = await createClient(url).ok(accountCalls.login, { username: 'admin', password: ADMIN_PASSWORD });
  const admin = createClient(url, token);
  const zoneId = await addBrokerZone(admin, { port: broker.port });
  return {
    engine: onPostgres ? 'PostgreSQL' : 'SQLite',
    admin,
    shop: await makeShop(admin),
    zoneId,
    kinds: ['hub', 'adminProcess', 'deviceProcess', 'broker', ...(onPostgres ? (['database'] as const) : [])],
    hub,
    databaseStarts,
    strike,
    close: async () => {
      await hub().stop();
      await broker.dispose();
      await place.dispose();
      await database?.stop();
    },
  };
};
