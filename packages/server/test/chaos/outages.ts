import { setTimeout as sleep } from 'node:timers/promises';
import { deviceCalls } from '@device-center/contract';
import { adminProcess, deviceProcess } from '../hub-process.ts';
import { zoneDetail } from '../zone-flow-fixtures.ts';
import type { Member } from './fleet.ts';
import type { Installation, Kind } from './installation.ts';

/** `to`: when all was well again. */
export type Outage = { kinds: Kind[]; from: number; to: number };

const WHOLE_WITHIN_MS = 120_000;
const POLL_MS = 250;
/** A connection that was cut is noticed within this time. */
const NOTICED_MS = 500;

type Random = () => number;

/** Every kind once in a random order, and so on; now and then two at the same moment. */
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

/** Both sides run, every device is online in its own eyes and in the hub's, and the zone is heard. */
const isWhole = async (installation: Installation, members: Member[]): Promise<boolean> => {
  const { admin, shop, zoneId } = installation;
  if (sidesOf(installation).includes(0) || !members.every(({ device }) => device.online)) return false;
  const { online } = await admin.ok(deviceCalls.countDevices, { productId: shop.productId });
  const [node] = (await zoneDetail(admin, zoneId)).nodes;
  return online === members.length && node?.state === 'connected';
};

export const untilWhole = async (installation: Installation, members: Member[]): Promise<void> => {
  const until = Date.now() + WHOLE_WITHIN_MS;
  while (!(await isWhole(installation, members).catch(() => false))) {
    if (Date.now() > until) {
      const offline = members.filter(({ device }) => !device.online).map(({ device }) => device.deviceId);
      throw new Error(
        `not well again: offline are ${offline.join(', ')}\n${installation.hub().errors().slice(-2_000)}`,
      );
    }
    await sleep(POLL_MS);
  }
};

/** Kills them at the same moment, and waits until all is well again. */
export const killAndRecover = async (installation: Installation, members: Member[], kinds: Kind[]): Promise<Outage> => {
  const from = Date.now();
  await Promise.all(kinds.map(installation.strike));
  await sleep(NOTICED_MS);
  await untilWhole(installation, members);
  return { kinds, from, to: Date.now() };
};

/** What was begun in this time and over within it met no outage. */
export const isQuiet = (outages: Outage[], from: number, to: number, graceMs: number): boolean =>
  outages.every((outage) => to < outage.from || from > outage.to + graceMs);
