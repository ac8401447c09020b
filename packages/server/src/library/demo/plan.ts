import type { DisconnectReason } from '@device-center/contract';
import { newId, newSecret } from '../../platform/ids.ts';
import type { Company, Condition, DemoProduct } from './company.ts';

export const HISTORY_DAYS = 30;
export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A period in which a device was online, and how it ended. */
export type OnlinePeriod = { from: number; to: number; reason: DisconnectReason; detail: string; sessionId: string };

export type PlannedDevice = {
  company: Company;
  product: DemoProduct;
  deviceId: string;
  deviceName: string;
  secret: string;
  mac: string;
  ip: string;
  versionNumber: string;
  /** Earlier versions and until when it ran them, in order. */
  earlier: { versionNumber: string; until: number }[];
  condition: Condition;
  seed: number;
  /** Its gateway, for a child. */
  parent: PlannedDevice | null;
  createdAt: number;
  /** In order; empty if it was never connected. */
  onlinePeriods: OnlinePeriod[];
};

const within = (low: number, high: number): number => low + Math.random() * (high - low);
const whole = (low: number, high: number): number => Math.floor(within(low, high + 1));
const pick = <Value>(list: readonly Value[], fallback: Value): Value => list[whole(0, list.length - 1)] ?? fallback;

const hex = (value: number): string => value.toString(16).padStart(2, '0').toUpperCase();
/** From the locally administered range. */
const newMac = (): string => ['02', ...Array.from({ length: 5 }, () => hex(whole(0, 255)))].join(':');

/** When and why it last went offline. */
const endOf = (condition: Condition, now: number): Pick<OnlinePeriod, 'to' | 'reason' | 'detail'> => {
  switch (condition.kind) {
    case 'offline':
      return { to: now - condition.days * DAY_MS, reason: condition.reason, detail: '' };
    case 'blacklisted':
      return { to: now - condition.days * DAY_MS, reason: 'blacklisted', detail: '' };
    case 'kicked':
      return { to: now - DAY_MS, reason: 'kicked', detail: '' };
    case 'wrongSecret':
      return { to: now - condition.days * DAY_MS, reason: 'byDevice', detail: '' };
    default:
      return { to: now - whole(1_000, 4_000), reason: 'hubStopped', detail: '' };
  }
};

/** Days between two disconnects, and minutes until it reconnects. */
const disconnectIntervals = (condition: Condition): [days: [number, number], minutes: [number, number]] =>
  condition.kind === 'flapping'
    ? [
        [0.03, 0.4],
        [0.2, 3],
      ]
    : [
        [2, 14],
        [0.5, 40],
      ];

const DISCONNECTS = ['lost', 'lost', 'keepAlive', 'byDevice'] as const;

const planPeriods = (condition: Condition, from: number, now: number): OnlinePeriod[] => {
  if (condition.kind === 'never') return [];
  const last = endOf(condition, now);
  const [days, minutes] = disconnectIntervals(condition);
  const onlinePeriods: OnlinePeriod[] = [];
  for (let start = from; start < last.to; ) {
    const disconnectAt = Math.floor(start + within(...days) * DAY_MS);
    const sessionId = newId();
    if (disconnectAt >= last.to) onlinePeriods.push({ from: start, ...last, sessionId });
    else
      onlinePeriods.push({ from: start, to: disconnectAt, reason: pick(DISCONNECTS, 'lost'), detail: '', sessionId });
    start = disconnectAt >= last.to ? last.to : Math.floor(disconnectAt + within(...minutes) * MINUTE_MS);
  }
  return onlinePeriods;
};

/** A child device connects after its gateway and disconnects with it. */
const childPeriods = (gateway: PlannedDevice, condition: Condition, since: number, now: number): OnlinePeriod[] => {
  if (condition.kind === 'never') return [];
  const last = endOf(condition, now);
  return gateway.onlinePeriods
    .map((period) => ({ period, from: Math.max(period.from, since) + whole(800, 9_000) }))
    .filter(({ period, from }) => from < Math.min(period.to, last.to))
    .map(({ period, from }) => {
      const own = { from, sessionId: newId() };
      if (period.to <= last.to || last.reason === 'hubStopped')
        return { ...own, to: period.to, reason: 'gatewayLost', detail: period.reason };
      return { ...own, ...last };
    });
};

const versionOf = ({ versions, runs }: DemoProduct, index: number): string => {
  if (runs) return runs(index);
  return Math.random() < 0.75 ? (versions.at(-1) ?? versions[0]) : pick(versions, versions[0]);
};

const planDevice = (company: Company, product: DemoProduct, index: number, ids: string, now: number): PlannedDevice => {
  const condition = product.conditions?.[index] ?? { kind: 'alive' };
  // Installed one by one and put into operation within a few hours.
  const createdAt = Math.floor(now - within(HISTORY_DAYS + 0.5, HISTORY_DAYS + 15) * DAY_MS);
  return {
    company,
    product,
    deviceId: ids,
    deviceName: product.names[index] ?? ids,
    secret: newSecret(),
    mac: newMac(),
    ip: `10.${company.offsetHours}.${whole(0, 15)}.${whole(10, 250)}`,
    versionNumber: versionOf(product, index),
    earlier: [],
    condition,
    seed: whole(1, 2 ** 31 - 1),
    parent: null,
    createdAt,
    onlinePeriods: planPeriods(condition, createdAt + whole(5 * MINUTE_MS, 6 * HOUR_MS), now),
  };
};

const SERIALS = 9_000;

const planProduct = (company: Company, product: DemoProduct, gateways: PlannedDevice[], now: number) => {
  // A random start of the series, so that a second demonstration gets other ids.
  const serial = whole(1, SERIALS);
  return product.names.map((_, index): PlannedDevice => {
    const device = planDevice(
      company,
      product,
      index,
      `${product.idPrefix}${String(serial + index).padStart(4, '0')}`,
      now,
    );
    const parent = gateways[index % Math.max(1, gateways.length)];
    if (!parent) return device;
    const { ip } = parent;
    const createdAt = Math.max(device.createdAt, parent.createdAt + MINUTE_MS);
    return { ...device, parent, ip, createdAt, onlinePeriods: childPeriods(parent, device.condition, createdAt, now) };
  });
};

/** All devices of a company, gateways before their children. */
export const planFleet = (company: Company, now: number): PlannedDevice[] => {
  const byProduct = new Map<string, PlannedDevice[]>();
  for (const product of company.products)
    byProduct.set(product.key, planProduct(company, product, byProduct.get(product.behind ?? '') ?? [], now));
  return [...byProduct.values()].flat();
};

/** Version of the device at that time. */
export const versionAt = ({ earlier, versionNumber }: PlannedDevice, time: number): string =>
  earlier.find(({ until }) => time < until)?.versionNumber ?? versionNumber;

/** Whether it was connected at that time. */
export const isConnectedAt = ({ onlinePeriods }: PlannedDevice, time: number): boolean =>
  onlinePeriods.some(({ from, to }) => from <= time && time < to);
