import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY_FILE } from '../src/platform/secret-box.ts';
import { type Client, createClient } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { type Hub, type SpawnedHub, spawnHub } from './hub.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';
import { preparedPlace } from './place.ts';

/** A migrated database, and the key that every hub on it needs. An empty database takes seconds to migrate. */
export const preparedForHubs = async () => {
  const prepared = await preparedPlace();
  const SECRET_KEY = readFileSync(join(prepared.env.DATA_DIR ?? '', KEY_FILE), 'utf8').trim();
  return { place: Promise.resolve(prepared), SECRET_KEY };
};

/** Takes TCP connections and gives them to its targets in turn, passing over those that take none. */
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

/** A hub of the same system on a machine of its own: the same database, key and files, a data folder of its own. */
export const startSecondHub = async (hub: SpawnedHub, extra: Record<string, string> = {}) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'device-center-fellow-'));
  const process = await startHubProcess({ ...hub.env, DATA_DIR, ...extra });
  return { process, url: process.url, admin: createClient(process.url, hub.admin.token), DATA_DIR };
};

export type Hubs = {
  a: SpawnedHub;
  b: { process: HubProcess; url: string; admin: Client };
  /** Ends the second one's leases, as time would 15 seconds after its death. The long form waits for that. */
  endLeasesOfB: () => Promise<void>;
  http: Balancer;
  mqtt: Balancer;
  close: () => Promise<void>;
};

/** Two hubs on one database with balancers before them; `balanced`: devices are told the balancer's address. */
export const startHubs = async (extra: Record<string, string> = {}, balanced = false): Promise<Hubs> => {
  const files = mkdtempSync(join(tmpdir(), 'device-center-files-'));
  const [http, mqtt] = [await startBalancer(), await startBalancer()];
  const publicUrls = {
    PUBLIC_URL: `http://127.0.0.1:${http.port}`,
    MQTT_PUBLIC_URL: `mqtt://127.0.0.1:${mqtt.port}`,
  };
  const { place, SECRET_KEY } = await preparedForHubs();
  const a = await spawnHub({ SECRET_KEY, FILE_STORE: files, ...(balanced ? publicUrls : {}), ...extra }, [], place);
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
    endLeasesOfB: async () => {
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

/** A hub as a device of a test finds it: the other hub's door, with the first one's hands. */
export const seenFrom = <Seen extends Hub>({ a, b }: { a: Seen; b: { url: string; admin: Client } }): Seen => ({
  ...a,
  url: b.url,
  admin: b.admin,
});
