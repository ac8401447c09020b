import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, flag, formOption, id } from '../fields.ts';
import { timeZone } from '../time-zone.ts';

const home = '/iot-hub/admin/home';

/** Days start in this time zone. Without tenancyId: the caller's tenant, or all tenants for a platform user. */
const scope = { timezone: blankable(timeZone()), tenancyId: blankable(id()) };

const counts = { deviceCount: z.int(), messageCount: z.int(), connectedCount: z.int(), onlineCount: z.int() };

export const fleetCounts = z.object({
  ...counts,
  /** Extension: change of each number since the start of the day. */
  today: z.object({ ...counts, accessCount: z.int() }),
  /** Extension: 1 if the caller can see a demonstration fleet. */
  demonstration: flag(),
});
export type FleetCounts = z.output<typeof fleetCounts>;

const day = z.object({ date: z.string(), count: z.int() });
const month = z.object({ month: z.string(), count: z.int() });
export type DayCount = z.output<typeof day>;
export type MonthCount = z.output<typeof month>;

const scopeSign = formOption([7, 30]).default(7);
export const MONTHS_SHOWN = 12;

/** Items that need attention; kinds without items are omitted. */
export const attentionKinds = ['failedUpgrades', 'offlineToday', 'refusedLogins', 'lostMessages'] as const;
const attention = z.object({
  kind: z.enum(attentionKinds),
  count: z.int(),
  /** Start of the counted period: of the day, or a week ago for lost messages. */
  since: z.string(),
  /** Time of the latest item. */
  latest: z.string(),
});
export type Attention = z.output<typeof attention>;

export const PRODUCTS_SHOWN = 8;
export const fleetStates = ['online', 'offline', 'never', 'blacklisted', 'kicked'] as const;
export type FleetState = (typeof fleetStates)[number];

const distribution = z.object({
  /** Products with the most devices. */
  products: z.array(z.object({ productId: z.string(), productName: z.string(), devices: z.int(), online: z.int() })),
  /** Totals of the other products. */
  others: z.object({ products: z.int(), devices: z.int(), online: z.int() }),
  /** Number of devices by state; each device has one state. */
  states: z.record(z.enum(fleetStates), z.int()),
});
export type FleetDistribution = z.output<typeof distribution>;

const dayCalls = (what: 'Access' | 'Message', summary: { zh_CN: string; en_US: string }) =>
  ({
    method: 'GET',
    path: `${home}/getDayDevice${what}Count`,
    kind: 'query',
    access: 'home:read',
    summary,
    input: z.object({ scopeSign, ...scope }),
    output: z.array(day),
  }) as const;

const monthCalls = (what: 'Access' | 'Message', summary: { zh_CN: string; en_US: string }) =>
  ({
    method: 'GET',
    path: `${home}/getMonthDevice${what}Count`,
    kind: 'query',
    access: 'home:read',
    summary,
    input: z.object(scope),
    output: z.array(month),
  }) as const;

/** Calls of the home page; numbers come from counters. */
export const homeCalls = defineCalls({
  getSystemDeviceCurrentCount: {
    method: 'GET',
    path: `${home}/getSystemDeviceCurrentCount`,
    kind: 'query',
    access: 'home:read',
    summary: {
      zh_CN: '设备总数、消息总数、接入过的设备数、在线设备数，及今日变化',
      en_US: 'Total devices, messages, devices ever connected and devices online, with the change today',
    },
    input: z.object(scope),
    output: fleetCounts,
  },
  getDayDeviceAccessCount: dayCalls('Access', {
    zh_CN: '每日接入次数，7 或 30 天',
    en_US: 'Connections per day, 7 or 30 days',
  }),
  getDayDeviceMessageCount: dayCalls('Message', {
    zh_CN: '每日消息数，7 或 30 天',
    en_US: 'Messages per day, 7 or 30 days',
  }),
  getMonthDeviceAccessCount: monthCalls('Access', {
    zh_CN: '每月接入次数，12 个月',
    en_US: 'Connections per month, 12 months',
  }),
  getMonthDeviceMessageCount: monthCalls('Message', {
    zh_CN: '每月消息数，12 个月',
    en_US: 'Messages per month, 12 months',
  }),
  getDeviceDistribution: {
    method: 'GET',
    path: `${home}/getDeviceDistribution`,
    kind: 'query',
    access: 'home:read',
    summary: { zh_CN: '扩展：设备按产品与状态的分布', en_US: 'Extension: devices by product and by state' },
    input: z.object(scope),
    output: distribution,
  },
  getAttentionList: {
    method: 'GET',
    path: `${home}/getAttentionList`,
    kind: 'query',
    access: 'home:read',
    summary: { zh_CN: '扩展：今日需要关注的事项', en_US: 'Extension: items that need attention today' },
    input: z.object(scope),
    output: z.array(attention),
  },
});
