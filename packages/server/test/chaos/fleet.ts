import { controlCalls, deviceCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import { unique } from '../hub.ts';
import type { Installation } from './installation.ts';

/** A device, and all that it knows to have happened. */
export type Member = {
  device: Device;
  /** On the zone's broker, which acknowledges before the hub has stored. */
  inZone: boolean;
  /** When each was acknowledged, by its number; 0 where it was not. */
  acknowledgedAt: number[];
  underWay: number;
  /** When it came online last. */
  onlineAt: number;
  /** Orders of the operator by their number: how often each was carried out. */
  carriedOut: Map<number, number>;
  installed: string[];
  /** What the hub refused, and what fell out of its queue: there should be nothing of either. */
  complaints: string[];
};

/** Half of what a device keeps under way fits into its window; beyond that it measures something and lets it go. */
const UNDER_WAY_MAX = 32;
const EVENT_EVERY = 5;
/** Mosquitto 2.0.11 forgets shared subscriptions when it restarts: a hello that is quicker than the hub is not heard. */
const ANSWER_WITHIN_MS = 5_000;
const OLD_VERSION = '1.0.0';

const startMember = async ({ admin, shop, zoneId }: Installation, inZone: boolean): Promise<Member> => {
  const { productId, applicationId } = shop;
  const deviceId = unique('unit');
  const { deviceSecret: secret } = await admin.ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
  if (inZone) await admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: zoneId });
  const installed: string[] = [];
  const upgrade = createVirtualUpgrade({ fault: () => '', leave: () => undefined, installMs: 300 });
  const device = createDevice({
    hubUrl: admin.url,
    productId,
    secret,
    deviceId,
    versionNumber: OLD_VERSION,
    backoff: { first: 200, max: 2_000 },
    answerWithin: ANSWER_WITHIN_MS,
    upgrade: {
      ...upgrade,
      install: async (file, order) => {
        await upgrade.install(file, order);
        installed.push(order.versionNumber);
        return undefined;
      },
    },
  });
  const member: Member = {
    device,
    inZone,
    acknowledgedAt: [],
    underWay: 0,
    onlineAt: 0,
    carriedOut: new Map(),
    installed,
    complaints: [],
  };
  device.onSet((properties) => {
    const order = Number(properties.target);
    member.carriedOut.set(order, (member.carriedOut.get(order) ?? 0) + 1);
    return properties;
  });
  device.on('online', () => {
    member.onlineAt = Date.now();
  });
  device.on('dropped', () => member.complaints.push('dropped'));
  await device.start();
  return member;
};

export const startFleet = async (installation: Installation, inside: number, inZone: number): Promise<Member[]> => {
  const members: Member[] = [];
  for (let index = 0; index < inside + inZone; index++) members.push(await startMember(installation, index >= inside));
  return members;
};

export const hasRoom = ({ underWay }: Member): boolean => underWay < UNDER_WAY_MAX;

/** The next of its numbers, in a report or in an event; holds when it was acknowledged. */
export const speak = async (member: Member): Promise<void> => {
  const { device, acknowledgedAt } = member;
  const serial = acknowledgedAt.push(0) - 1;
  member.underWay++;
  try {
    await (serial % EVENT_EVERY === 0 ? device.event('tick', { serial }) : device.report({ serial }));
    acknowledgedAt[serial] = Date.now();
  } catch (error) {
    member.complaints.push(`${serial}: ${error}`);
  } finally {
    member.underWay--;
  }
};
