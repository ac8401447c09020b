import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from './client.ts';
import { type Hub, startHub } from './hub.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';

export const SECRET_KEY = 'one key for all hubs';

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
export const startFellow = async (hub: Hub, extra: Record<string, string> = {}) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'device-center-fellow-'));
  const process = await startHubProcess({ ...hub.env, DATA_DIR, ...extra });
  return { process, url: process.url, admin: createClient(process.url, hub.admin.token), DATA_DIR };
};

export type Hubs = {
  a: Hub;
  b: { process: HubProcess; url: string; admin: Client };
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
  const a = await startHub({ SECRET_KEY, FILE_STORE: files, ...(balanced ? publicUrls : {}), ...extra });
  const b = await startFellow(a);
  for (const { url, mqttPort } of [a.process, b.process]) {
    http.targets.push(Number(new URL(url).port));
    mqtt.targets.push(mqttPort);
  }
  return {
    a,
    b,
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
export const seenFrom = ({ a, b }: Pick<Hubs, 'a' | 'b'>): Hub => ({ ...a, url: b.url, admin: b.admin });
