import { homeCalls } from '@device-center/contract';
import type { Client } from './client.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import type { Hub, TestUser } from './hub.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const QUARTER = 900_000;

/** A tenant of its own, so that nothing of another test is counted, with somebody who has the home page alone. */
export const newTenant = async (hub: Hub): Promise<{ user: TestUser; place: ProductFixture; tenancyId: string }> => {
  const tenancyId = await hub.create.tenancy();
  const user = await hub.create.user({ tenancyId, menus: [1] });
  return { user, place: await createProductFixture(hub, {}, tenancyId), tenancyId };
};

/** A zone in which it is about noon now: no test of "today" runs over a midnight. */
export const noon = (): { timezone: string; dayStart: number } => {
  const hours = 12 - new Date().getUTCHours();
  const local = Date.now() + hours * HOUR;
  const sign = hours < 0 ? '+' : '-';
  return { timezone: `Etc/GMT${sign}${Math.abs(hours)}`, dayStart: Math.floor(local / DAY) * DAY - hours * HOUR };
};

type Counter = { tenancyId: string; quarter: number; messages: number; accesses: number; hubNo?: number };

export const insertCounters = ({ records }: Hub, rows: Counter[]) =>
  records
    .insertInto('quarter_counter')
    .values(rows.map(({ tenancyId, hubNo = 900, ...row }) => ({ tenancy_id: tenancyId, hub_no: hubNo, ...row })))
    .execute();

export const setDevice = ({ db }: Hub, deviceId: string, values: object) =>
  db.updateTable('device').set(values).where('device_id', '=', deviceId).execute();

export const fleetCounts = (client: Client, sent: object = {}) =>
  client.ok(homeCalls.getSystemDeviceCurrentCount, { timezone: noon().timezone, ...sent });
