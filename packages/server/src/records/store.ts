import { type DatabaseSettings, databaseFile, postgresPool } from '../db/connect.ts';
import type { RecordStore } from './batch.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** The device side's writer of history: the PUBACK path, and nothing else on it. */
export const openRecordStore = ({ DATABASE_URL, DATA_DIR }: DatabaseSettings): RecordStore =>
  DATABASE_URL
    ? createPostgresStore(postgresPool(DATABASE_URL, 4, 'records'))
    : createSqliteStore(databaseFile(DATA_DIR, 'records'));
