import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { AppError } from '../../platform/app-error.ts';
import { callerNetwork } from '../../platform/caller-network.ts';
import { blockedUntil } from '../../platform/doubling-delay.ts';
import { foldCase } from '../../platform/fold-case.ts';

/** `hourly`: the count restarts an hour after the first failure, not after the last. */
type Limit = { key: string; free: number; hourly?: true };

/** The account name of a login attempt, and the user who has it, if any. */
export type Claim = { name: string; userId: string | undefined };

const HOUR_MS = 3_600_000;
/** Failures older than this are forgotten. */
const FAILURE_TTL_MS = HOUR_MS;
/** An account that has logged in from an address within this time cannot be slowed down there by others. */
const KNOWN_NETWORK_MS = 30 * 24 * HOUR_MS;

// Many people may share an address, and many addresses may guess at one account.
const FREE_PER_PAIR = 5;
const FREE_PER_ADDRESS = 50;
const FREE_PER_ACCOUNT = 100;

const ofPair = ({ name }: Claim, network: string): Limit => ({
  key: `pair:${network} ${foldCase(name)}`,
  free: FREE_PER_PAIR,
});
const ofAddress = (network: string): Limit => ({ key: `address:${network}`, free: FREE_PER_ADDRESS });
const ofAccount = (what: 'account' | 'recovery', { name }: Claim): Limit => ({
  key: `${what}:${foldCase(name)}`,
  free: FREE_PER_ACCOUNT,
  hourly: true,
});

/**
 * Delays logins after failures, doubling each time: per account and address, per address, and per account alone only
 * if the account is unknown at the address. Otherwise an attacker could lock out the owner.
 */
export const createLoginThrottle = ({ db }: { db: Db }) => {
  const count = async (db: Db, { key, free, hourly }: Limit): Promise<void> => {
    // Changes nothing, but locks the row, so that concurrent guesses are counted one after the other.
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
    // Read after the lock: an earlier time could precede a failure counted while waiting for it.
    const now = Date.now();
    if (row.blocked_until > now)
      throw new AppError('LOGIN_THROTTLED', { seconds: Math.ceil((row.blocked_until - now) / 1_000) });
    const hasRecentFailure = row.failures > 0 && row.last_failed_at > now - FAILURE_TTL_MS;
    const failures = hasRecentFailure ? row.failures + 1 : 1;
    const last_failed_at = hasRecentFailure && hourly ? row.last_failed_at : now;
    await db
      .updateTable('login_attempt')
      .set({ failures, last_failed_at, blocked_until: blockedUntil(failures, free, now) })
      .where('attempt_key', '=', key)
      .execute();
  };

  const forget = async (db: Db, { key }: Limit): Promise<void> => {
    await db.deleteFrom('login_attempt').where('attempt_key', '=', key).execute();
  };

  const undoFailure = async (db: Db, { key }: Limit): Promise<void> => {
    await db
      .updateTable('login_attempt')
      .set((row) => ({ failures: row('failures', '-', 1), blocked_until: 0 }))
      .where('attempt_key', '=', key)
      .where('failures', '>', 0)
      .execute();
  };

  const isKnownAt = async (db: Db, { userId }: Pick<Claim, 'userId'>, network: string): Promise<boolean> => {
    const row = await db
      .selectFrom('login_network')
      .select('network')
      .where('user_id', '=', userId ?? '')
      .where('network', '=', network)
      .where('last_login_at', '>', Date.now() - KNOWN_NETWORK_MS)
      .executeTakeFirst();
    return row !== undefined;
  };

  /** Counts the attempt as failed before the password is verified, so that concurrent attempts gain nothing. */
  const countAll = (limits: Limit[], ofAccount: Limit, claim: Claim, network: string): Promise<void> =>
    transact(db, async (db) => {
      for (const limit of limits) await count(db, limit);
      if (!(await isKnownAt(db, claim, network))) await count(db, ofAccount);
    });

  return {
    /** Whether the account has logged in at this address within the last 30 days. */
    isKnownAt: (db: Db, claim: Pick<Claim, 'userId'>, ip: string): Promise<boolean> =>
      isKnownAt(db, claim, callerNetwork(ip)),

    async begin(claim: Claim, ip: string): Promise<void> {
      const network = callerNetwork(ip);
      await countAll([ofPair(claim, network), ofAddress(network)], ofAccount('account', claim), claim, network);
    },

    /** For tries of a recovery code. Tries per code and address are limited separately. */
    async beginRecovery(claim: Claim, ip: string): Promise<void> {
      const network = callerNetwork(ip);
      await countAll([ofAddress(network)], ofAccount('recovery', claim), claim, network);
    },

    async succeeded(db: Db, claim: Claim, ip: string): Promise<void> {
      const network = callerNetwork(ip);
      await forget(db, ofPair(claim, network));
      await undoFailure(db, ofAddress(network));
      await undoFailure(db, ofAccount('account', claim));
    },

    async endRecovery(db: Db, claim: Claim, ip: string): Promise<void> {
      await undoFailure(db, ofAddress(callerNetwork(ip)));
      await undoFailure(db, ofAccount('recovery', claim));
    },

    /** A user who has proven ownership of the address is no longer delayed by failures of others. */
    async recovered(db: Db, account: Claim, ip: string): Promise<void> {
      await forget(db, ofPair(account, callerNetwork(ip)));
      await forget(db, ofAccount('account', account));
    },

    async remember(db: Db, userId: string, ip: string): Promise<void> {
      const last_login_at = Date.now();
      await db
        .insertInto('login_network')
        .values({ user_id: userId, network: callerNetwork(ip), last_login_at })
        .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ last_login_at }))
        .execute();
    },

    async sweep(): Promise<void> {
      const now = Date.now();
      await db
        .deleteFrom('login_attempt')
        .where('last_failed_at', '<', now - FAILURE_TTL_MS)
        .execute();
      await db
        .deleteFrom('login_network')
        .where('last_login_at', '<', now - KNOWN_NETWORK_MS)
        .execute();
    },
  };
};

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;
