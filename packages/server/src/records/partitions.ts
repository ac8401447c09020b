import { sql } from 'kysely';
import { places, type RecordDb } from '../db/connect.ts';
import { transact } from '../db/errors.ts';
import { firstNumberAt } from '../platform/ids.ts';
import { dayOf } from './batch.ts';

export const DAY_MS = 86_400_000;
/** Made before they are needed, so that a job that fails for a day or two harms nobody. */
const DAYS_AHEAD = 2;
/** Every list looks at the index of each partition it cannot rule out: with three times as many it took ten times as long. */
const PARTITIONS_MAX = 31;
/** Any number will do, as long as all hubs use the same one, and none uses it for anything else. */
const PARTITION_LOCK = 7_415_002;
/** Whoever waits for a table keeps everybody waiting who comes after; the next turn is another try. */
const LOCK_TIMEOUT = sql`set local lock_timeout = '2s'`;

/** From a time (included) to a time; without a beginning it holds all that is older, `net` what belongs nowhere. */
export type Partition = { table: string; name: string; cutBy: string; from: number; to: number; net: boolean };

type Row = { table: string; name: string; cutBy: string; bound: string };

const perMs = (cutBy: string): number => (cutBy === 'record_id' ? firstNumberAt(1) : 1);

const BOUND = /FROM \((?:MINVALUE|'(-?\d+)')\) TO \('(-?\d+)'\)/;

const partitionOf = ({ bound, ...row }: Row): Partition => {
  const [, from, to] = BOUND.exec(bound) ?? [];
  const timeOf = (number: string | undefined, missing: number): number =>
    number === undefined ? missing : Number(number) / perMs(row.cutBy);
  return { ...row, from: timeOf(from, -Infinity), to: timeOf(to, Infinity), net: bound === 'DEFAULT' };
};

/** As the catalog has them, the oldest first; no list of our own could differ from it. */
export const readPartitions = async (records: RecordDb): Promise<Partition[]> => {
  const { rows } = await sql<Row>`
    select parent.relname as "table", child.relname as name, attname as "cutBy",
      pg_get_expr(child.relpartbound, child.oid) as bound
    from pg_partitioned_table
    join pg_class as parent on parent.oid = partrelid
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    join pg_inherits on inhparent = partrelid
    join pg_class as child on child.oid = inhrelid
    where parent.relnamespace = ${places.records.schema}::regnamespace`.execute(records);
  return rows.map(partitionOf).sort((one, other) => one.to - other.to || one.table.localeCompare(other.table));
};

const startOfDay = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** A day each where a month is kept; what is kept longer is cut less finely. */
export const widthFor = (retentionDays: number): number => Math.ceil(retentionDays / PARTITIONS_MAX) * DAY_MS;

/** Attached when it is whole: nobody who writes waits for more than the net, where hardly anything is ever written. */
const add = async (db: RecordDb, { table, cutBy, from, to }: Omit<Partition, 'name' | 'net'>): Promise<void> => {
  const [parent, net] = [sql.table(table), sql.table(`${table}_default`)];
  const made = sql.table(`${table}_${dayOf(from).replaceAll('-', '')}`);
  const [first, end] = [sql.lit(from * perMs(cutBy)), sql.lit(to * perMs(cutBy))];
  const key = sql.ref(cutBy);
  await sql`create table ${made} (like ${parent} including all)`.execute(db);
  await sql`lock table ${net} in access exclusive mode`.execute(db);
  // What came for a day that was not there yet, from a clock that is ahead.
  await sql`with moved as (delete from ${net} where ${key} >= ${first} and ${key} < ${end} returning *)
    insert into ${made} select * from moved`.execute(db);
  await sql`alter table ${parent} attach partition ${made} for values from (${first}) to (${end})`.execute(db);
};

/** One hub at a time changes partitions, one table in a transaction: whoever writes batches takes several in order. */
const alone = (records: RecordDb, work: (db: RecordDb) => Promise<void>): Promise<void> =>
  transact(records, async (db) => {
    await LOCK_TIMEOUT.execute(db);
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(db);
    await work(db);
  });

const lastOf = (partitions: Partition[], table: string): Partition | undefined =>
  partitions.filter((one) => one.table === table && !one.net).at(-1);

/** Partitions of record tables, on PostgreSQL; they follow one another without a gap. */
export const createPartitions = ({ records, days }: { records: RecordDb; days: number }) => {
  const width = widthFor(days);

  const extend = (table: string, until: number, today: number): Promise<void> =>
    alone(records, async (db) => {
      const partitions = await readPartitions(db);
      const last = lastOf(partitions, table);
      const cutBy = partitions.find((one) => one.table === table)?.cutBy;
      if (cutBy === undefined) return;
      let from = last?.to ?? today;
      // Days on which no hub ran are one partition: there is little in it.
      if (from < today) await add(db, { table, cutBy, from, to: today });
      from = Math.max(from, today);
      for (; from < until; from += width) await add(db, { table, cutBy, from, to: from + width });
    });

  const drop = async (these: Partition[]): Promise<void> => {
    for (const { table, name } of these)
      await alone(records, async (db) => {
        await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(db);
        await sql`drop table if exists ${sql.table(name)}`.execute(db);
      });
  };

  /** Asked of the whole table, which is there whoever has dropped a part of it. */
  const hasBefore = async ({ table, cutBy, to }: Partition): Promise<boolean> => {
    const end = sql.lit(to * perMs(cutBy));
    return (
      (await sql`select 1 from ${sql.table(table)} where ${sql.ref(cutBy)} < ${end} limit 1`.execute(records)).rows
        .length > 0
    );
  };

  return {
    /** Those of the next days, where they are missing. */
    async makeAhead(now: number): Promise<void> {
      const partitions = await readPartitions(records);
      const today = startOfDay(now);
      const until = today + (DAYS_AHEAD + 1) * DAY_MS;
      for (const table of new Set(partitions.map((one) => one.table)))
        if ((lastOf(partitions, table)?.to ?? 0) < until) await extend(table, until, today);
    },

    /** Those that hold nothing younger. */
    async dropBefore(before: number): Promise<void> {
      await drop((await readPartitions(records)).filter(({ to }) => to <= before));
    },

    /**
     * The oldest days that begin before `until`, as long as there is too much; today's stay. What is told to be the
     * oldest before it is measured is what goes: of two hubs that do this at once the second finds it gone and measures
     * again. Returns until when days went.
     */
    async dropWhile(isTooMuch: () => Promise<boolean>, now: number, until = now): Promise<number> {
      let droppedTo = 0;
      for (;;) {
        const past = (await readPartitions(records)).filter(({ from, to }) => to <= startOfDay(now) && from < until);
        const oldest = past.filter(({ to }) => to === past[0]?.to);
        if (oldest.length === 0 || !(await isTooMuch())) return droppedTo;
        // The first one may hold months: of that only rows go.
        for (const one of oldest) if (one.from === -Infinity && (await hasBefore(one))) return droppedTo;
        await drop(oldest);
        droppedTo = oldest[0]?.to ?? droppedTo;
      }
    },

    /** Where whole days begin: what is older than that lies together, and goes by rows. */
    async firstDay(): Promise<number> {
      const partitions = (await readPartitions(records)).filter(({ net }) => !net);
      return Math.min(...partitions.map(({ from, to }) => (from === -Infinity ? to : from)));
    },
  };
};

export type Partitions = ReturnType<typeof createPartitions>;
