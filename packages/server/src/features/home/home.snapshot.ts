import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Scope } from '../../db/scope.ts';
import { hasRehearsed, isRehearsed } from '../../domain/device/rehearsal-devices.ts';
import { totalOf } from '../../domain/device/totals.ts';
import { quarterHourOf } from '../../records/batch.ts';

/** 40 days: enough for "since yesterday" in every time zone, and for a hub that was off for a month. */
const RETAINED_QUARTERS = 40 * 96;

type Gauge = { devices: number; connected: number; online: number };

/**
 * Stores the number of devices of each tenant every 15 minutes. Another hub may have stored it already. A missing row
 * counts as 0.
 */
export const snapshotFleet = async (db: Db): Promise<void> => {
  const quarter = quarterHourOf(Date.now());
  const done = await db
    .selectFrom('fleet_snapshot')
    .select('quarter')
    .where('quarter', '=', quarter)
    .limit(1)
    .executeTakeFirst();
  if (done) return;
  const ofTenancy = sql`select count(*) from device where device.tenancy_id = tenancy.tenancy_id`;
  const rehearsed = await hasRehearsed(db);
  const count = (condition: ReturnType<typeof sql>) =>
    rehearsed
      ? sql`(${ofTenancy} ${condition}) - (${ofTenancy} ${condition} and ${isRehearsed})`
      : sql`(${ofTenancy} ${condition})`;
  await sql`
    insert into fleet_snapshot (tenancy_id, quarter, devices, connected, online)
    select tenancy.tenancy_id, cast(${quarter} as bigint),
      ${count(sql``)}, ${count(sql`and device.first_connect_at > 0`)}, ${count(sql`and device.online = 1`)}
    from tenancy where true
    on conflict (tenancy_id, quarter) do nothing`.execute(db);
  await db
    .deleteFrom('fleet_snapshot')
    .where('quarter', '<', quarter - RETAINED_QUARTERS)
    .execute();
};

/** The fleet at a time: the last earlier snapshot of each tenant. */
export const fleetAt = async (db: Db, { tenancyId }: Scope, time: number): Promise<Gauge> => {
  const until = quarterHourOf(time);
  const ofTenant = tenancyId === null ? sql`true` : sql`tenancy_id = ${tenancyId}`;
  const { rows } = await sql<Record<keyof Gauge, number | null>>`
    select sum(devices) as devices, sum(connected) as connected, sum(online) as online
    from fleet_snapshot
    join (
      select tenancy_id as whose, max(quarter) as latest from fleet_snapshot
      where quarter <= ${until} and ${ofTenant} group by tenancy_id
    ) as last on last.whose = fleet_snapshot.tenancy_id and last.latest = fleet_snapshot.quarter`.execute(db);
  const row = rows[0];
  return {
    devices: Number(row?.devices ?? 0),
    connected: Number(row?.connected ?? 0),
    online: Number(row?.online ?? 0),
  };
};

/**
 * The fleet now. Rehearsal devices are subtracted in the same statement: one that connects between two statements would
 * be subtracted without having been counted.
 */
export const fleetNow = async (db: Db, scope: Scope): Promise<Gauge> => {
  type Condition = RawBuilder<SqlBool>;
  const ofTenant: Condition = scope.tenancyId === null ? sql`true` : sql`tenancy_id = ${scope.tenancyId}`;
  const countOf = (...conditions: Condition[]): RawBuilder<number> =>
    sql`(select count(*) from device where ${sql.join([ofTenant, ...conditions], sql` and `)})`;
  const rehearsed = await hasRehearsed(db);
  const read = async (all: RawBuilder<number>, ...conditions: Condition[]): Promise<number> => {
    const fleet = rehearsed ? sql`${all} - ${countOf(...conditions, isRehearsed)}` : all;
    const { rows } = await sql<{ n: number }>`select ${fleet} as n`.execute(db);
    return Number(rows[0]?.n ?? 0);
  };
  const count = (condition: Condition): Promise<number> => read(countOf(condition), condition);
  const [devices, connected, online] = await Promise.all([
    read(totalOf(scope)),
    count(sql`first_connect_at > 0`),
    count(sql`online = 1`),
  ]);
  return { devices, connected, online };
};
