import { sql } from 'kysely';
import { databaseLayout, type RecordDb } from '../db/connect.ts';
import { transact } from '../db/errors.ts';
import { firstSequenceIdAt } from '../platform/ids.ts';
import { dayOf } from './batch.ts';

export const DAY_MS = 86_400_000;
/** Partitions are created ahead, so that a job may fail for a day or two. */
const DAYS_AHEAD = 2;
/** Each list reads the index of every partition it cannot exclude: three times as many took ten times as long. */
const PARTITIONS_MAX = 31;
/** Arbitrary, but the same for all hubs. */
const PARTITION_LOCK = 7_415_002;
/** A waiting exclusive lock blocks all later users of the table; the next run tries again. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '2s'`;

/**
 * Covers `from` (inclusive) to `to`. Without a lower bound it contains all older rows; `isDefault` is the default
 * partition.
 */
export type Partition = {
  table: string;
  name: string;
  keyColumn: string;
  from: number;
  to: number;
  isDefault: boolean;
};

type Row = { table: string; name: string; keyColumn: string; bound: string };

const perMs = (keyColumn: string): number => (keyColumn === 'record_id' ? firstSequenceIdAt(1) : 1);

const BOUND = /FROM \((?:MINVALUE|'(-?\d+)')\) TO \('(-?\d+)'\)/;

const partitionOf = ({ bound, ...row }: Row): Partition => {
  const [, from, to] = BOUND.exec(bound) ?? [];
  const timeOf = (number: string | undefined, missing: number): number =>
    number === undefined ? missing : Number(number) / perMs(row.keyColumn);
  return { ...row, from: timeOf(from, -Infinity), to: timeOf(to, Infinity), isDefault: bound === 'DEFAULT' };
};

/** Read from the catalog, oldest first: a list of the hub's own could differ from it. */
export const readPartitions = async (records: RecordDb): Promise<Partition[]> => {
  const { rows } = await sql<Row>`
    select parent.relname as "table", child.relname as name, attname as "keyColumn",
      pg_get_expr(child.relpartbound, child.oid) as bound
    from pg_partitioned_table
    join pg_class as parent on parent.oid = partrelid
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    join pg_inherits on inhparent = partrelid
    join pg_class as child on child.oid = inhrelid
    where parent.relnamespace = ${databaseLayout.records.schema}::regnamespace`.execute(records);
  return rows.map(partitionOf).sort((one, other) => one.to - other.to || one.table.localeCompare(other.table));
};

const startOfDay = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** Width of a partition: a day for a retention of a month, more for a longer one. */
export const widthFor = (retentionDays: number): number => Math.ceil(retentionDays / PARTITIONS_MAX) * DAY_MS;

/**
 * The partition is filled before it is attached: writers wait only for the default partition, which is hardly ever
 * used.
 */
const add = async (
  db: RecordDb,
  { table, keyColumn, from, to }: Omit<Partition, 'name' | 'isDefault'>,
): Promise<void> => {
  const [parent, defaultPartition] = [sql.table(table), sql.table(`${table}_default`)];
  const added = sql.table(`${table}_${dayOf(from).replaceAll('-', '')}`);
  const [first, end] = [sql.lit(from * perMs(keyColumn)), sql.lit(to * perMs(keyColumn))];
  const key = sql.ref(keyColumn);
  await sql`create table ${added} (like ${parent} including all)`.execute(db);
  await sql`lock table ${defaultPartition} in access exclusive mode`.execute(db);
  // Rows for a missing day, from a clock that is ahead.
  await sql`with moved as (delete from ${defaultPartition} where ${key} >= ${first} and ${key} < ${end} returning *)
    insert into ${added} select * from moved`.execute(db);
  await sql`alter table ${parent} attach partition ${added} for values from (${first}) to (${end})`.execute(db);
};

/**
 * Only one hub at a time changes partitions, one table per transaction: batch writers lock several tables in a fixed
 * order.
 */
const withPartitionLock = (records: RecordDb, work: (db: RecordDb) => Promise<void>): Promise<void> =>
  transact(records, async (db) => {
    await LOCK_TIMEOUT.execute(db);
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(db);
    await work(db);
  });

const lastOf = (partitions: Partition[], table: string): Partition | undefined =>
  partitions.filter((one) => one.table === table && !one.isDefault).at(-1);

/** Partitions of the record tables on PostgreSQL, without gaps. */
export const createPartitions = ({ records, days }: { records: RecordDb; days: number }) => {
  const width = widthFor(days);

  const extend = (table: string, until: number, today: number): Promise<void> =>
    withPartitionLock(records, async (db) => {
      const partitions = await readPartitions(db);
      const last = lastOf(partitions, table);
      const keyColumn = partitions.find((one) => one.table === table)?.keyColumn;
      if (keyColumn === undefined) return;
      let from = last?.to ?? today;
      // Days on which no hub ran become one partition: it contains few rows.
      if (from < today) await add(db, { table, keyColumn, from, to: today });
      from = Math.max(from, today);
      for (; from < until; from += width) await add(db, { table, keyColumn, from, to: from + width });
    });

  const drop = async (these: Partition[]): Promise<void> => {
    for (const { table, name } of these)
      await withPartitionLock(records, async (db) => {
        await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(db);
        await sql`drop table if exists ${sql.table(name)}`.execute(db);
      });
  };

  /** Queries the parent table, because another hub may have dropped the partition. */
  const hasBefore = async ({ table, keyColumn, to }: Partition): Promise<boolean> => {
    const end = sql.lit(to * perMs(keyColumn));
    return (
      (await sql`select 1 from ${sql.table(table)} where ${sql.ref(keyColumn)} < ${end} limit 1`.execute(records)).rows
        .length > 0
    );
  };

  return {
    /** Creates missing partitions of the next days. */
    async createAhead(now: number): Promise<void> {
      const partitions = await readPartitions(records);
      const today = startOfDay(now);
      const until = today + (DAYS_AHEAD + 1) * DAY_MS;
      for (const table of new Set(partitions.map((one) => one.table)))
        if ((lastOf(partitions, table)?.to ?? 0) < until) await extend(table, until, today);
    },

    /** Drops the partitions that end before this time. */
    async dropBefore(before: number): Promise<void> {
      await drop((await readPartitions(records)).filter(({ to }) => to <= before));
    },

    /**
     * Drops the oldest days that begin before `until`, as long as `isTooMuch`; today stays. The oldest is determined
     * before the size is measured: if two hubs run this concurrently, the second finds it dropped and measures again.
     * Returns the end of the dropped days.
     */
    async dropWhile(isTooMuch: () => Promise<boolean>, now: number, until = now): Promise<number> {
      let droppedTo = 0;
      for (;;) {
        const past = (await readPartitions(records)).filter(({ from, to }) => to <= startOfDay(now) && from < until);
        const oldest = past.filter(({ to }) => to === past[0]?.to);
        if (oldest.length === 0 || !(await isTooMuch())) return droppedTo;
        // The first partition may contain months: only its rows are deleted.
        for (const one of oldest) if (one.from === -Infinity && (await hasBefore(one))) return droppedTo;
        await drop(oldest);
        droppedTo = oldest[0]?.to ?? droppedTo;
      }
    },

    /** Start of the first day partition; older records are in one partition and deleted by rows. */
    async firstDay(): Promise<number> {
      const partitions = (await readPartitions(records)).filter(({ isDefault }) => !isDefault);
      return Math.min(...partitions.map(({ from, to }) => (from === -Infinity ? to : from)));
    },
  };
};

export type Partitions = ReturnType<typeof createPartitions>;
