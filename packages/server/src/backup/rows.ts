import { DatabaseSync } from 'node:sqlite';
import type { Place } from '../db/connect.ts';
import { type Applied, applyToSqlite, type Migration, migrationsOf } from '../db/migrate.ts';

/**
 * Backup, restore and the move to PostgreSQL are one thing: the rows of every table go from a source to a target. A
 * source is a database or a backup, and so is a target.
 */

export type Cell = string | number | null | Uint8Array;
export type Row = Cell[];
export type Column = { name: string; type: 'text' | 'integer' | 'blob' };
export type Table = { place: Place; name: string; columns: Column[] };

export type RowSource = {
  /** What it is called where it is refused. */
  what: string;
  applied: (place: Place) => Promise<Applied[]>;
  /** All rows of a table, in pieces of bounded size; all tables as they were at one moment. */
  read: (table: Table) => AsyncIterable<Row[]>;
  close: () => Promise<void>;
};

export type RowTarget = {
  /** Makes the tables, as these migrations do, with no row in them. */
  prepare: (place: Place, migrations: Migration[], tables: Table[]) => Promise<void>;
  write: (table: Table, rows: AsyncIterable<Row[]>) => Promise<void>;
  /** How many rows are there now. */
  count: (table: Table) => Promise<number>;
  /** All of it is there from now on; until then nothing is. */
  finish: () => Promise<void>;
  /** Leaves everything as it was. */
  abandon: () => Promise<void>;
};

/** Said to whoever gave the command, without a trace of the code. */
export class BackupError extends Error {}

/**
 * Records come first. So each of them is of a device that the hub's rows know, or remember as deleted and look for
 * again; the other way round there could be history of devices that nobody knows, for good.
 */
const order: Place[] = ['records', 'hub'];

/** What migrations make, told by SQLite's catalog; what a hub adds to search by is none of it, and made anew. */
const tablesOf = (place: Place, migrations: Migration[]): Table[] => {
  const database = new DatabaseSync(':memory:');
  applyToSqlite(database, migrations);
  const names = database
    .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table'
      and name not like 'sqlite%' and name <> 'migration' order by name`)
    .all() as { name: string }[];
  const columns = database.prepare('select name, lower(type) as type from pragma_table_info(?) order by cid');
  const tables = names.map(({ name }) => ({ place, name, columns: columns.all(name) as Column[] }));
  database.close();
  return tables;
};

async function* counted(pieces: AsyncIterable<Row[]>, add: (rows: number) => void): AsyncGenerator<Row[]> {
  for await (const piece of pieces) {
    add(piece.length);
    yield piece;
  }
}

export type Copied = { place: Place; table: string; rows: number };

type Receiver = Pick<RowTarget, 'prepare' | 'write' | 'count'>;

const copyTable = async (source: RowSource, target: Receiver, table: Table): Promise<Copied> => {
  let rows = 0;
  const pieces = counted(source.read(table), (more) => {
    rows += more;
  });
  await target.write(table, pieces);
  const there = await target.count(table);
  if (there !== rows) throw new BackupError(`${table.place}.${table.name}: ${rows} rows were read, ${there} are there`);
  return { place: table.place, table: table.name, rows };
};

/** Everything, table by table; the target is finished by whoever called, when all else is done as well. */
export const copyRows = async (source: RowSource, target: Receiver): Promise<Copied[]> => {
  const copied: Copied[] = [];
  for (const place of order) {
    const migrations = migrationsOf(place, await source.applied(place), source.what);
    const tables = tablesOf(place, migrations);
    await target.prepare(place, migrations, tables);
    for (const table of tables) copied.push(await copyTable(source, target, table));
  }
  return copied;
};

const bytesIn = (row: Row): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'number' || cell === null ? 8 : cell.length), 0);

const PIECE_ROWS = 1_000;
export const PIECE_BYTES = 1 << 20;

/** Pieces of about a megabyte, and of a single row where that is larger. */
export function* inPieces(rows: Iterable<Row>): Generator<Row[]> {
  let piece: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    piece.push(row);
    bytes += bytesIn(row);
    if (piece.length < PIECE_ROWS && bytes < PIECE_BYTES) continue;
    yield piece;
    [piece, bytes] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}

/** How many rows to ask for next, when the last ones were as large as these. */
export const rowsToAsk = (last: Row[]): number => {
  const bytes = last.reduce((sum, row) => sum + bytesIn(row), 0);
  return Math.max(
    1,
    Math.min(PIECE_ROWS, 2 * last.length, Math.floor((PIECE_BYTES * last.length) / Math.max(1, bytes))),
  );
};
