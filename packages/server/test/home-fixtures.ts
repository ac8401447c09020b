import { homeCalls } from '@device-center/contract';
import type { Client } from './client.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import type { Hub, TestUser } from './hub.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const QUARTER = 900_000;

/** A tenant of its own, so that no other test is counted, with a user who may only open the home page. */
export const createHomeTenant = async (
  hub: Hub,
): Promise<{ user: TestUser; fixture: ProductFixture; tenancyId: string }> => {
  const tenancyId = await hub.create.tenancy();
  const user = await hub.create.user({ tenancyId, menus: [1] });
  return { user, fixture: await createProductFixture(hub, {}, tenancyId), tenancyId };
};

/** A time zone in which it is about noon: no test of "today" crosses midnight. */
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
