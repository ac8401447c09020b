import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { SqliteError } from './sqlite-thread.ts';

type PostgresFault = { code?: string; table?: string; detail?: string };

const faultOf = (error: unknown): PostgresFault => (error instanceof Error ? (error as PostgresFault) : {});

const SQLITE_UNIQUE = [2067, 1555];
const SQLITE_FOREIGN_KEY = 787;

/** Which unique rule was broken, as `table.column` (`table.a,b` for several), the same for both engines. */
export const uniqueViolation = (error: unknown): string | null => {
  if (error instanceof SqliteError && SQLITE_UNIQUE.includes(error.errcode)) {
    const columns = error.message.replace(/^.*failed: /, '').split(', ');
    const table = columns[0]?.split('.')[0] ?? '';
    return `${table}.${columns.map((column) => column.split('.')[1]).join(',')}`;
  }
  const { code, table, detail } = faultOf(error);
  if (code !== '23505') return null;
  const columns = /\(([^)]+)\)=/.exec(detail ?? '')?.[1] ?? '';
  return `${table}.${columns.replaceAll(', ', ',')}`;
};

export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof SqliteError ? error.errcode === SQLITE_FOREIGN_KEY : faultOf(error).code === '23503';

/** Deadlock or serialisation failure: the same transaction may pass when tried again. A busy file was waited for. */
const isTransient = (error: unknown): boolean =>
  error instanceof SqliteError ? false : ['40P01', '40001', '55P03'].includes(faultOf(error).code ?? '');

const AWAY =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|terminated|timeout exceeded|not queryable|SQLite thread/i;

/** A question that PostgreSQL took and did not answer, in the driver's words. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** The database itself is out of reach, so the answer is 503 and not a fault of ours. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (error instanceof SqliteError) return error.busy || /disk|readonly|I\/O/i.test(error.message);
  const { code = '' } = faultOf(error);
  // 55000: the database takes no connections just now. 57014: it had no answer in the time that it was given.
  if (/^(08|57P|57014|53|58|55000)/.test(code) || isUnanswered(error)) return true;
  return error instanceof Error && (AWAY.test(code) || AWAY.test(error.message));
};

const SQLITE_FULL = 13;
const NO_ROOM = ['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'];

/** There is no room left on the disk, of the database or of the files. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof SqliteError ? (error.errcode & 0xff) === SQLITE_FULL : NO_ROOM.includes(faultOf(error).code ?? '');

const SQLITE_DAMAGED = [11, 26];

/** The database's own pages cannot be read. */
export const isDatabaseDamaged = (error: unknown): boolean =>
  error instanceof SqliteError
    ? SQLITE_DAMAGED.includes(error.errcode & 0xff)
    : /^XX00[12]/.test(faultOf(error).code ?? '');

const SQLITE_DATA_FAULTS = [18, 19, 20, 25];

/** The rows themselves cannot be kept, now or ever: too large, of a wrong kind, against a constraint. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof SqliteError
    ? SQLITE_DATA_FAULTS.includes(error.errcode & 0xff)
    : /^2[23]/.test(faultOf(error).code ?? '');

const TRIES = 3;

/** Runs one transaction, again from the start if the engine asks for it. Await nothing but the database inside. */
export const transact = async <Tables, Result>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === TRIES || !isTransient(error)) throw error;
      await pause(attempt * 20);
    }
  }
};
