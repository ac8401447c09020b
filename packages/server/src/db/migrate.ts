import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { assetUrl } from '../platform/locations.ts';
import { type DatabaseName, type DatabaseSettings, databaseFile, databaseLayout } from './connect.ts';

export class MigrationError extends Error {}

type Engine = 'sqlite' | 'postgres';
/** `only`: the other engine records it as applied without running it, so both list the same migrations. */
export type Migration = { name: string; sql: string; checksum: string; only: Engine | undefined };
export type Applied = { name: string; checksum: string };

const FILE = /^(\d{4}-[\w-]+)(?:\.(sqlite|postgres))?\.sql$/;

const readMigrations = (folder: URL | string): Migration[] =>
  readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, name, only] = FILE.exec(file) ?? [];
      if (name === undefined) return [];
      const sql = readFileSync(folder instanceof URL ? new URL(file, folder) : `${folder}/${file}`, 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return [{ name, sql, checksum, only: only as Engine | undefined }];
    });

/** The SQL is the same for both engines except for these placeholders. */
const WORDS = {
  sqlite: {
    '@key': 'text',
    '@text': 'text',
    '@int': 'integer',
    '@blob': 'blob',
    '@table': 'strict',
    '@clustered': 'strict, without rowid',
  },
  postgres: {
    '@key': 'text collate "C"',
    '@text': 'text',
    '@int': 'bigint',
    '@blob': 'bytea',
    '@table': '',
    '@clustered': '',
  },
};

const translate = (sql: string, engine: Engine): string =>
  Object.entries(WORDS[engine]).reduce((text, [word, meaning]) => text.replaceAll(word, meaning), sql);

const textFor = ({ sql, only }: Migration, engine: Engine): string =>
  only === undefined || only === engine ? translate(sql, engine) : '';

const pending = (all: Migration[], applied: Applied[], what = 'database'): Migration[] => {
  for (const { name, checksum } of applied) {
    const known = all.find((migration) => migration.name === name);
    if (!known)
      throw new MigrationError(`the ${what} was created by a newer version (migration ${name}); start that version`);
    if (known.checksum !== checksum)
      throw new MigrationError(
        `migration ${name} was changed after it was applied; restore the file and add a new migration`,
      );
  }
  return all.filter(({ name }) => !applied.some((done) => done.name === name));
};

const failed = (migration: string, error: unknown): MigrationError => {
  if (error instanceof MigrationError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new MigrationError(`migration ${migration} failed and was rolled back: ${reason}`);
};

export const cannotOpen = (error: unknown): MigrationError => {
  const reason = error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
  return new MigrationError(`the database cannot be opened or migrated: ${reason}`);
};

const HISTORY = 'create table if not exists migration (name @key primary key, checksum @text not null) @table';

/** Applies pending migrations in the transaction of the caller. */
export const applyToSqlite = (database: DatabaseSync, all: Migration[]): string[] => {
  database.exec(translate(HISTORY, 'sqlite'));
  const todo = pending(all, database.prepare('select name, checksum from migration').all() as Applied[]);
  for (const migration of todo) {
    const { name, checksum } = migration;
    try {
      database.exec(textFor(migration, 'sqlite'));
    } catch (error) {
      throw failed(name, error);
    }
    database.prepare('insert into migration (name, checksum) values (?, ?)').run(name, checksum);
  }
  return todo.map(({ name }) => name);
};

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const isDamaged = (error: unknown): error is Error =>
  error instanceof Error && [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

const damagedFile = (file: string, { message }: Error): MigrationError =>
  new MigrationError(`${file} is damaged and was left as it is (${message}); restore it from a backup`);

const migrateSqlite = (file: string, all: Migration[]): string[] => {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
    // The lock is taken before looking, so a second hub waits here and then finds everything done.
    database.exec('begin exclusive');
    const done = applyToSqlite(database, all);
    database.exec('commit');
    return done;
  } catch (error) {
    throw isDamaged(error) ? damagedFile(file, error) : error;
  } finally {
    // An uncommitted transaction goes with its connection.
    database.close();
  }
};

/** Arbitrary, but the same for all hubs. */
const MIGRATION_LOCK = 7_415_001;

/** Takes the migration lock in the transaction of the caller; other hubs wait until it ends. */
export const lockMigrations = async (client: Client): Promise<void> => {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
};

/** Applies pending migrations in the transaction of the caller. */
export const applyToPostgres = async (
  client: Client,
  databaseName: DatabaseName,
  all: Migration[],
): Promise<string[]> => {
  const { schema } = databaseLayout[databaseName];
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`set local search_path = ${schema}`);
  await client.query(translate(HISTORY, 'postgres'));
  const { rows } = await client.query<Applied>('select name, checksum from migration');
  const todo = pending(all, rows);
  for (const migration of todo) {
    const { name, checksum } = migration;
    try {
      await client.query(textFor(migration, 'postgres'));
    } catch (error) {
      throw failed(name, error);
    }
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
  }
  return todo.map(({ name }) => name);
};

const migratePostgres = async (
  connectionString: string,
  databaseName: DatabaseName,
  all: Migration[],
): Promise<string[]> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  // A lost connection is reported by the next query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await lockMigrations(client);
    const done = await applyToPostgres(client, databaseName, all);
    await client.query('commit');
    return done;
  } finally {
    await client.end();
  }
};

const folders: Record<DatabaseName, URL> = {
  hub: assetUrl('db/migrations/'),
  records: assetUrl('db/record-migrations/'),
};

/** Maps the applied migrations to those of this version; fails if one is newer. */
export const migrationsOf = (databaseName: DatabaseName, applied: Applied[], what: string): Migration[] => {
  const all = readMigrations(folders[databaseName]);
  const rest = pending(all, applied, what);
  return all.filter((migration) => !rest.includes(migration));
};

/** Brings one database up to this version; all or nothing, and only once if several hubs start together. */
export const migrateOne = async (
  { DATABASE_URL, DATA_DIR }: DatabaseSettings,
  databaseName: DatabaseName,
  folder: URL | string = folders[databaseName],
): Promise<string[]> => {
  const all = readMigrations(folder);
  try {
    if (DATABASE_URL) return await migratePostgres(DATABASE_URL, databaseName, all);
    mkdirSync(DATA_DIR, { recursive: true });
    return migrateSqlite(databaseFile(DATA_DIR, databaseName), all);
  } catch (error) {
    throw error instanceof MigrationError ? error : cannotOpen(error);
  }
};

export const migrate = async (settings: DatabaseSettings): Promise<string[]> => [
  ...(await migrateOne(settings, 'hub')),
  ...(await migrateOne(settings, 'records')),
];
