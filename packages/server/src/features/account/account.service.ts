import {
  type accountCalls,
  CodePurpose,
  containsAccount,
  type ErrorCode,
  type Input,
  type Output,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import { PLATFORM } from '../../domain/tenant/platform-ids.ts';
import { chargeRecoveryText, chargeText } from '../../domain/tenant/quotas.ts';
import { findProfile } from '../../domain/user/profile.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { hashPassword, verifyPassword } from '../../platform/passwords.ts';
import { iso } from '../../platform/time.ts';
import type { CodeService } from '../code/code.service.ts';
import type { MenuCatalog } from '../role/menu-catalog.ts';
import type { SessionService } from '../session/session.service.ts';
import type { LoginThrottle } from './login-throttle.ts';

type AccountDeps = {
  db: Db;
  codes: Pick<CodeService, 'send' | 'check' | 'useUp'>;
  menus: Pick<MenuCatalog, 'withParents'>;
  sessions: Pick<SessionService, 'start' | 'grantedMenus' | 'endOfUser'>;
  throttle: LoginThrottle;
};

const REVEALS_SHOWN = 20;
/** Codes for addresses without an account are counted too; otherwise the response time would reveal them. */
const UNKNOWN = { tenancyId: PLATFORM.tenancyId, userId: 'unknown' };

type Caller = Context<Actor | null>;
type Channel = 'mail' | 'sms';

const column = { mail: 'email_key', sms: 'phone' } as const;
const unbound: Record<Channel, ErrorCode> = { mail: 'EMAIL_UNBOUND', sms: 'PHONE_UNBOUND' };

export const createAccountService = ({ db, codes, menus, sessions, throttle }: AccountDeps) => {
  const findByAddress = (channel: Channel, address: string) =>
    db
      .selectFrom('user_account')
      .select(['user_id', 'username', 'tenancy_id'])
      .where(column[channel], '=', foldCase(address))
      .executeTakeFirst();

  /** Codes that confirm an action of the user are sent to the user's bound address only. */
  const requireOwnAddress = async (actor: Actor, channel: Channel, address: string): Promise<void> => {
    const own = await db
      .selectFrom('user_account')
      .select(column[channel])
      .where('user_id', '=', actor.userId)
      .executeTakeFirst();
    const bound = own && Object.values(own)[0];
    if (!bound) throw new AppError(unbound[channel]);
    if (bound !== foldCase(address))
      throw new AppError('ADDRESS_NOT_YOURS', {}, channel === 'mail' ? 'email' : 'phone');
  };

  const sendCode = async (context: Caller, channel: Channel, address: string, purpose: CodePurpose): Promise<null> => {
    const { actor, language } = context;
    if (purpose === CodePurpose.recover) {
      const known = await findByAddress(channel, address);
      const quotaOwner = known ? { tenancyId: known.tenancy_id, userId: known.user_id } : UNKNOWN;
      await codes.send({ purpose, address, asker: '' }, channel, language, async (db) => {
        const isKnown = await throttle.isKnownAt(db, { userId: known?.user_id }, context.ip);
        const hasQuota = await chargeRecoveryText(db, quotaOwner, isKnown);
        return hasQuota && known !== undefined;
      });
      return null;
    }
    if (!actor) throw new AppError('TOKEN_INVALID');
    if (actor.firstLogin) throw new AppError('FIRST_LOGIN');
    if (purpose !== CodePurpose.bind) await requireOwnAddress(actor, channel, address);
    await codes.send({ purpose, address, asker: actor.userId }, channel, language, async (db) => {
      await chargeText(db, actor);
      return true;
    });
    return null;
  };

  const revealsSince = async (userId: string, time: number) => {
    const rows = await db
      .selectFrom('outbox_reveal')
      .selectAll()
      .where('user_id', '=', userId)
      .where('revealed_at', '>', time)
      .orderBy('revealed_at', 'desc')
      .orderBy('reveal_id', 'desc')
      .limit(REVEALS_SHOWN)
      .execute();
    return rows.map((row) => ({ subject: row.subject, revealedBy: row.revealed_by, time: iso(row.revealed_at) }));
  };

  return {
    async login(context: Caller, input: Input<typeof accountCalls.login>): Promise<Output<typeof accountCalls.login>> {
      const found = await db
        .selectFrom('user_account as u')
        .innerJoin('tenancy', 'tenancy.tenancy_id', 'u.tenancy_id')
        .select(['u.user_id', 'u.username', 'u.tenancy_id', 'u.password_hash', 'u.last_login_at', 'tenancy.enabled'])
        .where('u.username_key', '=', foldCase(input.username))
        .executeTakeFirst();
      const claim = { name: input.username, userId: found?.user_id };
      await throttle.begin(claim, context.ip);
      const matches = await verifyPassword(found?.password_hash, input.password);
      if (!found || !matches) throw new AppError('LOGIN_FAILED', {}, 'password');
      // Checked after the password: other callers must not learn that the tenant is disabled.
      if (found.enabled !== 1) throw new AppError('TENANCY_CLOSED');

      const actor = { userId: found.user_id, username: found.username };
      const token = await withAudit(db, { ...context, actor }, async (db) => {
        await throttle.succeeded(db, claim, context.ip);
        await throttle.remember(db, found.user_id, context.ip);
        await db
          .updateTable('user_account')
          .set({ last_login_at: Date.now() })
          .where('user_id', '=', found.user_id)
          .execute();
        const token = await sessions.start(db, found.user_id, context);
        const audit = { tenancyId: found.tenancy_id, targetId: found.user_id, targetName: found.username };
        return { result: token, audit };
      });
      const { row, answer } = await findProfile(db, found.user_id, context.language);
      const granted = await sessions.grantedMenus(row.role_id, row.role_builtin);
      const reveals = await revealsSince(found.user_id, found.last_login_at ?? 0);
      return { token, ...answer, menus: menus.withParents(granted), reveals };
    },

    async retrievePassword(context: Caller, input: Input<typeof accountCalls.retrievePassword>): Promise<null> {
      const channel: Channel = input.email === undefined ? 'sms' : 'mail';
      const address = input.email ?? input.phone ?? '';
      const key = { purpose: CodePurpose.recover, address, asker: '' };
      const passwordHash = await hashPassword(input.password);
      const user = await findByAddress(channel, address);
      const claim = { name: address, userId: user?.user_id };
      await throttle.beginRecovery(claim, context.ip);
      await codes.check(key, input.code, context.ip);
      if (!user) throw new AppError('CODE_WRONG', {}, 'code');
      if (containsAccount(input.password, user.username))
        throw new AppError('PASSWORD_CONTAINS_ACCOUNT', {}, 'password');
      const actor = { userId: user.user_id, username: user.username };
      return withAudit(db, { ...context, actor }, async (db) => {
        await codes.useUp(db, key, input.code);
        await db
          .updateTable('user_account')
          .set({ password_hash: passwordHash, must_change_password: 0, updated_at: Date.now() })
          .where('user_id', '=', user.user_id)
          .execute();
        await sessions.endOfUser(db, user.user_id);
        await throttle.endRecovery(db, claim, context.ip);
        await throttle.recovered(db, { name: user.username, userId: user.user_id }, context.ip);
        const audit = { tenancyId: user.tenancy_id, targetId: user.user_id, targetName: user.username };
        return { result: null, audit };
      });
    },

    getVerificationCode: (context: Caller, input: Input<typeof accountCalls.getVerificationCode>) =>
      sendCode(context, 'mail', input.email, input.type),

    getPhoneCode: (context: Caller, input: Input<typeof accountCalls.getPhoneCode>) =>
      sendCode(context, 'sms', input.phone, input.type),
  };
};

export type AccountService = ReturnType<typeof createAccountService>;
