import { controlCalls, deviceCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import { unique } from '../hub.ts';
import type { Installation } from './installation.ts';

/** A device with a record of all that happened to it. */
export type FleetDevice = {
  device: Device;
  /** Connected to the zone's broker, which acknowledges before the hub has stored the message. */
  inZone: boolean;
  /** When each message was acknowledged, by its number; 0 when it was not. */
  acknowledgedAt: number[];
  inFlight: number;
  /** When the device last came online. */
  onlineAt: number;
  /** How often the device executed each of the operator's commands, by its number. */
  executed: Map<number, number>;
  installed: string[];
  /** Messages that the hub rejected or that the send queue dropped: expected to stay empty. */
  problems: string[];
};

/** At this number of messages in flight the device skips the next one. Half of them fit into the SDK's window. */
const IN_FLIGHT_MAX = 32;
const EVENT_EVERY = 5;
/** Mosquitto 2.0.11 loses shared subscriptions at a restart: it drops a login that is sent before the hub resubscribes. */
const ANSWER_WITHIN_MS = 5_000;
const OLD_VERSION = '1.0.0';

const startMember = async ({ admin, shop, zoneId }: Installation, inZone: boolean): Promise<FleetDevice> => {
  const { productId, applicationId } = shop;
  const deviceId = unique('unit');
  const { deviceSecret: secret } = await admin.ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
  if (inZone) await admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: zoneId });
  const installed: string[] = [];
  const upgrade = createVirtualUpgrade({ fault: () => '', goOffline: () => undefined, installMs: 300 });
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
  const member: FleetDevice = {
    device,
    inZone,
    acknowledgedAt: [],
    inFlight: 0,
    onlineAt: 0,
    executed: new Map(),
    installed,
    problems: [],
  };
  device.onSet((properties) => {
    const order = Number(properties.target);
    member.executed.set(order, (member.executed.get(order) ?? 0) + 1);
    return properties;
  });
  device.on('online', () => {
    member.onlineAt = Date.now();
  });
  device.on('dropped', () => member.problems.push('dropped'));
  await device.start();
  return member;
};

export const startFleet = async (
  installation: Installation,
  inside: number,
  inZone: number,
): Promise<FleetDevice[]> => {
  const members: FleetDevice[] = [];
  for (let index = 0; index < inside + inZone; index++) members.push(await startMember(installation, index >= inside));
  return members;
};

export const hasRoom = ({ inFlight }: FleetDevice): boolean => inFlight < IN_FLIGHT_MAX;

/** Publishes the next number in a report or an event, and records when it was acknowledged. */
export const publishNext = async (member: FleetDevice): Promise<void> => {
  const { device, acknowledgedAt } = member;
  const serial = acknowledgedAt.push(0) - 1;
  member.inFlight++;
  try {
    await (serial % EVENT_EVERY === 0 ? device.event('tick', { serial }) : device.report({ serial }));
    acknowledgedAt[serial] = Date.now();
  } catch (error) {
    member.problems.push(`${serial}: ${error}`);
  } finally {
    member.inFlight--;
  }
};
