import { existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bucket, ModelFunction } from '@device-center/contract';
import { createDevice, type Device, type DeviceClient } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import { between, type Models, startClient, startFlapping } from './demo-device.ts';
import { type DemoClient, type DemoFleet, type DemoKind, readFleet } from './demo-file.ts';
import { openVersions, type Versions } from './demo-versions.ts';

/** The fleet of `npm start -- --demo`: runs the devices described in a file until the file is deleted. */

const [hub = '', file = ''] = process.argv.slice(2);
/** Versions installed since the demonstration was created. */
const versionsFile = `${file}.versions`;

/** Spreads the logins, so that the hub stays responsive for users. */
const START_EVERY_MS = 50;
const CHECK_EVERY_MS = 1_000;
const SHUTDOWN_MS = 4_000;
const INSTALL_MS = [3_000, 9_000] as const;
/** Reconnects soon after a hub restart; a rejected device retries every ten minutes. */
const BACKOFF = { first: 1_000, max: 20_000, slow: 600_000 };

const createModels = (): Models => {
  const known = new Map<string, ModelFunction[]>();
  const pending = new Set<string>();
  return {
    of: (productId) => known.get(productId),
    fetch: async (client, productId) => {
      if (pending.has(productId)) return;
      pending.add(productId);
      const { model } = await client.sync(['model']).finally(() => pending.delete(productId));
      if (model) known.set(productId, model.functions);
    },
  };
};

type FleetContext = { kinds: Map<string, DemoKind>; models: Models; versions: Versions; stops: (() => void)[] };

const credentialsOf = (
  { versions }: FleetContext,
  { productId, deviceId, secret, mac, versionNumber }: DemoClient,
) => ({
  productId,
  deviceId,
  secret,
  mac,
  versionNumber: versions.of(deviceId) ?? versionNumber,
  upgrade: createVirtualUpgrade({ fault: () => '', goOffline: () => undefined, installMs: between(INSTALL_MS) }),
});

/** Runs the behaviour of one client; fetches the model again when the hub announces a change. */
const runClient = (
  { kinds, models, versions, stops }: FleetContext,
  client: DeviceClient & Pick<Device, 'on' | 'online'>,
  info: DemoClient,
): void => {
  const kind = kinds.get(info.productId);
  if (!kind) return;
  stops.push(startClient(client, () => client.online, { info, kind, models }));
  client.on('upgrade', ({ phase }) => {
    if (phase === 'installed' && client.versionNumber) versions.keep(info.deviceId, client.versionNumber);
  });
  client.on('changed', ({ changed }) => {
    if (changed.includes('model')) void models.fetch(client, info.productId).catch(() => undefined);
  });
};

/** The fleet runs on the hub's machine but the MQTT certificate names its public host: use WebSocket without TLS. */
const connectAt = (bucket: Bucket): Bucket => {
  const { hostname: host, port } = new URL(hub);
  return bucket.tls ? { ...bucket, protocol: 'ws', tls: false, host, port: Number(port), path: '/mqtt' } : bucket;
};

const startDevice = (fleet: FleetContext, info: DemoFleet['devices'][number]): Device => {
  const device = createDevice({ hubUrl: hub, ...credentialsOf(fleet, info), backoff: BACKOFF, connectAt });
  runClient(fleet, device, info);
  for (const child of info.children) runClient(fleet, device.addChild(credentialsOf(fleet, child)), child);
  if (info.trouble === 'flapping') fleet.stops.push(startFlapping(device));
  // Events report failures; the promise rejects if the fleet stops before the device is online.
  device.start().catch(() => undefined);
  return device;
};

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => stop.abort());
const isWanted = (): boolean => !stop.signal.aborted && existsSync(file);

const run = async (): Promise<void> => {
  const { products, devices: clients } = readFleet(file);
  const kinds = new Map(products.map((kind) => [kind.productId, kind]));
  const fleet: FleetContext = { kinds, models: createModels(), versions: openVersions(versionsFile), stops: [] };
  const devices: Device[] = [];
  for (const info of clients) {
    if (!isWanted()) break;
    devices.push(startDevice(fleet, info));
    await pause(START_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  // The file is deleted with the demonstration: from then on the hub rejects its devices.
  while (isWanted()) await pause(CHECK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  if (!existsSync(file)) rmSync(versionsFile, { force: true });
  for (const end of fleet.stops) end();
  await Promise.race([Promise.all(devices.map((device) => device.stop())), pause(SHUTDOWN_MS)]);
};

if (isWanted()) await run();
process.exit(0);
