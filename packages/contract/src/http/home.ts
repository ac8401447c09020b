import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, flag, formOption, id } from '../fields.ts';
import { timeZone } from '../time-zone.ts';

const home = '/iot-hub/admin/home';

/** Days are of this zone; the caller's tenant unless a platform operator names another, who sees all when it does not. */
const asked = { timezone: blankable(timeZone()), tenancyId: blankable(id()) };

const four = { deviceCount: z.int(), messageCount: z.int(), connectedCount: z.int(), onlineCount: z.int() };

export const fleetCounts = z.object({
  ...four,
  /** Extension: how each has changed since the day began; of messages, how many came today. */
  today: z.object({ ...four, accessCount: z.int() }),
  /** Extension: 1 where a demonstration fleet is among what the caller sees. */
  demonstration: flag(),
});
export type FleetCounts = z.output<typeof fleetCounts>;

const day = z.object({ date: z.string(), count: z.int() });
const month = z.object({ month: z.string(), count: z.int() });
export type DayCount = z.output<typeof day>;
export type MonthCount = z.output<typeof month>;

const scopeSign = formOption([7, 30]).default(7);
export const MONTHS_SHOWN = 12;

/** What needs a look; a kind without any is left out. */
export const attentionKinds = ['failedUpgrades', 'offlineToday', 'refusedLogins', 'lostMessages'] as const;
const attention = z.object({
  kind: z.enum(attentionKinds),
  count: z.int(),
  /** The day's beginning, or a week ago for lost messages: what came to pass since then is counted. */
  since: z.string(),
  /** The latest of them. */
  latest: z.string(),
});
export type Attention = z.output<typeof attention>;

export const PRODUCTS_SHOWN = 8;
export const fleetStates = ['online', 'offline', 'never', 'blacklisted', 'kicked'] as const;
export type FleetState = (typeof fleetStates)[number];

const distribution = z.object({
  /** The products with the most devices. */
  products: z.array(z.object({ productId: z.string(), productName: z.string(), devices: z.int(), online: z.int() })),
  /** Of all products beyond those. */
  others: z.object({ products: z.int(), devices: z.int(), online: z.int() }),
  /** Each device in one of them. */
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
    input: z.object({ scopeSign, ...asked }),
    output: z.array(day),
  }) as const;

const monthCalls = (what: 'Access' | 'Message', summary: { zh_CN: string; en_US: string }) =>
  ({
    method: 'GET',
    path: `${home}/getMonthDevice${what}Count`,
    kind: 'query',
    access: 'home:read',
    summary,
    input: z.object(asked),
    output: z.array(month),
  }) as const;

/** The fleet at a glance, from counters. */
export const homeCalls = defineCalls({
  getSystemDeviceCurrentCount: {
    method: 'GET',
    path: `${home}/getSystemDeviceCurrentCount`,
    kind: 'query',
    access: 'home:read',
    summary: {
      zh_CN: '设备总数、消息总数、接入过的设备数、在线设备数，及今日变化',
      en_US: 'Devices, messages ever, devices that ever connected, devices online; and their change today',
    },
    input: z.object(asked),
    output: fleetCounts,
  },
  getDayDeviceAccessCount: dayCalls('Access', {
    zh_CN: '每日接入次数，7 或 30 天',
    en_US: 'Connections a day, over 7 or 30 days',
  }),
  getDayDeviceMessageCount: dayCalls('Message', {
    zh_CN: '每日消息数，7 或 30 天',
    en_US: 'Messages a day, over 7 or 30 days',
  }),
  getMonthDeviceAccessCount: monthCalls('Access', {
    zh_CN: '每月接入次数，12 个月',
    en_US: 'Connections a month, over 12 months',
  }),
  getMonthDeviceMessageCount: monthCalls('Message', {
    zh_CN: '每月消息数，12 个月',
    en_US: 'Messages a month, over 12 months',
  }),
  getDeviceDistribution: {
    method: 'GET',
    path: `${home}/getDeviceDistribution`,
    kind: 'query',
    access: 'home:read',
    summary: { zh_CN: '扩展：设备按产品与状态的分布', en_US: 'Extension: devices by product and by state' },
    input: z.object(asked),
    output: distribution,
  },
  getAttentionList: {
    method: 'GET',
    path: `${home}/getAttentionList`,
    kind: 'query',
    access: 'home:read',
    summary: { zh_CN: '扩展：今日需要关注的事项', en_US: 'Extension: what needs a look today' },
    input: z.object(asked),
    output: z.array(attention),
  },
});
