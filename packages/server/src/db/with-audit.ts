import type { Context } from '../platform/actor.ts';
import { foldCase } from '../platform/fold-case.ts';
import { newId } from '../platform/ids.ts';
import type { Db } from './connect.ts';
import { transact } from './errors.ts';
import { storedJson } from './stored.ts';

type Values = Record<string, unknown>;

/** What changed: the tenant whose log shows it, the target, and its values before and after. */
type AuditEntry = {
  tenancyId: string;
  targetId: string;
  targetName: string;
  before?: Values;
  after?: Values;
  /** Entries of one action that runs in batches have the same key: they are merged, and their numbers added. */
  mergeKey?: string;
};

type Author = Pick<Context<null>, 'action' | 'ip' | 'requestId'> & {
  actor: { userId: string; username: string } | null;
};

const SECRET = /password|secret|token|hash|^code$/i;

const mask = (values: Values = {}): string =>
  JSON.stringify(values, (key, value: unknown) => (SECRET.test(key) && value !== null ? '***' : value));

const MAX_TARGET_NAME = 500;

/** A batch that comes later starts a new entry. */
const MERGE_MS = 3_600_000;

const addNumbers = (before: Values, batch: Values): Values => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(batch).map(([key, value]) => {
      const previous = before[key];
      return [key, typeof value === 'number' && typeof previous === 'number' ? previous + value : value];
    }),
  ),
});

/**
 * Adds to an existing entry and returns whether there was one. The caller has locked the rows that it changes, so
 * merges never run concurrently.
 */
const mergeAudit = async (db: Db, mergeKey: string, entry: AuditEntry): Promise<boolean> => {
  const row = await db
    .selectFrom('audit_log')
    .select(['audit_id', 'after_json'])
    .where('merge_key', '=', mergeKey)
    .where('created_at', '>', Date.now() - MERGE_MS)
    .executeTakeFirst();
  if (!row) return false;
  const after = addNumbers(storedJson<Values>(row.after_json, 'audit_log', row.audit_id), entry.after ?? {});
  await db
    .updateTable('audit_log')
    .set({ after_json: mask(after) })
    .where('audit_id', '=', row.audit_id)
    .execute();
  return true;
};

const writeAudit = async (db: Db, author: Author, entry: AuditEntry): Promise<void> => {
  const username = author.actor?.username ?? '';
  const mergeKey = entry.mergeKey
    ? [author.actor?.userId, author.action, entry.targetId, entry.mergeKey].join(' ')
    : '';
  if (mergeKey !== '' && (await mergeAudit(db, mergeKey, entry))) return;
  const targetName = entry.targetName.slice(0, MAX_TARGET_NAME);
  await db
    .insertInto('audit_log')
    .values({
      audit_id: newId(),
      created_at: Date.now(),
      tenancy_id: entry.tenancyId,
      user_id: author.actor?.userId ?? '',
      username,
      username_key: foldCase(username),
      ip: author.ip,
      request_id: author.requestId,
      action: author.action,
      action_key: foldCase(author.action),
      target_id: entry.targetId,
      target_name: targetName,
      target_key: foldCase(`${entry.targetId} ${targetName}`),
      before_json: mask(entry.before),
      after_json: mask(entry.after),
      merge_key: mergeKey,
    })
    .execute();
};

type Changed<Result> = { result: Result; audit: AuditEntry | AuditEntry[] };

/** Runs a mutation and writes its audit entries in one transaction. */
export const withAudit = <Result>(
  db: Db,
  author: Author,
  work: (db: Db) => Promise<Changed<Result>>,
): Promise<Result> =>
  transact(db, async (db) => {
    const { result, audit } = await work(db);
    for (const entry of Array.isArray(audit) ? audit : [audit]) await writeAudit(db, author, entry);
    return result;
  });
