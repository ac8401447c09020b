import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import { AppError } from '../../platform/app-error.ts';
import { blockedUntil } from '../../platform/doubling-delay.ts';

const MEMORY_MS = 3_600_000;
/** Calls an hour that may be rejected for taken ids before the caller is throttled. */
const FREE_CALLS = 50;
const IDS_AUDITED = 20;

type RejectedIds = {
  /** Id of the user or API key. */
  callerId: string;
  tenancyId: string;
  code: string;
  ids: string[];
};

/** Rejects a caller that has too often tried ids of other tenants. */
export const assertMayRegister = async (db: Db, callerId: string): Promise<void> => {
  const row = await db
    .selectFrom('taken_id')
    .select('blocked_until')
    .where('caller_id', '=', callerId)
    .executeTakeFirst();
  const wait = (row?.blocked_until ?? 0) - Date.now();
  if (wait > 0) throw new AppError('IDS_SLOWED', { seconds: Math.ceil(wait / 1_000) });
};

/** Ids are unique across tenants, so a rejection reveals that another tenant has one: it is counted and audited. */
export const recordTakenIds = (
  db: Db,
  author: Parameters<typeof withAudit>[1],
  { callerId, tenancyId, code, ids }: RejectedIds,
): Promise<void> =>
  withAudit(db, author, async (db) => {
    const now = Date.now();
    const { rows } = await sql<{ refusals: number }>`
      insert into taken_id (caller_id, refusals, refused_at, blocked_until) values (${callerId}, 1, ${now}, 0)
      on conflict (caller_id) do update set refused_at = excluded.refused_at,
        refusals = case when taken_id.refused_at > ${now - MEMORY_MS} then taken_id.refusals + 1 else 1 end
      returning refusals`.execute(db);
    const blocked_until = blockedUntil(Number(rows[0]?.refusals ?? 0), FREE_CALLS + 1, now);
    if (blocked_until > 0)
      await db.updateTable('taken_id').set({ blocked_until }).where('caller_id', '=', callerId).execute();
    const [first = ''] = ids;
    const after = { refused: code, ids: ids.slice(0, IDS_AUDITED), count: ids.length };
    return { result: undefined, audit: { tenancyId, targetId: first, targetName: first, after } };
  });

export const sweepTakenIds = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('taken_id')
    .where('refused_at', '<', Date.now() - MEMORY_MS)
    .execute();
};
