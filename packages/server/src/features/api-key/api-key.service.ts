import {
  type ApiKeyScope,
  type apiKeyCalls,
  type Input,
  issueText,
  type Language,
  mayUse,
  type Output,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../db/errors.ts';
import { readPage } from '../../db/paging.ts';
import { isOtherTenant, type Scope, scopeOf, tenancyForNew } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { lockUsableApplication } from '../../domain/application/applications.ts';
import { PLATFORM, roleNameIn, tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import { isApiKey, newApiKey, requireApiKey, requiredPermissions } from '../../domain/user/api-keys.ts';
import { requireRole } from '../../domain/user/roles.ts';
import { BadInput } from '../../http/parse-input.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import { iso, isoOrNull } from '../../platform/time.ts';
import type { SessionService } from '../session/session.service.ts';

type Calls = typeof apiKeyCalls;
type Deps = { db: Db; sessions: Pick<SessionService, 'grantedMenus' | 'authenticate'> };
type New = Input<Calls['addApiKey']>;

const selectKeys = (db: Db, { tenancyId }: Scope) => {
  const rows = db
    .selectFrom('api_key')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'api_key.tenancy_id')
    .leftJoin('role', 'role.role_id', 'api_key.role_id')
    .leftJoin('application', 'application.application_id', 'api_key.application_id')
    .selectAll('api_key')
    .select(['tenancy.tenancy_name', 'role.role_name', 'role.builtin as role_builtin', 'application.application_name']);
  return tenancyId === null ? rows : rows.where('api_key.tenancy_id', '=', tenancyId);
};

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];

const toAnswer = (language: Language, row: KeyRow): Output<Calls['queryApiKeyList']>['list'][number] => ({
  keyId: row.key_id,
  keyName: row.key_name,
  keyHint: row.key_hint,
  scope: row.scope,
  roleId: row.role_id ?? '',
  roleName: row.role_id === null ? '' : roleNameIn(language, { role_id: row.role_id, role_name: row.role_name ?? '' }),
  applicationId: row.application_id ?? '',
  applicationName: row.application_name ?? '',
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  creator: row.creator,
  createTime: iso(row.created_at),
  expireTime: isoOrNull(row.expires_at),
  expired: row.creator_id === null || (row.expires_at !== null && row.expires_at <= Date.now()) ? 1 : 0,
  lastUsedTime: isoOrNull(row.last_used_at),
  lastUsedIp: row.last_used_ip,
});

const auditOf = (row: { key_id: string; tenancy_id: string; key_name: string }) => ({
  tenancyId: row.tenancy_id,
  targetId: row.key_id,
  targetName: row.key_name,
});

const requireScope = (actor: Actor, tenancyId: string, scope: ApiKeyScope): void => {
  if (scope === 'role') return;
  // Devices of all tenants connect to a zone's broker.
  if (scope === 'broker' && (!actor.platform || tenancyId !== PLATFORM.tenancyId))
    throw new AppError('API_KEY_SCOPE', {}, 'scope');
  if (!requiredPermissions[scope].every((permission) => mayUse(permission, actor.menus)))
    throw new AppError('MENU_NOT_YOURS', {}, 'scope');
};

/** The missing binding of a key of this scope; undefined if it is complete. */
const bindingField = ({ scope, roleId, applicationId }: New): 'roleId' | 'applicationId' | undefined => {
  if (scope === 'role' && !roleId) return 'roleId';
  return scope === 'sync' && !applicationId ? 'applicationId' : undefined;
};

const mapConstraintErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (uniqueViolation(error) === 'api_key.tenancy_id,key_name_key')
      throw new AppError('API_KEY_NAME_TAKEN', {}, 'keyName');
    // The role was deleted between the check and the insert.
    if (isForeignKeyViolation(error)) throw new AppError('ROLE_NOT_FOUND', {}, 'roleId');
    throw error;
  }
};

