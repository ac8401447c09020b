import { setTimeout as sleep } from 'node:timers/promises';
import { deviceCalls } from '@device-center/contract';
import { adminProcess, deviceProcess } from '../hub-process.ts';
import { zoneDetail } from '../zone-flow-fixtures.ts';
import type { FleetDevice } from './fleet.ts';
import type { Installation, Kind } from './installation.ts';

/** `to`: when the installation was healthy again. */
export type Outage = { kinds: Kind[]; from: number; to: number };

const HEALTHY_WITHIN_MS = 120_000;
const POLL_MS = 250;
/** A dropped connection is noticed within this time. */
const NOTICED_MS = 500;

type Random = () => number;

/** Each kind once in random order, repeatedly; some rounds kill two at the same time. */
export function* killPlan(kinds: Kind[], random: Random, pairs: number): Generator<Kind[], never> {
  for (;;) {
    const left = kinds.map((kind) => ({ kind, place: random() })).sort((one, other) => one.place - other.place);
    while (left.length > 0) {
      const count = random() < pairs ? 2 : 1;
      yield left.splice(0, count).map(({ kind }) => kind);
    }
  }
}

const sidesOf = (installation: Installation): [number, number] => {
  try {
    return [adminProcess(installation.hub()), deviceProcess(installation.hub())];
  } catch {
    return [0, 0];
  }
};

/** Whether both processes run, all devices are online for themselves and the hub, and the zone is subscribed. */
const isHealthy = async (installation: Installation, members: FleetDevice[]): Promise<boolean> => {
  const { admin, shop, zoneId } = installation;
  if (sidesOf(installation).includes(0) || !members.every(({ device }) => device.online)) return false;
  const { online } = await admin.ok(deviceCalls.countDevices, { productId: shop.productId });
  const [node] = (await zoneDetail(admin, zoneId)).nodes;
  return online === members.length && node?.state === 'connected';
};

export const waitUntilHealthy = async (installation: Installation, members: FleetDevice[]): Promise<void> => {
  const until = Date.now() + HEALTHY_WITHIN_MS;
  while (!(await isHealthy(installation, members).catch(() => false))) {
    if (Date.now() > until) {
      const offline = members.filter(({ device }) => !device.online).map(({ device }) => device.deviceId);
      throw new Error(
        `not well again: offline are ${offline.join(', ')}\n${installation.hub().errors().slice(-2_000)}`,
      );
    }
    await sleep(POLL_MS);
  }
};

/** Kills them at the same time, and waits until the installation is healthy again. */
export const killAndRecover = async (
  installation: Installation,
  members: FleetDevice[],
  kinds: Kind[],
): Promise<Outage> => {
  const from = Date.now();
  await Promise.all(kinds.map(installation.kill));
  await sleep(NOTICED_MS);
  await waitUntilHealthy(installation, members);
  return { kinds, from, to: Date.now() };
};

/** Whether no outage overlaps the time. */
export const isQuiet = (outages: Outage[], from: number, to: number, graceMs: number): boolean =>
  outages.every((outage) => to < outage.from || from > outage.to + graceMs);
