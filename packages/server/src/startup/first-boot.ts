import type { Text } from '@device-center/contract';
import type { Db } from '../db/connect.ts';
import { transact } from '../db/errors.ts';
import { PLATFORM, platformNames } from '../domain/tenant/platform-ids.ts';
import { foldCase } from '../platform/fold-case.ts';
import { newPassword } from '../platform/ids.ts';
import { hashPassword } from '../platform/passwords.ts';
import type { Settings } from '../platform/settings.ts';

/** Built-in names are found in both languages. */
const searchable = (name: Text): string => foldCase(Object.values(name).join(' '));

export type FirstAccount = { username: string; oneTimePassword: string | null };

const names = {
  tenancy: platformNames.tenancy.zh_CN,
  role: platformNames.role.zh_CN,
  user: platformNames.user.zh_CN,
};

export const isInstalled = async (db: Db): Promise<boolean> => {
  const row = await db.selectFrom('tenancy').select('tenancy_id').where('builtin', '=', 1).executeTakeFirst();
  return row !== undefined;
};

/** Creates the platform tenant, its administrator role and the account `admin`, once. Returns null if they exist. */
export const firstBoot = async (db: Db, { ADMIN_PASSWORD }: Settings): Promise<FirstAccount | null> => {
  if (await isInstalled(db)) return null;
  const oneTimePassword = ADMIN_PASSWORD === undefined ? newPassword() : null;
  const passwordHash = await hashPassword(ADMIN_PASSWORD ?? oneTimePassword ?? '');
  const now = Date.now();
  const times = { created_at: now, updated_at: now };
  const created = await transact(db, async (db) => {
    // If two hubs start for the first time together, one creates the rows and the other finds them.
    const tenancy = await db
      .insertInto('tenancy')
      .values({
        tenancy_id: PLATFORM.tenancyId,
        tenancy_name: names.tenancy,
        tenancy_name_key: searchable(platformNames.tenancy),
        company_name: '',
        company_name_key: '',
        contact_name: '',
        phone: '',
        email: '',
        company_address: '',
        enabled: 1,
        builtin: 1,
        ...times,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!tenancy.numInsertedOrUpdatedRows) return false;
    await db
      .insertInto('role')
      .values({
        role_id: PLATFORM.roleId,
        tenancy_id: PLATFORM.tenancyId,
        role_name: names.role,
        role_name_key: searchable(platformNames.role),
        builtin: 1,
        ...times,
      })
      .execute();
    await db
      .insertInto('user_account')
      .values({
        user_id: PLATFORM.userId,
        tenancy_id: PLATFORM.tenancyId,
        role_id: PLATFORM.roleId,
        username: PLATFORM.username,
        username_key: PLATFORM.username,
        name: names.user,
        name_key: searchable(platformNames.user),
        password_hash: passwordHash,
        must_change_password: oneTimePassword === null ? 0 : 1,
        preferences: '{}',
        ...times,
      })
      .execute();
    return true;
  });
  return created ? { username: PLATFORM.username, oneTimePassword } : null;
};
