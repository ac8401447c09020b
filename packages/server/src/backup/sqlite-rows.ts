import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type DatabaseName, databaseFile } from '../db/connect.ts';
import { type Applied, applyToSqlite } from '../db/migrate.ts';
import { storedCountFile } from '../records/lost-messages.ts';
import { BackupError, inBatches, type Row, type RowSource, type RowTarget, type Table } from './rows.ts';

/** The records database first: see rows.ts. */
const both: DatabaseName[] = ['records', 'hub'];

const columnsOf = ({ columns }: Table): string => columns.map(({ name }) => name).join(', ');

/**
 * Opens the file exclusively: fails while another process has it open, and keeps others out. Merges the WAL into the
 * file.
 */
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

/** Opens a read transaction: it does not see later writes. */
const openSnapshot = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  database.exec('begin');
  database.prepare('select count(*) from sqlite_master').get();
  return database;
};

/** `exclusive`: no hub may run, since the data must not change any more. Otherwise reads beside a running hub. */
export const openSqliteSource = (dataDir: string, { exclusive }: { exclusive: boolean }): RowSource => {
  const open = new Map<DatabaseName, DatabaseSync>();
  const close = async (): Promise<void> => {
    for (const database of open.values()) database.close();
    open.clear();
  };
  const databaseOf = (databaseName: DatabaseName): DatabaseSync => {
    const database = open.get(databaseName);
    if (!database) throw new Error(`${databaseName} is closed`);
    return database;
  };
  try {
    for (const databaseName of both) {
      const file = databaseFile(dataDir, databaseName);
      if (!existsSync(file)) throw new BackupError(`${file} does not exist`);
      open.set(databaseName, exclusive ? openExclusive(file) : openSnapshot(file));
    }
  } catch (error) {
    void close();
    throw error;
  }
  return {
    what: 'database',
    applied: async (databaseName) =>
      databaseOf(databaseName).prepare('select name, checksum from migration').all() as Applied[],
    async *read(table) {
      const all = databaseOf(table.databaseName).prepare(`select ${columnsOf(table)} from ${table.name}`);
      all.setReturnArrays(true);
      yield* inBatches(all.iterate() as unknown as Iterable<Row>);
    },
    close,
  };
};

const flush = (path: string): void => {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
};

const writeAll = async (database: DatabaseSync, table: Table, batches: AsyncIterable<Row[]>): Promise<void> => {
  const placeholders = table.columns.map(() => '?').join(', ');
  const insert = database.prepare(`insert into ${table.name} (${columnsOf(table)}) values (${placeholders})`);
  for await (const batch of batches) for (const row of batch) insert.run(...row);
};

/** Writes new files beside the existing ones and renames them at the end. */
export const openSqliteTarget = (dataDir: string, { replace }: { replace: boolean }): RowTarget => {
  mkdirSync(dataDir, { recursive: true });
  const fileOf = (databaseName: DatabaseName): string => databaseFile(dataDir, databaseName);
  const draftOf = (databaseName: DatabaseName): string => `${fileOf(databaseName)}.restoring`;
  const there = both.map(fileOf).filter((file) => existsSync(file));
  if (there.length > 0 && !replace)
    throw new BackupError(`${there.join(' and ')} already exist; --replace replaces them`);
  const locked: DatabaseSync[] = [];
  const drafts = new Map<DatabaseName, DatabaseSync>();
  const draft = (databaseName: DatabaseName): DatabaseSync => {
    const database = drafts.get(databaseName);
    if (!database) throw new Error(`${databaseName} was not prepared`);
    return database;
  };
  const closeAll = (): void => {
    for (const database of [...locked.splice(0), ...drafts.values()]) database.close();
    drafts.clear();
  };
  try {
    for (const file of there) locked.push(openExclusive(file));
  } catch (error) {
    closeAll();
    throw error;
  }

  return {
    async prepare(databaseName, migrations, tables) {
      rmSync(draftOf(databaseName), { force: true });
      const database = new DatabaseSync(draftOf(databaseName));
      drafts.set(databaseName, database);
      // A lost draft is written again, so it need not be durable before the end.
      database.exec('pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off; begin');
      applyToSqlite(database, migrations);
      for (const { name } of tables) database.exec(`delete from ${name}`);
    },
    write: (table, batches) => writeAll(draft(table.databaseName), table, batches),
    count: async ({ databaseName, name }) =>
      (draft(databaseName).prepare(`select count(*) as rows from ${name}`).get() as { rows: number }).rows,
    async finish() {
      // Leases of the source database are not valid here.
      draft('hub').exec('update hub_instance set lease_until = 0');
      for (const databaseName of both) {
        const violations = draft(databaseName).prepare('pragma foreign_key_check').all();
        if (violations.length > 0)
          throw new BackupError(`rows of ${databaseName} refer to missing rows: ${JSON.stringify(violations[0])}`);
        draft(databaseName).exec('commit');
        draft(databaseName).close();
        drafts.delete(databaseName);
        flush(draftOf(databaseName));
      }
      for (const databaseName of both) renameSync(draftOf(databaseName), fileOf(databaseName));
      // The file counts the messages of the replaced records database.
      rmSync(storedCountFile(dataDir), { force: true });
      flush(dataDir);
      closeAll();
    },
    async abandon() {
      closeAll();
      for (const databaseName of both) rmSync(draftOf(databaseName), { force: true });
    },
  };
};
