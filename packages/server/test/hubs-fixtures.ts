import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY_FILE } from '../src/platform/secret-box.ts';
import { type Client, createClient } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { prepareEnvironment } from './environment.ts';
import { type Hub, type SpawnedHub, spawnHub } from './hub.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';

/** A migrated database with its secret key. Migrating an empty database takes seconds. */
export const preparedForHubs = async () => {
  const prepared = await prepareEnvironment();
  const SECRET_KEY = readFileSync(join(prepared.env.DATA_DIR ?? '', KEY_FILE), 'utf8').trim();
  return { environment: Promise.resolve(prepared), SECRET_KEY };
};

/** A round-robin TCP balancer that skips targets that accept no connections. */
export const startBalancer = async () => {
  const targets: number[] = [];
  const open = new Set<Socket>();
  let turn = 0;

  const give = (client: Socket, left: number): void => {
    const port = targets[turn++ % Math.max(1, targets.length)];
    if (port === undefined || left === 0) {
      client.destroy();
      return;
    }
    let taken = false;
    const target = connect(port, '127.0.0.1', () => {
      taken = true;
      client.pipe(target).pipe(client);
    });
    open.add(target);
    client.on('close', () => target.destroy());
    target.on('error', () => undefined);
    target.on('close', () => {
      open.delete(target);
      if (taken || client.destroyed) client.destroy();
      else give(client, left - 1);
    });
  };
  const server = createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    give(client, targets.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    close: (): Promise<void> => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

/** A second hub of the installation: the same database, key and firmware folder, its own data folder. */
export const startSecondHub = async (hub: SpawnedHub, extra: Record<string, string> = {}) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'device-center-fellow-'));
  const process = await startHubProcess({ ...hub.env, DATA_DIR, ...extra });
  return { process, url: process.url, admin: createClient(process.url, hub.admin.token), DATA_DIR };
};

export type Hubs = {
  a: SpawnedHub;
  b: { process: HubProcess; url: string; admin: Client };
  /** Expires the second hub's leases, which takes 15 seconds otherwise. With LONG the tests wait for that. */
  expireLeasesOfB: () => Promise<void>;
  http: Balancer;
  mqtt: Balancer;
  close: () => Promise<void>;
};

/** Two hubs on one database behind balancers; `balanced`: devices get the balancer's MQTT address. */
export const startHubs = async (extra: Record<string, string> = {}, balanced = false): Promise<Hubs> => {
  const files = mkdtempSync(join(tmpdir(), 'device-center-files-'));
  const [http, mqtt] = [await startBalancer(), await startBalancer()];
  const publicUrls = {
    PUBLIC_URL: `http://127.0.0.1:${http.port}`,
    MQTT_PUBLIC_URL: `mqtt://127.0.0.1:${mqtt.port}`,
  };
  const { environment, SECRET_KEY } = await preparedForHubs();
  const a = await spawnHub(
    { SECRET_KEY, FILE_STORE: files, ...(balanced ? publicUrls : {}), ...extra },
    [],
    environment,
  );
  const lastOfA = Math.max(
    ...(await a.db.selectFrom('hub_instance').select('hub_no').execute()).map((row) => row.hub_no),
  );
  const b = await startSecondHub(a);
  for (const { url, mqttPort } of [a.process, b.process]) {
    http.targets.push(Number(new URL(url).port));
    mqtt.targets.push(mqttPort);
  }
  return {
    a,
    b,
    expireLeasesOfB: async () => {
      if (LONG) return;
      await a.db.updateTable('hub_instance').set({ lease_until: 0 }).where('hub_no', '>', lastOfA).execute();
    },
    http,
    mqtt,
    close: async () => {
      await Promise.all([http.close(), mqtt.close()]);
      await b.process.stop();
      await a.close();
      for (const folder of [files, b.DATA_DIR]) rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The fixtures of the first hub with the address and client of the second. */
export const viaSecondHub = <Seen extends Hub>({ a, b }: { a: Seen; b: { url: string; admin: Client } }): Seen => ({
  ...a,
  url: b.url,
  admin: b.admin,
});