export const createApiKeys = ({ db, sessions }: Deps) => {
  /** The key's binding by its scope; other bindings in the input are ignored. */
  const boundTo = async (db: Db, actor: Actor, tenancyId: string, input: New) => {
    requireScope(actor, tenancyId, input.scope);
    if (input.scope === 'role') {
      const roleId = input.roleId ?? '';
      await requireRole(db, sessions.grantedMenus, actor, tenancyId, roleId);
      return { role_id: roleId, application_id: null };
    }
    if (input.scope === 'broker') return { role_id: null, application_id: null };
    await lockUsableApplication(db, actor, tenancyId, input.applicationId ?? '');
    return { role_id: null, application_id: input.applicationId ?? '' };
  };

  const actorOf = async (key: string, ip?: string): Promise<Actor> => {
    const row = await requireApiKey(db, key, 'role', ip);
    const roleId = row.role_id ?? '';
    const granted = await sessions.grantedMenus(roleId, row.role_builtin ?? 0);
    const creatorMenus = await sessions.grantedMenus(row.creator_role_id, row.creator_builtin);
    return {
      userId: row.key_id,
      username: `${row.creator} (${row.key_name})`,
      name: row.key_name,
      tenancyId: row.tenancy_id,
      platform: row.tenancy_builtin === 1,
      roleId,
      // Limited to the menus that the creator has now: a key must not exceed its creator's permissions.
      menus: new Set([...granted].filter((menuId) => creatorMenus.has(menuId))),
      sessionId: '',
      firstLogin: false,
      keyId: row.key_id,
    };
  };

  const calls = {
    async queryApiKeyList(
      { actor, language }: Context,
      input: Input<Calls['queryApiKeyList']>,
    ): Promise<Output<Calls['queryApiKeyList']>> {
      let rows = selectKeys(db, scopeOf(actor, input.tenancyId));
      if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('api_key.key_id', '=', '');
      if (input.keyName) rows = rows.where(contains('api_key.key_name_key', input.keyName));
      if (input.scope) rows = rows.where('api_key.scope', '=', input.scope);
      const order = { createdAt: 'api_key.created_at', updatedAt: 'api_key.updated_at', unique: 'api_key.key_id' };
      const page = await readPage(db, { rows, ...order }, input);
      return { ...page, list: page.list.map((row) => toAnswer(language, row)) };
    },

    async addApiKey(context: Context, input: New): Promise<Output<Calls['addApiKey']>> {
      const { actor } = context;
      if (input.expireTime !== undefined && input.expireTime <= Date.now())
        throw new AppError('EXPIRY_PAST', {}, 'expireTime');
      const missing = bindingField(input);
      if (missing)
        throw new BadInput([
          { field: missing, message: issueText({ code: 'custom', message: 'REQUIRED' }, context.language) },
        ]);
      const { key, hash, hint } = newApiKey();
      const keyId = newId();
      const now = Date.now();
      await mapConstraintErrors(
        withAudit(db, context, async (db) => {
          const tenancyId = await tenancyForNew(db, actor, input.tenancyId);
          const bound = await boundTo(db, actor, tenancyId, input);
          const row = {
            key_id: keyId,
            tenancy_id: tenancyId,
            key_name: input.keyName,
            key_name_key: foldCase(input.keyName),
            key_hash: hash,
            key_hint: hint,
            scope: input.scope,
            ...bound,
            creator: actor.username,
            creator_id: actor.userId,
            expires_at: input.expireTime ?? null,
            last_used_ip: '',
            created_at: now,
            updated_at: now,
          };
          await db.insertInto('api_key').values(row).execute();
          const after = {
            keyName: input.keyName,
            scope: input.scope,
            roleId: bound.role_id ?? '',
            applicationId: bound.application_id ?? '',
            expireTime: isoOrNull(row.expires_at),
          };
          return { result: null, audit: { ...auditOf(row), after } };
        }),
      );
      return { keyId, key };
    },

    async revokeApiKey(context: Context, { keyId }: Input<Calls['revokeApiKey']>): Promise<null> {
      return withAudit(db, context, async (db) => {
        const row = await selectKeys(db, scopeOf(context.actor)).where('api_key.key_id', '=', keyId).executeTakeFirst();
        if (!row) throw new AppError('API_KEY_NOT_FOUND', {}, 'keyId');
        await db.deleteFrom('api_key').where('key_id', '=', keyId).execute();
        const before = { keyName: row.key_name, keyHint: row.key_hint, scope: row.scope };
        return { result: null, audit: { ...auditOf(row), before } };
      });
    },
  };

  return {
    calls,
    /** Authenticates a user by session token, or a program by API key. */
    authenticate: (token: string, ip: string): Promise<Actor | null> =>
      isApiKey(token) ? actorOf(token, ip) : sessions.authenticate(token),
    /** The same for a request in progress; it does not count as another use. */
    authenticateAgain: (token: string): Promise<Actor | null> =>
      isApiKey(token) ? actorOf(token) : sessions.authenticate(token, false),
  };
};
