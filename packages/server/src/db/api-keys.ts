import { API_KEY_PREFIX, type ApiKeyScope, mayUse } from '@device-center/contract';
import { AppError } from '../platform/app-error.ts';
import { digest, newToken } from '../platform/ids.ts';
import type { Db } from './connect.ts';
import { isDatabaseUnavailable } from './errors.ts';

/** The last use is written at most this often. */
const TOUCH_MS = 60_000;
const HINT_LENGTH = API_KEY_PREFIX.length + 6;

export const newApiKey = (): { key: string; hash: string; hint: string } => {
  const key = `${API_KEY_PREFIX}${newToken()}`;
  return { key, hash: digest(key), hint: key.slice(0, HINT_LENGTH) };
};

/** A session's token is random and may begin alike, but is shorter. */
export const isApiKey = (token: string): boolean => token.startsWith(API_KEY_PREFIX) && token.length !== newTokenLength;
const newTokenLength = newToken().length;

/** The permissions that the creator of a key must have: the key creates nothing that its creator could not. */
export const neededBy: Record<Exclude<ApiKeyScope, 'role'>, Parameters<typeof mayUse>[0][]> = {
  sync: ['product:write', 'device:write'],
  broker: ['zone:write'],
};

const selectKey = (db: Db, key: string) =>
  db
    .selectFrom('api_key')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'api_key.tenancy_id')
    .innerJoin('user_account as maker', 'maker.user_id', 'api_key.creator_id')
    .innerJoin('role as maker_role', 'maker_role.role_id', 'maker.role_id')
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
      'maker.role_id as maker_role_id',
      'maker_role.builtin as maker_builtin',
      'application.deleting as application_deleting',
      'tenancy.builtin as tenancy_builtin',
    ])
    .where('api_key.key_hash', '=', digest(key))
    .where('tenancy.enabled', '=', 1)
    .executeTakeFirst();

export type ApiKeyRow = NonNullable<Awaited<ReturnType<typeof selectKey>>>;

const touch = async (db: Db, row: ApiKeyRow, ip: string, now: number): Promise<void> => {
  if (row.last_used_at !== null && now - row.last_used_at < TOUCH_MS) return;
  const noted = db.updateTable('api_key').set({ last_used_at: now, last_used_ip: ip }).where('key_id', '=', row.key_id);
  await noted.execute().catch((error: unknown) => {
    // Whoever only reads goes on also where nothing can be written.
    if (!isDatabaseUnavailable(error)) throw error;
  });
};

/** Whether the one who made the key may do so now; the built-in role may do everything. */
const mayMaker = async (db: Db, row: ApiKeyRow, scope: Exclude<ApiKeyScope, 'role'>): Promise<boolean> => {
  if (row.maker_builtin === 1) return true;
  const granted = db.selectFrom('role_menu').select('menu_id').where('role_id', '=', row.maker_role_id);
  const menus = new Set((await granted.execute()).map(({ menu_id }) => menu_id));
  return neededBy[scope].every((permission) => mayUse(permission, menus));
};

/**
 * A key by the rows of now: revoking one, closing its tenant or deleting who made it takes effect at once and on every hub. Without an
 * address nothing is noted as its use.
 */
export const requireApiKey = async (db: Db, key: string, scope: ApiKeyScope, ip?: string): Promise<ApiKeyRow> => {
  const now = Date.now();
  const row = isApiKey(key) ? await selectKey(db, key) : undefined;
  if (!row || (row.expires_at !== null && row.expires_at <= now) || row.application_deleting === 1)
    throw new AppError('API_KEY_INVALID');
  if (row.scope !== scope || (scope !== 'role' && !(await mayMaker(db, row, scope))))
    throw new AppError('API_KEY_SCOPE');
  if (ip !== undefined) await touch(db, row, ip, now);
  return row;
};
