import { Kysely, PostgresDialect } from 'kysely';
import { type DatabaseSettings, databaseFile, postgresPool } from '../db/connect.ts';
import type { RecordTables } from '../db/record-tables.ts';
import type { RecordStore } from './batch.ts';
import { storedCountFile } from './lost-messages.ts';
import { createPartitions } from './partitions.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createSqliteStore } from './sqlite-store.ts';

type StoreSettings = DatabaseSettings & { RETENTION_DAYS: number };

const openPostgresStore = (url: string, days: number): RecordStore => {
  const pool = postgresPool(url, 4, 'records');
  const records = new Kysely<RecordTables>({ dialect: new PostgresDialect({ pool }) });
  return createPostgresStore(pool, createPartitions({ records, days }));
};

/** The device process's writer of records. It is on the path to the PUBACK, so it does nothing else. */
export const openRecordStore = ({ DATABASE_URL, DATA_DIR, RETENTION_DAYS }: StoreSettings): RecordStore =>
  DATABASE_URL
    ? openPostgresStore(DATABASE_URL, RETENTION_DAYS)
    : createSqliteStore(databaseFile(DATA_DIR, 'records'), storedCountFile(DATA_DIR));
