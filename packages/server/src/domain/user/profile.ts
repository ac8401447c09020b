import { defaultLanguage, type Language } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import { roleNameIn, tenancyNameIn } from '../tenant/platform-ids.ts';

/** URL of an avatar; the browser sends its token. */
export const imagePath = (pictureId: string | null): string =>
  pictureId === null ? '' : `/iot-hub/admin/user/personal/getUserHead?pictureId=${pictureId}`;

/** A user with the names of role and tenant, as returned by login and the personal centre. */
export const findProfile = async (db: Db, userId: string, language: Language = defaultLanguage) => {
  const row = await db
    .selectFrom('user_account as u')
    .innerJoin('role', 'role.role_id', 'u.role_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'u.tenancy_id')
    .selectAll('u')
    .select(['role.role_name', 'role.builtin as role_builtin', 'tenancy.tenancy_name'])
    .where('u.user_id', '=', userId)
    // The user was deleted since the request was authenticated.
    .executeTakeFirstOrThrow(() => new AppError('TOKEN_INVALID'));
  return {
    row,
    answer: {
      userId: row.user_id,
      username: row.username,
      name: row.name,
      email: row.email ?? '',
      phone: row.phone ?? '',
      image: imagePath(row.picture_id),
      roleId: row.role_id,
      roleName: roleNameIn(language, row),
      tenancyId: row.tenancy_id,
      tenancyName: tenancyNameIn(language, row),
      isFirst: row.must_change_password,
    },
  };
};
