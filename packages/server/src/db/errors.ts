import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { SqliteError } from './sqlite-thread.ts';

type PostgresError = { code?: string; table?: string; detail?: string };

const postgresErrorOf = (error: unknown): PostgresError => (error instanceof Error ? (error as PostgresError) : {});

const SQLITE_UNIQUE = [2067, 1555];
const SQLITE_FOREIGN_KEY = 787;

/** The violated unique constraint as `table.column` (`table.a,b` for several columns), the same for both engines. */
export const uniqueViolation = (error: unknown): string | null => {
  if (error instanceof SqliteError && SQLITE_UNIQUE.includes(error.errcode)) {
    const columns = error.message.replace(/^.*failed: /, '').split(', ');
    const table = columns[0]?.split('.')[0] ?? '';
    return `${table}.${columns.map((column) => column.split('.')[1]).join(',')}`;
  }
  const { code, table, detail } = postgresErrorOf(error);
  if (code !== '23505') return null;
  const columns = /\(([^)]+)\)=/.exec(detail ?? '')?.[1] ?? '';
  return `${table}.${columns.replaceAll(', ', ',')}`;
};

export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof SqliteError ? error.errcode === SQLITE_FOREIGN_KEY : postgresErrorOf(error).code === '23503';

/**
 * Deadlock or serialisation failure: a retry may succeed. SQLite's busy error is not included: it was retried already.
 */
const isTransient = (error: unknown): boolean =>
  error instanceof SqliteError ? false : ['40P01', '40001', '55P03'].includes(postgresErrorOf(error).code ?? '');

const UNREACHABLE =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|terminated|timeout exceeded|not queryable|SQLite thread/i;

/** The driver's time-out of a query that PostgreSQL accepted and did not answer. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** The database is unreachable or accepts no work: the response is 503, not an internal error. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (error instanceof SqliteError) return error.busy || /disk|readonly|I\/O/i.test(error.message);
  const { code = '' } = postgresErrorOf(error);
  // 55000: accepts no connections at present. 57014: the statement timed out.
  if (/^(08|57P|57014|53|58|55000)/.test(code) || isUnanswered(error)) return true;
  return error instanceof Error && (UNREACHABLE.test(code) || UNREACHABLE.test(error.message));
};

const SQLITE_FULL = 13;
const DISK_FULL = ['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'];

/** The disk of the database or of the files is full. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof SqliteError
    ? (error.errcode & 0xff) === SQLITE_FULL
    : DISK_FULL.includes(postgresErrorOf(error).code ?? '');

const SQLITE_CORRUPTED = [11, 26];

/** Pages of the database are corrupted. */
export const isDatabaseDamaged = (error: unknown): boolean =>
  error instanceof SqliteError
    ? SQLITE_CORRUPTED.includes(error.errcode & 0xff)
    : /^XX00[12]/.test(postgresErrorOf(error).code ?? '');

const SQLITE_DATA_ERRORS = [18, 19, 20, 25];

/** The rows can never be stored: too large, of a wrong type, or against a constraint. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof SqliteError
    ? SQLITE_DATA_ERRORS.includes(error.errcode & 0xff)
    : /^2[23]/.test(postgresErrorOf(error).code ?? '');

const MAX_ATTEMPTS = 3;

/** Runs a transaction, and retries it if the engine asks for that. `work` must await nothing but the database. */
export const transact = async <Tables, Result>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransient(error)) throw error;
      await sleep(attempt * 20);
    }
  }
};
