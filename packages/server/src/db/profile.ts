import type { Db } from './connect.ts';

/** Where a browser fetches an avatar, with its token. */
export const imagePath = (pictureId: string | null): string =>
  pictureId === null ? '' : `/iot-hub/admin/user/personal/getUserHead?pictureId=${pictureId}`;

/** A user with the names of its role and tenant, as log-in and the personal centre both answer it. */
export const findProfile = async (db: Db, userId: string) => {
  const row = await db
    .selectFrom('user_account as u')
    .innerJoin('role', 'role.role_id', 'u.role_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'u.tenancy_id')
    .selectAll('u')
    .select(['role.role_name', 'role.builtin as role_builtin', 'tenancy.tenancy_name'])
    .where('u.user_id', '=', userId)
    .executeTakeFirstOrThrow();
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
      roleName: row.role_name,
      tenancyId: row.tenancy_id,
      tenancyName: row.tenancy_name,
      isFirst: row.must_change_password,
    },
  };
};
