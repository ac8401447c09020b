import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** One SQLite connection in a thread of its own, so that a slow statement never holds up the event loop. */

export type SqliteRequest = { id: number; sql: string; params: SQLInputValue[] };
export type SqliteReply =
  | { id: number; rows: Record<string, unknown>[]; changes: number }
  | { id: number; error: { message: string; errcode: number } };

const STATEMENTS_KEPT = 500;

const { file, readOnly } = workerData as { file: string; readOnly: boolean };

const database = new DatabaseSync(file, { readOnly, timeout: 200 });
if (!readOnly) database.exec('pragma journal_mode = wal; pragma synchronous = full;');
database.exec('pragma foreign_keys = on; pragma cache_size = -16000;');

const statements = new Map<string, StatementSync>();

const prepare = (sql: string): StatementSync => {
  const known = statements.get(sql);
  if (known) return known;
  const statement = database.prepare(sql);
  const oldest = statements.keys().next().value;
  if (statements.size >= STATEMENTS_KEPT && oldest !== undefined) statements.delete(oldest);
  statements.set(sql, statement);
  return statement;
};

const execute = ({ id, sql, params }: SqliteRequest): SqliteReply => {
  try {
    const statement = prepare(sql);
    if (statement.columns().length > 0) return { id, rows: statement.all(...params), changes: 0 };
    return { id, rows: [], changes: Number(statement.run(...params).changes) };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { id, error: { message, errcode: errcode ?? 0 } };
  }
};

parentPort?.on('message', (request: SqliteRequest | 'close') => {
  if (request === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(execute(request));
});
