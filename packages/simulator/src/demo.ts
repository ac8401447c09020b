import { existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bucket, ModelFunction } from '@device-center/contract';
import { createDevice, type Device, type DeviceClient } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import { between, type Models, startFlapping, startMember } from './demo-device.ts';
import { type DemoBody, type DemoFleet, type DemoKind, readFleet } from './demo-file.ts';
import { openVersions, type Versions } from './demo-versions.ts';

/** The fleet of `npm start -- --demo`: the devices of a file, for as long as that file is there. */

const [hub = '', file = ''] = process.argv.slice(2);
/** What was installed since the demonstration was made. */
const versionsFile = `${file}.versions`;

/** Log-ins come one after another, so that the hub has time for people too. */
const START_EVERY_MS = 50;
const LOOK_EVERY_MS = 1_000;
const GOODBYE_MS = 4_000;
const INSTALL_MS = [3_000, 9_000] as const;
/** Back soon after the hub's restart; whoever is not let in knocks every ten minutes. */
const BACKOFF = { first: 1_000, max: 20_000, slow: 600_000 };

const createModels = (): Models => {
  const known = new Map<string, ModelFunction[]>();
  const asked = new Set<string>();
  return {
    of: (productId) => known.get(productId),
    learn: async (speaker, productId) => {
      if (asked.has(productId)) return;
      asked.add(productId);
      const { model } = await speaker.sync(['model']).finally(() => asked.delete(productId));
      if (model) known.set(productId, model.functions);
    },
  };
};

type Crew = { kinds: Map<string, DemoKind>; models: Models; versions: Versions; stops: (() => void)[] };

const credentialsOf = ({ versions }: Crew, { productId, deviceId, secret, mac, versionNumber }: DemoBody) => ({
  productId,
  deviceId,
  secret,
  mac,
  versionNumber: versions.of(deviceId) ?? versionNumber,
  upgrade: createVirtualUpgrade({ fault: () => '', leave: () => undefined, installMs: between(INSTALL_MS) }),
});

/** A body for whoever speaks; it learns anew what it can do when it is told that that has changed. */
const animate = (
  { kinds, models, versions, stops }: Crew,
  speaker: DeviceClient & Pick<Device, 'on' | 'online'>,
  info: DemoBody,
): void => {
  const kind = kinds.get(info.productId);
  if (!kind) return;
  stops.push(startMember(speaker, () => speaker.online, { info, kind, models }));
  speaker.on('upgrade', ({ phase }) => {
    if (phase === 'installed' && speaker.versionNumber) versions.keep(info.deviceId, speaker.versionNumber);
  });
  speaker.on('changed', ({ changed }) => {
    if (changed.includes('model')) void models.learn(speaker, info.productId).catch(() => undefined);
  });
};

/** The fleet runs on the hub's machine, and the certificate for MQTT is for its public name: WebSocket needs none. */
const connectAt = (bucket: Bucket): Bucket => {
  const { hostname: host, port } = new URL(hub);
  return bucket.tls ? { ...bucket, protocol: 'ws', tls: false, host, port: Number(port), path: '/mqtt' } : bucket;
};

const startDevice = (crew: Crew, info: DemoFleet['devices'][number]): Device => {
  const device = createDevice({ hubUrl: hub, ...credentialsOf(crew, info), backoff: BACKOFF, connectAt });
  animate(crew, device, info);
  for (const child of info.children) animate(crew, device.addChild(credentialsOf(crew, child)), child);
  if (info.trouble === 'flapping') crew.stops.push(startFlapping(device));
  // Told by its events; the promise is refused when the fleet stops first.
  device.start().catch(() => undefined);
  return device;
};

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => stop.abort());
const isWanted = (): boolean => !stop.signal.aborted && existsSync(file);

const run = async (): Promise<void> => {
  const { products, devices: bodies } = readFleet(file);
  const kinds = new Map(products.map((kind) => [kind.productId, kind]));
  const crew: Crew = { kinds, models: createModels(), versions: openVersions(versionsFile), stops: [] };
  const devices: Device[] = [];
  for (const info of bodies) {
    if (!isWanted()) break;
    devices.push(startDevice(crew, info));
    await pause(START_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  // Gone with its demonstration: the hub would refuse it from now on.
  while (isWanted()) await pause(LOOK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  if (!existsSync(file)) rmSync(versionsFile, { force: true });
  for (const end of crew.stops) end();
  await Promise.race([Promise.all(devices.map((device) => device.stop())), pause(GOODBYE_MS)]);
};

if (isWanted()) await run();
process.exit(0);
