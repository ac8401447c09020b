import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile, type Place } from '../db/connect.ts';
import { markFileOf } from '../db/lost-messages.ts';
import { type Applied, applyToSqlite } from '../db/migrate.ts';
import { BackupError, inPieces, type Row, type RowSource, type RowTarget, type Table } from './rows.ts';

/** Records first: see rows.ts. */
const both: Place[] = ['records', 'hub'];

const columnsOf = ({ columns }: Table): string => columns.map(({ name }) => name).join(', ');

/** Nobody else has the file open, and nobody opens it while this is held; what WAL holds is in the file afterwards. */
const openExclusive = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: 1_000 });
  try {
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = delete; begin exclusive;');
    return database;
  } catch (error) {
    database.close();
    throw new BackupError(`${file} is in use (${(error as Error).message}); stop the hub first`);
  }
};

/** As it is at this moment, whatever is written meanwhile. */
const holdSnapshot = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  database.exec('begin');
  database.prepare('select count(*) from sqlite_master').get();
  return database;
};

/** `alone`: for one that must not change any more; else beside a running hub, which does not notice. */
export const openSqliteSource = (dataDir: string, { alone }: { alone: boolean }): RowSource => {
  const open = new Map<Place, DatabaseSync>();
  const close = async (): Promise<void> => {
    for (const database of open.values()) database.close();
    open.clear();
  };
  const databaseOf = (place: Place): DatabaseSync => {
    const database = open.get(place);
    if (!database) throw new Error(`${place} is closed`);
    return database;
  };
  try {
    for (const place of both) {
      const file = databaseFile(dataDir, place);
      if (!existsSync(file)) throw new BackupError(`there is no ${file}`);
      open.set(place, alone ? openExclusive(file) : holdSnapshot(file));
    }
  } catch (error) {
    void close();
    throw error;
  }
  return {
    what: 'database',
    applied: async (place) => databaseOf(place).prepare('select name, checksum from migration').all() as Applied[],
    async *read(table) {
      const all = databaseOf(table.place).prepare(`select ${columnsOf(table)} from ${table.name}`);
      all.setReturnArrays(true);
      yield* inPieces(all.iterate() as unknown as Iterable<Row>);
    },
    close,
  };
};

const flush = (path: string): void => {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
};

const writeAll = async (database: DatabaseSync, table: Table, pieces: AsyncIterable<Row[]>): Promise<void> => {
  const places = table.columns.map(() => '?').join(', ');
  const insert = database.prepare(`insert into ${table.name} (${columnsOf(table)}) values (${places})`);
  for await (const piece of pieces) for (const row of piece) insert.run(...row);
};

/** New files beside the old ones, which take their place at the end. */
export const openSqliteTarget = (dataDir: string, { replace }: { replace: boolean }): RowTarget => {
  mkdirSync(dataDir, { recursive: true });
  const fileOf = (place: Place): string => databaseFile(dataDir, place);
  const draftOf = (place: Place): string => `${fileOf(place)}.restoring`;
  const there = both.map(fileOf).filter((file) => existsSync(file));
  if (there.length > 0 && !replace)
    throw new BackupError(`${there.join(' and ')} exist already; --replace replaces them`);
  const held: DatabaseSync[] = [];
  const drafts = new Map<Place, DatabaseSync>();
  const draft = (place: Place): DatabaseSync => {
    const database = drafts.get(place);
    if (!database) throw new Error(`${place} was not prepared`);
    return database;
  };
  const closeAll = (): void => {
    for (const database of [...held.splice(0), ...drafts.values()]) database.close();
    drafts.clear();
  };
  try {
    for (const file of there) held.push(openExclusive(file));
  } catch (error) {
    closeAll();
    throw error;
  }

  return {
    async prepare(place, migrations, tables) {
      rmSync(draftOf(place), { force: true });
      const database = new DatabaseSync(draftOf(place));
      drafts.set(place, database);
      // A draft that is lost is made again, so nothing of it need be safe before the end.
      database.exec('pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off; begin');
      applyToSqlite(database, migrations);
      for (const { name } of tables) database.exec(`delete from ${name}`);
    },
    write: (table, pieces) => writeAll(draft(table.place), table, pieces),
    count: async ({ place, name }) =>
      (draft(place).prepare(`select count(*) as rows from ${name}`).get() as { rows: number }).rows,
    async finish() {
      // Whoever held a lease does not hold it here.
      draft('hub').exec('update hub_instance set lease_until = 0');
      for (const place of both) {
        const lost = draft(place).prepare('pragma foreign_key_check').all();
        if (lost.length > 0)
          throw new BackupError(`rows of ${place} refer to rows that are not there: ${JSON.stringify(lost[0])}`);
        draft(place).exec('commit');
        draft(place).close();
        drafts.delete(place);
        flush(draftOf(place));
      }
      for (const place of both) renameSync(draftOf(place), fileOf(place));
      // It counts what was in the records before.
      rmSync(markFileOf(dataDir), { force: true });
      flush(dataDir);
      closeAll();
    },
    async abandon() {
      closeAll();
      for (const place of both) rmSync(draftOf(place), { force: true });
    },
  };
};
