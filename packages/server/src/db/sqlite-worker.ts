import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

/** Worker thread that holds SQLite connections, so that a slow statement does not block the event loop. */

export type SqliteRequest = { id: number; connectionNo: number } & (
  | { work: 'open'; file: string; readOnly: boolean }
  | { work: 'run'; sql: string; params: SQLInputValue[] }
  | { work: 'close' }
);
export type SqliteReply =
  | { id: number; rows: Record<string, unknown>[]; changes: number }
  | { id: number; error: { message: string; errcode: number } };

type Connection = { database: DatabaseSync; statements: Map<string, StatementSync> };

const MAX_CACHED_STATEMENTS = 500;

const files = new Map<number, { file: string; readOnly: boolean }>();
const connections = new Map<number, Connection>();

const open = (connectionNo: number): Connection => {
  const target = files.get(connectionNo);
  if (!target) throw new Error('the connection is closed');
  const { file, readOnly } = target;
  const database = new DatabaseSync(file, { readOnly, timeout: 200 });
  if (!readOnly) database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  database.exec('pragma foreign_keys = on; pragma cache_size = -16000;');
  const connection = { database, statements: new Map() };
  connections.set(connectionNo, connection);
  return connection;
};

const prepare = ({ database, statements }: Connection, sql: string): StatementSync => {
  const cached = statements.get(sql);
  if (cached) return cached;
  const statement = database.prepare(sql);
  const oldest = statements.keys().next().value;
  if (statements.size >= MAX_CACHED_STATEMENTS && oldest !== undefined) statements.delete(oldest);
  statements.set(sql, statement);
  return statement;
};

type Result = { rows: Record<string, unknown>[]; changes: number };

const execute = (request: SqliteRequest): Result => {
  const { connectionNo } = request;
  if (request.work === 'run') {
    const statement = prepare(connections.get(connectionNo) ?? open(connectionNo), request.sql);
    if (statement.columns().length > 0) return { rows: statement.all(...request.params), changes: 0 };
    return { rows: [], changes: Number(statement.run(...request.params).changes) };
  }
  if (request.work === 'open') files.set(connectionNo, request);
  else {
    connections.get(connectionNo)?.database.close();
    connections.delete(connectionNo);
    files.delete(connectionNo);
  }
  return { rows: [], changes: 0 };
};

const answer = (request: SqliteRequest): SqliteReply => {
  try {
    return { id: request.id, ...execute(request) };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { id: request.id, error: { message, errcode: errcode ?? 0 } };
  }
};

parentPort?.on('message', (request: SqliteRequest | 'end') => {
  if (request === 'end') parentPort?.close();
  else parentPort?.postMessage(answer(request));
});
