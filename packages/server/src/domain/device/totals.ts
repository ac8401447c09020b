import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { isSqlite } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { Scope } from '../../db/scope.ts';

/**
 * Number of devices of each tenant, maintained by triggers: counting a million rows took most of the time of a list's
 * first page. Rebuilt from the devices like the search index, so backups leave it out.
 */
const SQLITE = [
  'create table device_total (tenancy_id text primary key, devices integer not null) strict',
  'insert into device_total (tenancy_id, devices) select tenancy_id, count(*) from device group by tenancy_id',
  `create trigger device_total_added after insert on device begin
     insert into device_total (tenancy_id, devices) values (new.tenancy_id, 1)
       on conflict (tenancy_id) do update set devices = devices + 1;
   end`,
  `create trigger device_total_removed after delete on device begin
     update device_total set devices = devices - 1 where tenancy_id = old.tenancy_id;
   end`,
];

/** One row per writing connection: with a single number concurrent writers would wait for each other. */
const POSTGRES = [
  `create table device_total (
     tenancy_id text collate "C" not null, writer integer not null, devices bigint not null,
     primary key (tenancy_id, writer))`,
  'insert into device_total (tenancy_id, writer, devices) select tenancy_id, 0, count(*) from device group by tenancy_id',
  `create function device_total_changed() returns trigger language plpgsql set search_path from current as $$
   begin
     insert into device_total (tenancy_id, writer, devices)
     select tenancy_id, pg_backend_pid(), case tg_op when 'INSERT' then count(*) else -count(*) end
     from changed group by tenancy_id
     on conflict (tenancy_id, writer) do update set devices = device_total.devices + excluded.devices;
     return null;
   end $$`,
  `create trigger device_total_added after insert on device referencing new table as changed
     for each statement execute function device_total_changed()`,
  `create trigger device_total_removed after delete on device referencing old table as changed
     for each statement execute function device_total_changed()`,
];

const exists = async (db: Db): Promise<boolean> => {
  const { rows } = await (isSqlite(db)
    ? sql`select 1 as there from sqlite_master where name = 'device_total'`
    : sql`select 1 as there where to_regclass('device_total') is not null`
  ).execute(db);
  return rows.length > 0;
};

/** Creates the table and triggers once, while the device table is locked against writes. */
export const prepareTotals = async (db: Db): Promise<void> => {
  if (await exists(db)) return;
  await transact(db, async (db) => {
    if (!isSqlite(db)) await sql`lock table device in share row exclusive mode`.execute(db);
    if (await exists(db)) return;
    for (const statement of isSqlite(db) ? SQLITE : POSTGRES) await sql.raw(statement).execute(db);
  });
};

/** An SQL expression, so that a statement can compare it with its own count. */
export const totalOf = ({ tenancyId }: Scope): RawBuilder<number> => {
  const ofTenant = tenancyId === null ? sql`true` : sql`tenancy_id = ${tenancyId}`;
  return sql<number>`(select coalesce(sum(devices), 0) from device_total where ${ofTenant})`;
};

export const readTotal = async (db: Db, scope: Scope): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select ${totalOf(scope)} as n`.execute(db);
  return Number(rows[0]?.n ?? 0);
};
