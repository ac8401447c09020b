import { homeCalls, recordCalls } from '@device-center/contract';
import { expect } from 'vitest';
import type { Client } from '../client.ts';
import type { Hub } from '../hub.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Time zones without daylight saving time: the start of a day is plain arithmetic, without the product's code. */
export const OFFSETS = { 'Asia/Shanghai': 8 * HOUR, 'America/Bogota': -5 * HOUR, UTC: 0 } as const;
export type Zone = keyof typeof OFFSETS;
export const zones = Object.keys(OFFSETS) as Zone[];

/** Messages to count: their time, tenant and device. */
export type Counted = { time: number; tenancyId: string; deviceId: string; times: number };
export type Tally = { messages: Counted[]; accesses: Counted[] };

const dateOf = (zone: Zone, time: number): string => new Date(time + OFFSETS[zone]).toISOString().slice(0, 10);
const startOf = (zone: Zone, date: string): number => Date.parse(`${date}T00:00:00Z`) - OFFSETS[zone];

type ByDate = Map<string, number>;
const byDate = (zone: Zone, list: Counted[]): ByDate => {
  const found: ByDate = new Map();
  for (const { time, times } of list) {
    const date = dateOf(zone, time);
    found.set(date, (found.get(date) ?? 0) + times);
  }
  return found;
};
/** The count of a day, of a month, or of all days for ''. */
const countOn = (counted: ByDate, name: string): number =>
  [...counted].reduce((total, [date, times]) => (date.startsWith(name) ? total + times : total), 0);

/** Counts the stored records. */
export const readTally = async ({ records }: Pick<Hub, 'records'>): Promise<Tally> => {
  const messages = await records
    .selectFrom('message_record')
    .select(['message_time as time', 'tenancy_id as tenancyId', 'device_id as deviceId'])
    .where('data_flow', '=', 1)
    .execute();
  const accesses = await records
    .selectFrom('connect_record')
    .select(['connect_time as time', 'tenancy_id as tenancyId', 'device_id as deviceId'])
    .where('status', '=', 1)
    .execute();
  const once = (rows: Omit<Counted, 'times'>[]): Counted[] =>
    rows.map((row) => ({ ...row, time: Number(row.time), times: 1 }));
  return { messages: once(messages), accesses: once(accesses) };
};

const days = (zone: Zone, count: number, now: number): string[] =>
  Array.from({ length: count }, (_, index) => dateOf(zone, now - (count - 1 - index) * DAY));

const months = (zone: Zone, now: number): string[] => {
  const today = new Date(now + OFFSETS[zone]);
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 11 + index, 1)).toISOString().slice(0, 7),
  );
};

/** Expects charts and totals of the home page, for a tenant or all, to match the records in a time zone. */
export const expectCounts = async (
  client: Client,
  tally: Tally,
  { tenancyId, zone, now }: { tenancyId?: string; zone: Zone; now: () => number },
): Promise<void> => {
  const asked = { timezone: zone, ...(tenancyId === undefined ? {} : { tenancyId }) };
  const own = (list: Counted[]) =>
    byDate(
      zone,
      list.filter((row) => tenancyId === undefined || row.tenancyId === tenancyId),
    );
  const [messages, accesses] = [own(tally.messages), own(tally.accesses)];
  for (const scopeSign of [7, 30] as const) {
    const dates = days(zone, scopeSign, now());
    const charted = (counted: ByDate) => dates.map((date) => ({ date, count: countOn(counted, date) }));
    const sent = { ...asked, scopeSign };
    expect(await client.ok(homeCalls.getDayDeviceMessageCount, sent)).toEqual(charted(messages));
    expect(await client.ok(homeCalls.getDayDeviceAccessCount, sent)).toEqual(charted(accesses));
  }
  const charted = (counted: ByDate) => months(zone, now()).map((month) => ({ month, count: countOn(counted, month) }));
  expect(await client.ok(homeCalls.getMonthDeviceMessageCount, asked)).toEqual(charted(messages));
  expect(await client.ok(homeCalls.getMonthDeviceAccessCount, asked)).toEqual(charted(accesses));
  const today = dateOf(zone, now());
  expect(await client.ok(homeCalls.getSystemDeviceCurrentCount, asked)).toMatchObject({
    messageCount: countOn(messages, ''),
    today: { messageCount: countOn(messages, today), accessCount: countOn(accesses, today) },
  });
};

/** Lists count no further than this. */
const COUNTED = 10_000;

/** The total of the list; splits the time span when it exceeds the limit. */
const countMessages = async (client: Client, deviceId: string, startTime: number, endTime: number): Promise<number> => {
  const sent = { deviceId, dataFlow: 1 as const, pageSize: 1, startTime, endTime };
  const { total } = await client.ok(recordCalls.deviceMessageRecord, sent);
  if (total < COUNTED) return total;
  const middle = Math.floor((startTime + endTime) / 2);
  return (
    (await countMessages(client, deviceId, startTime, middle)) +
    (await countMessages(client, deviceId, middle, endTime))
  );
};

/** Expects the totals of a device's record list to match, day by day. */
export const expectRecords = async (client: Client, tally: Tally, deviceIds: string[], zone: Zone): Promise<void> => {
  for (const deviceId of deviceIds) {
    const own = (list: Counted[]) => list.filter((row) => row.deviceId === deviceId);
    const connects = await client.ok(recordCalls.deviceConnectRecord, { deviceId, status: 1, pageSize: 200 });
    const told = connects.list.map(({ connectTime }) => dateOf(zone, Date.parse(connectTime)));
    for (const date of new Set(own(tally.messages).map(({ time }) => dateOf(zone, time)))) {
      const startTime = startOf(zone, date);
      const total = await countMessages(client, deviceId, startTime, startTime + DAY);
      const within = ({ time }: Counted): boolean => dateOf(zone, time) === date;
      expect(total).toBe(own(tally.messages).filter(within).length);
      expect(told.filter((day) => day === date)).toHaveLength(own(tally.accesses).filter(within).length);
    }
  }
};
