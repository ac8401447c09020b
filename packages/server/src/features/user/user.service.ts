import type { Input, Language, Output, userCalls } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../db/errors.ts';
import { readPage } from '../../db/paging.ts';
import { isOtherTenant, type Scope, scopeOf, tenancyForNew } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { assertMayRegister, recordTakenIds } from '../../domain/device/taken-ids.ts';
import { roleNameIn, tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import { requireNoMoreRights, requireRole } from '../../domain/user/roles.ts';
import { ensureAdministratorRemains, removeUsers } from '../../domain/user/users.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId, newPassword } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { iso, isoOrNull } from '../../platform/time.ts';
import type { Message } from '../outbox/messages.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';
import type { SessionService } from '../session/session.service.ts';

type UserDeps = {
  db: Db;
  outbox: Pick<OutboxService, 'post' | 'delivers'>;
  sessions: Pick<SessionService, 'endOfUser' | 'grantedMenus'>;
  passwordMessage: (
    language: Language,
    occasion: 'created' | 'reset',
    credentials: { username: string; password: string; url: string },
  ) => Message;
  publicUrl: () => string;
};

type Calls = typeof userCalls;

const selectUsers = (db: Db, { tenancyId }: Scope) => {
  const rows = db
    .selectFrom('user_account as u')
    .innerJoin('role', 'role.role_id', 'u.role_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'u.tenancy_id')
    .select([
      'u.user_id',
      'u.username',
      'u.name',
      'u.email',
      'u.phone',
      'u.role_id',
      'role.role_name',
      'role.builtin as role_builtin',
      'u.tenancy_id',
      'tenancy.tenancy_name',
      'u.last_login_at',
      'u.created_at',
      'u.updated_at',
    ]);
  return tenancyId === null ? rows : rows.where('u.tenancy_id', '=', tenancyId);
};

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number];

const toAnswer = (language: Language, row: UserRow): Output<Calls['getUserDetails']> => ({
  userId: row.user_id,
  username: row.username,
  name: row.name,
  email: row.email ?? '',
  phone: row.phone ?? '',
  roleId: row.role_id,
  roleName: roleNameIn(language, row),
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  lastLoginTime: isoOrNull(row.last_login_at),
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

const CONFLICTS = new Map([
  ['user_account.username_key', () => new AppError('USERNAME_TAKEN', {}, 'username')],
  ['user_account.email_key', () => new AppError('EMAIL_TAKEN', {}, 'email')],
  ['user_account.phone', () => new AppError('PHONE_TAKEN', {}, 'phone')],
]);

/** The role was deleted between the check and the write. */
const mapMissingRole = (error: unknown): unknown =>
  isForeignKeyViolation(error) ? new AppError('ROLE_NOT_FOUND', {}, 'roleId') : error;

const fieldsOf = (row: UserRow) => ({ username: row.username, name: row.name, email: row.email, roleId: row.role_id });

const auditOf = (row: UserRow) => ({ tenancyId: row.tenancy_id, targetId: row.user_id, targetName: row.username });

export const createUserService = ({ db, outbox, sessions, passwordMessage, publicUrl }: UserDeps) => {
  const find = async (db: Db, actor: Actor, userId: string): Promise<UserRow> => {
    const row = await selectUsers(db, scopeOf(actor)).where('u.user_id', '=', userId).executeTakeFirst();
    if (!row) throw new AppError('USER_NOT_FOUND', {}, 'userId');
    return row;
  };

  const requireNoMoreRightsThan = (db: Db, actor: Actor, rows: UserRow[], field: string): Promise<void> =>
    requireNoMoreRights(db, sessions.grantedMenus, actor, rows, field);

  /** Records conflicts with other tenants' users. Platform operators see all tenants, so a conflict reveals nothing. */
  const recordForeign = async (context: Context, input: Input<Calls['addUser']>, taken: AppError): Promise<void> => {
    const { platform, userId: callerId, tenancyId } = context.actor;
    if (platform) return;
    const { username, email, phone = '' } = input;
    const value = { USERNAME_TAKEN: username, EMAIL_TAKEN: email, PHONE_TAKEN: phone }[taken.code as string] ?? '';
    const own = await db
      .selectFrom('user_account')
      .select('user_id')
      .where('tenancy_id', '=', tenancyId)
      .where((row) =>
        row.or([
          row('username_key', '=', foldCase(value)),
          row('email_key', '=', foldCase(value)),
          row('phone', '=', value),
        ]),
      )
      .executeTakeFirst();
    if (!own) await recordTakenIds(db, context, { callerId, tenancyId, code: taken.code, ids: [value] });
  };

  const mailPassword = (
    db: Db,
    context: Context,
    occasion: 'created' | 'reset',
    to: { username: string; email: string; password: string },
  ) =>
    outbox.post(db, {
      channel: 'mail',
      recipient: to.email,
      message: passwordMessage(context.language, occasion, {
        username: to.username,
        password: to.password,
        url: publicUrl(),
      }),
    });

  /** Returned only where no mail is delivered, and never to an API key. */
  const passwordAnswer = ({ actor }: Context, password: string): { password: string } | null =>
    outbox.delivers('mail') || actor.keyId !== '' ? null : { password };

  return {
    async queryUserList(
      { actor, language }: Context,
      input: Input<Calls['queryUserList']>,
    ): Promise<Output<Calls['queryUserList']>> {
      let rows = selectUsers(db, scopeOf(actor, input.tenancyId));
      if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('u.user_id', '=', '');
      if (input.name) rows = rows.where(contains('u.name_key', input.name));
      if (input.username) rows = rows.where(contains('u.username_key', input.username));
      if (input.phone) rows = rows.where(contains('u.phone', input.phone));
      if (input.roleId) rows = rows.where('u.role_id', '=', input.roleId);
      const page = await readPage(
        db,
        { rows, createdAt: 'u.created_at', updatedAt: 'u.updated_at', unique: 'u.user_id' },
        input,
      );
      return { ...page, list: page.list.map((row) => toAnswer(language, row)) };
    },

    async getUserDetails({ actor, language }: Context, { userId }: Input<Calls['getUserDetails']>) {
      return toAnswer(language, await find(db, actor, userId));
    },

    async addUser(context: Context, input: Input<Calls['addUser']>) {
      const { actor } = context;
      const userId = newId();
      const now = Date.now();
      const password = newPassword();
      const passwordHash = await hashPassword(password);
      if (!actor.platform) await assertMayRegister(db, actor.userId);
      try {
        return await withAudit(db, context, async (db) => {
          const tenancyId = await tenancyForNew(db, actor, input.tenancyId);
          await requireRole(db, sessions.grantedMenus, actor, tenancyId, input.roleId);
          await db
            .insertInto('user_account')
            .values({
              user_id: userId,
              tenancy_id: tenancyId,
              role_id: input.roleId,
              username: input.username,
              username_key: foldCase(input.username),
              name: input.name,
              name_key: foldCase(input.name),
              email: input.email,
              email_key: foldCase(input.email),
              phone: input.phone ?? null,
              password_hash: passwordHash,
              must_change_password: 1,
              preferences: '{}',
              created_at: now,
              updated_at: now,
            })
            .execute();
          await mailPassword(db, context, 'created', { ...input, password });
          const { username, name, email, phone, roleId } = input;
          const after = { username, name, email, phone, roleId };
          return {
            result: { userId, ...passwordAnswer(context, password) },
            audit: { tenancyId, targetId: userId, targetName: username, after },
          };
        });
      } catch (error) {
        const taken = CONFLICTS.get(uniqueViolation(error) ?? '')?.();
        if (taken) await recordForeign(context, input, taken);
        throw taken ?? mapMissingRole(error);
      }
    },

    async setUserRole(context: Context, { userId, roleId }: Input<Calls['setUserRole']>): Promise<null> {
      const { actor } = context;
      return withAudit(db, context, async (db) => {
        const row = await find(db, actor, userId);
        await requireNoMoreRightsThan(db, actor, [row], 'userId');
        await requireRole(db, sessions.grantedMenus, actor, row.tenancy_id, roleId);
        const assignRole = async (): Promise<void> => {
          await db
            .updateTable('user_account')
            .set({ role_id: roleId, updated_at: Date.now() })
            .where('user_id', '=', userId)
            .execute();
        };
        await ensureAdministratorRemains(db, assignRole, 'roleId');
        if (row.role_id !== roleId) await sessions.endOfUser(db, userId);
        return { result: null, audit: { ...auditOf(row), before: { roleId: row.role_id }, after: { roleId } } };
      }).catch((error: unknown) => {
        throw mapMissingRole(error);
      });
    },

    async deleteUsers(context: Context, input: Input<Calls['deleteUsers']>) {
      const { actor } = context;
      const userIds = [...new Set(input.userIds)].sort();
      if (userIds.includes(actor.userId)) throw new AppError('DELETE_SELF', {}, 'userIds');
      return withAudit(db, context, async (db) => {
        const rows = await selectUsers(db, scopeOf(actor)).where('u.user_id', 'in', userIds).execute();
        if (rows.length !== userIds.length) throw new AppError('USER_NOT_FOUND', {}, 'userIds');
        await requireNoMoreRightsThan(db, actor, rows, 'userIds');
        await removeUsers(db, userIds);
        return {
          result: { deleted: rows.length },
          audit: rows.map((row) => ({ ...auditOf(row), before: fieldsOf(row) })),
        };
      });
    },

    async resetPassword(
      context: Context,
      { userId }: Input<Calls['resetPassword']>,
    ): Promise<Output<Calls['resetPassword']>> {
      const { actor } = context;
      const password = newPassword();
      const passwordHash = await hashPassword(password);
      return withAudit(db, context, async (db) => {
        const row = await find(db, actor, userId);
        await requireNoMoreRightsThan(db, actor, [row], 'userId');
        if (!row.email) throw new AppError('EMAIL_UNBOUND');
        await db
          .updateTable('user_account')
          .set({ password_hash: passwordHash, must_change_password: 1, updated_at: Date.now() })
          .where('user_id', '=', userId)
          .execute();
        await sessions.endOfUser(db, userId);
        await mailPassword(db, context, 'reset', { username: row.username, email: row.email, password });
        return { result: passwordAnswer(context, password), audit: auditOf(row) };
      });
    },
  };
};

export type UserService = ReturnType<typeof createUserService>;
