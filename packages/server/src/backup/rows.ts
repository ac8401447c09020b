import { DatabaseSync } from 'node:sqlite';
import type { DatabaseName } from '../db/connect.ts';
import { type Applied, applyToSqlite, type Migration, migrationsOf } from '../db/migrate.ts';

/**
 * Backup, restore and the move to PostgreSQL all copy the rows of every table from a source to a target. Each is a
 * database or a backup.
 */

export type Cell = string | number | null | Uint8Array;
export type Row = Cell[];
export type Column = { name: string; type: 'text' | 'integer' | 'blob' };
export type Table = { databaseName: DatabaseName; name: string; columns: Column[] };

export type RowSource = {
  /** Its name in error messages. */
  what: string;
  applied: (databaseName: DatabaseName) => Promise<Applied[]>;
  /** All rows of a table, in batches of bounded size; all tables come from one snapshot. */
  read: (table: Table) => AsyncIterable<Row[]>;
  close: () => Promise<void>;
};

export type RowTarget = {
  /** Creates the tables by these migrations, without rows. */
  prepare: (databaseName: DatabaseName, migrations: Migration[], tables: Table[]) => Promise<void>;
  write: (table: Table, rows: AsyncIterable<Row[]>) => Promise<void>;
  /** Number of rows written so far. */
  count: (table: Table) => Promise<number>;
  /** Commits everything; until then nothing is visible. */
  finish: () => Promise<void>;
  /** Rolls back. */
  abandon: () => Promise<void>;
};

/** An expected failure: the command prints its message without a stack trace. */
export class BackupError extends Error {}

/**
 * The records database is copied first, so each record belongs to a device that the hub database knows or remembers as
 * deleted and cleans up after. In the other order, history of unknown devices could remain forever.
 */
const copyOrder: DatabaseName[] = ['records', 'hub'];

/**
 * The tables that migrations create, read from SQLite's catalog. Search tables and totals that a hub adds are left out:
 * the hub rebuilds them.
 */
const tablesOf = (databaseName: DatabaseName, migrations: Migration[]): Table[] => {
  const database = new DatabaseSync(':memory:');
  applyToSqlite(database, migrations);
  const names = database
    .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table'
      and name not like 'sqlite%' and name <> 'migration' order by name`)
    .all() as { name: string }[];
  const columns = database.prepare('select name, lower(type) as type from pragma_table_info(?) order by cid');
  const tables = names.map(({ name }) => ({ databaseName, name, columns: columns.all(name) as Column[] }));
  database.close();
  return tables;
};

async function* countRows(batches: AsyncIterable<Row[]>, add: (rows: number) => void): AsyncGenerator<Row[]> {
  for await (const batch of batches) {
    add(batch.length);
    yield batch;
  }
}

export type Copied = { databaseName: DatabaseName; table: string; rows: number };

type CopyTarget = Pick<RowTarget, 'prepare' | 'write' | 'count'>;

const copyTable = async (source: RowSource, target: CopyTarget, table: Table): Promise<Copied> => {
  let rows = 0;
  const batches = countRows(source.read(table), (more) => {
    rows += more;
  });
  await target.write(table, batches);
  const there = await target.count(table);
  if (there !== rows) throw new BackupError(`${table.databaseName}.${table.name}: ${rows} rows read, ${there} written`);
  return { databaseName: table.databaseName, table: table.name, rows };
};

/** Copies all tables. The caller finishes the target, once all other steps have succeeded. */
export const copyRows = async (source: RowSource, target: CopyTarget): Promise<Copied[]> => {
  const copied: Copied[] = [];
  for (const databaseName of copyOrder) {
    const migrations = migrationsOf(databaseName, await source.applied(databaseName), source.what);
    const tables = tablesOf(databaseName, migrations);
    await target.prepare(databaseName, migrations, tables);
    for (const table of tables) copied.push(await copyTable(source, target, table));
  }
  return copied;
};

const bytesIn = (row: Row): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'number' || cell === null ? 8 : cell.length), 0);

const BATCH_ROWS = 1_000;
export const BATCH_BYTES = 1 << 20;

/** Batches of about a megabyte; a larger row is a batch by itself. */
export function* inBatches(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += bytesIn(row);
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** How many rows to fetch next, judged by the size of the last batch. */
export const nextFetchSize = (last: Row[]): number => {
  const bytes = last.reduce((sum, row) => sum + bytesIn(row), 0);
  return Math.max(
    1,
    Math.min(BATCH_ROWS, 2 * last.length, Math.floor((BATCH_BYTES * last.length) / Math.max(1, bytes))),
  );
};
