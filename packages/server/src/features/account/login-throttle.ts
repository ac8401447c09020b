import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/faults.ts';
import { AppError } from '../../platform/app-error.ts';
import { fold } from '../../platform/fold.ts';

type Limit = { key: string; free: number };

const DELAY_FIRST_MS = 1_000;
const DELAY_MAX_MS = 300_000;
/** Failures older than this are forgotten. */
const MEMORY_MS = 3_600_000;

// Many people may share an address; an account is one person's.
const FREE_PER_ACCOUNT = 5;
const FREE_PER_ADDRESS = 50;

const blockedUntil = (failures: number, free: number, now: number): number =>
  failures < free ? 0 : now + Math.min(DELAY_FIRST_MS * 2 ** (failures - free), DELAY_MAX_MS);

/** Slows failed log-ins down, doubling, per account (known or not) and per address. */
export const createLoginThrottle = ({ db }: { db: Db }) => {
  const ofAccount = (username: string): Limit => ({ key: `account:${fold(username)}`, free: FREE_PER_ACCOUNT });
  const ofAddress = (ip: string): Limit => ({ key: `address:${ip}`, free: FREE_PER_ADDRESS });

  const count = async (db: Db, { key, free }: Limit): Promise<void> => {
    // Changes nothing but holds the row, so that of many guesses at once each sees the one before.
    await db
      .insertInto('login_attempt')
      .values({ attempt_key: key, failures: 0, last_failed_at: Date.now(), blocked_until: 0 })
      .onConflict((conflict) => conflict.column('attempt_key').doUpdateSet({ attempt_key: key }))
      .execute();
    const row = await db
      .selectFrom('login_attempt')
      .selectAll()
      .where('attempt_key', '=', key)
      .executeTakeFirstOrThrow();
    // Only now: with the time of before the wait for the row, another's log-in of just now would lie ahead.
    const now = Date.now();
    if (row.blocked_until > now)
      throw new AppError('LOGIN_SLOWED', { seconds: Math.ceil((row.blocked_until - now) / 1_000) });
    const failures = row.last_failed_at > now - MEMORY_MS ? row.failures + 1 : 1;
    await db
      .updateTable('login_attempt')
      .set({ failures, last_failed_at: now, blocked_until: blockedUntil(failures, free, now) })
      .where('attempt_key', '=', key)
      .execute();
  };

  return {
    /** Counts the try as failed before the password is looked at, so that many at once gain nothing. */
    async begin(username: string, ip: string): Promise<void> {
      await transact(db, async (db) => {
        for (const limit of [ofAccount(username), ofAddress(ip)]) await count(db, limit);
      });
    },

    async succeeded(db: Db, username: string, ip: string): Promise<void> {
      await db.deleteFrom('login_attempt').where('attempt_key', '=', ofAccount(username).key).execute();
      await db
        .updateTable('login_attempt')
        .set((row) => ({ failures: row('failures', '-', 1), blocked_until: 0 }))
        .where('attempt_key', '=', ofAddress(ip).key)
        .where('failures', '>', 0)
        .execute();
    },

    async sweep(): Promise<void> {
      await db
        .deleteFrom('login_attempt')
        .where('last_failed_at', '<', Date.now() - MEMORY_MS)
        .execute();
    },
  };
};

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;
