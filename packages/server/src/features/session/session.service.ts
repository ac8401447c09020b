import type { Db } from '../../db/connect.ts';
import { isDatabaseUnavailable } from '../../db/errors.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { digest, newId, newToken } from '../../platform/ids.ts';
import type { MenuCatalog } from '../role/menu-catalog.ts';

type SessionDeps = {
  db: Db;
  menus: Pick<MenuCatalog, 'allLeaves'>;
  settings: { SESSION_IDLE: number; SESSION_LIFE: number };
};

/** A session's last use is written at most this often. */
const TOUCH_MS = 60_000;

/** User sessions are rows that every request reads, so ending one takes effect immediately on every hub. */
export const createSessionService = ({ db, menus, settings }: SessionDeps) => {
  const { SESSION_IDLE, SESSION_LIFE } = settings;
  const touchAfter = Math.min(TOUCH_MS, SESSION_IDLE / 4);

  const oldest = (now: number) => ({ createdAfter: now - SESSION_LIFE, usedAfter: now - SESSION_IDLE });

  const grantedMenus = async (roleId: string, builtin: number, connection: Db = db): Promise<Set<number>> => {
    if (builtin === 1) return new Set(menus.allLeaves());
    const rows = await connection.selectFrom('role_menu').select('menu_id').where('role_id', '=', roleId).execute();
    return new Set(rows.map((row) => row.menu_id));
  };

  const touch = async (sessionId: string, now: number): Promise<void> => {
    try {
      await db.updateTable('session').set({ last_used_at: now }).where('session_id', '=', sessionId).execute();
    } catch (error) {
      // Read requests continue while the database is not writable; a later request updates the time.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  };

  return {
    grantedMenus,

    /** With `noteUse` false the request does not count as activity. */
    async authenticate(token: string, noteUse = true): Promise<Actor | null> {
      const now = Date.now();
      const { createdAfter, usedAfter } = oldest(now);
      const row = await db
        .selectFrom('session')
        .innerJoin('user_account as u', 'u.user_id', 'session.user_id')
        .innerJoin('role', 'role.role_id', 'u.role_id')
        .innerJoin('tenancy', 'tenancy.tenancy_id', 'u.tenancy_id')
        .select([
          'session.session_id',
          'session.last_used_at',
          'u.user_id',
          'u.username',
          'u.name',
          'u.tenancy_id',
          'u.role_id',
          'u.must_change_password',
          'role.builtin as role_builtin',
          'tenancy.builtin as tenancy_builtin',
        ])
        .where('session.token_hash', '=', digest(token))
        .where('session.created_at', '>', createdAfter)
        .where('session.last_used_at', '>', usedAfter)
        .where('tenancy.enabled', '=', 1)
        .executeTakeFirst();
      if (!row) return null;
      if (noteUse && now - row.last_used_at > touchAfter) await touch(row.session_id, now);
      return {
        userId: row.user_id,
        username: row.username,
        name: row.name,
        tenancyId: row.tenancy_id,
        platform: row.tenancy_builtin === 1,
        roleId: row.role_id,
        menus: await grantedMenus(row.role_id, row.role_builtin),
        sessionId: row.session_id,
        firstLogin: row.must_change_password === 1,
        keyId: '',
      };
    },

    async start(db: Db, userId: string, from: Pick<Context<null>, 'ip' | 'userAgent'>): Promise<string> {
      const token = newToken();
      const now = Date.now();
      await db
        .insertInto('session')
        .values({
          session_id: newId(),
          token_hash: digest(token),
          user_id: userId,
          ip: from.ip,
          user_agent: from.userAgent,
          created_at: now,
          last_used_at: now,
        })
        .execute();
      return token;
    },

    async list(userId: string) {
      const { createdAfter, usedAfter } = oldest(Date.now());
      const rows = await db
        .selectFrom('session')
        .selectAll()
        .where('user_id', '=', userId)
        .where('created_at', '>', createdAfter)
        .where('last_used_at', '>', usedAfter)
        .orderBy('last_used_at', 'desc')
        .orderBy('session_id')
        .execute();
      return rows.map((row) => ({ ...row, expiresAt: row.created_at + SESSION_LIFE }));
    },

    async end(db: Db, userId: string, sessionId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('session')
        .where('session_id', '=', sessionId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async endOfUser(db: Db, userId: string, exceptSessionId = ''): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('session')
        .where('user_id', '=', userId)
        .where('session_id', '!=', exceptSessionId)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async endOfTenancy(db: Db, tenancyId: string): Promise<void> {
      await db
        .deleteFrom('session')
        .where('user_id', 'in', db.selectFrom('user_account').select('user_id').where('tenancy_id', '=', tenancyId))
        .execute();
    },

    async sweep(): Promise<void> {
      const { createdAfter, usedAfter } = oldest(Date.now());
      await db
        .deleteFrom('session')
        .where((row) => row.or([row('created_at', '<', createdAfter), row('last_used_at', '<', usedAfter)]))
        .execute();
    },
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
