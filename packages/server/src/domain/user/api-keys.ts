import { API_KEY_PREFIX, type ApiKeyScope, mayUse } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import { AppError } from '../../platform/app-error.ts';
import { digest, newToken } from '../../platform/ids.ts';

/** The last use is written at most this often. */
const TOUCH_MS = 60_000;
const HINT_LENGTH = API_KEY_PREFIX.length + 6;

export const newApiKey = (): { key: string; hash: string; hint: string } => {
  const key = `${API_KEY_PREFIX}${newToken()}`;
  return { key, hash: digest(key), hint: key.slice(0, HINT_LENGTH) };
};

/** A session token may start with the same characters by chance, but has another length. */
export const isApiKey = (token: string): boolean => token.startsWith(API_KEY_PREFIX) && token.length !== newTokenLength;
const newTokenLength = newToken().length;

/** Permissions that the creator of a key must have, so that a key cannot do more than its creator. */
export const requiredPermissions: Record<Exclude<ApiKeyScope, 'role'>, Parameters<typeof mayUse>[0][]> = {
  sync: ['product:write', 'device:write'],
  broker: ['zone:write'],
};

const selectKey = (db: Db, key: string) =>
  db
    .selectFrom('api_key')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'api_key.tenancy_id')
    .innerJoin('user_account as key_creator', 'key_creator.user_id', 'api_key.creator_id')
    .innerJoin('role as creator_role', 'creator_role.role_id', 'key_creator.role_id')
    .leftJoin('role', 'role.role_id', 'api_key.role_id')
    .leftJoin('application', 'application.application_id', 'api_key.application_id')
    .select([
      'api_key.key_id',
      'api_key.key_name',
      'api_key.creator',
      'api_key.scope',
      'api_key.tenancy_id',
      'api_key.role_id',
      'api_key.application_id',
      'api_key.expires_at',
      'api_key.last_used_at',
      'role.builtin as role_builtin',
      'key_creator.role_id as creator_role_id',
      'creator_role.builtin as creator_builtin',
      'application.deleting as application_deleting',
      'tenancy.builtin as tenancy_builtin',
    ])
    .where('api_key.key_hash', '=', digest(key))
    .where('tenancy.enabled', '=', 1)
    .executeTakeFirst();

export type ApiKeyRow = NonNullable<Awaited<ReturnType<typeof selectKey>>>;

const touch = async (db: Db, row: ApiKeyRow, ip: string, now: number): Promise<void> => {
  if (row.last_used_at !== null && now - row.last_used_at < TOUCH_MS) return;
  const update = db
    .updateTable('api_key')
    .set({ last_used_at: now, last_used_ip: ip })
    .where('key_id', '=', row.key_id);
  await update.execute().catch((error: unknown) => {
    // A read request succeeds even while the database accepts no writes.
    if (!isDatabaseUnavailable(error)) throw error;
  });
};

/** Whether the creator of the key still has the permissions; the built-in role has all. */
const creatorMayUse = async (db: Db, row: ApiKeyRow, scope: Exclude<ApiKeyScope, 'role'>): Promise<boolean> => {
  if (row.creator_builtin === 1) return true;
  const granted = db.selectFrom('role_menu').select('menu_id').where('role_id', '=', row.creator_role_id);
  const menus = new Set((await granted.execute()).map(({ menu_id }) => menu_id));
  return requiredPermissions[scope].every((permission) => mayUse(permission, menus));
};

/**
 * Reads the key's rows for each request: revoking it, disabling its tenant or deleting its creator takes effect at once
 * on every hub. Without `ip` the use is not recorded.
 */
export const requireApiKey = async (db: Db, key: string, scope: ApiKeyScope, ip?: string): Promise<ApiKeyRow> => {
  const now = Date.now();
  const row = isApiKey(key) ? await selectKey(db, key) : undefined;
  if (!row || (row.expires_at !== null && row.expires_at <= now) || row.application_deleting === 1)
    throw new AppError('API_KEY_INVALID');
  if (row.scope !== scope || (scope !== 'role' && !(await creatorMayUse(db, row, scope))))
    throw new AppError('API_KEY_SCOPE');
  if (ip !== undefined) await touch(db, row, ip, now);
  return row;
};
