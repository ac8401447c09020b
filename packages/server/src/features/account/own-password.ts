import type { ErrorCode } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { verifyPassword } from '../../platform/passwords.ts';
import type { LoginThrottle } from './login-throttle.ts';

type OwnPasswordDeps = { db: Db; throttle: Pick<LoginThrottle, 'begin' | 'succeeded'> };
type Wrong = { code: ErrorCode; field: string };

/** Verifies the user's own password. Failures count as failed logins, so a stolen session cannot be used to guess it. */
export const createOwnPassword = ({ db, throttle }: OwnPasswordDeps) => ({
  async require({ actor, ip }: Pick<Context, 'actor' | 'ip'>, password: string, wrong: Wrong): Promise<void> {
    const claim = { name: actor.username, userId: actor.userId };
    await throttle.begin(claim, ip);
    const row = await db
      .selectFrom('user_account')
      .select('password_hash')
      .where('user_id', '=', actor.userId)
      .executeTakeFirst();
    if (!(await verifyPassword(row?.password_hash, password))) throw new AppError(wrong.code, {}, wrong.field);
    await transact(db, (db) => throttle.succeeded(db, claim, ip));
  },
});

export type OwnPassword = ReturnType<typeof createOwnPassword>;
