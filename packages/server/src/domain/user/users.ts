import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import { removePictures } from '../picture/pictures.ts';
import { PLATFORM } from '../tenant/platform-ids.ts';

/**
 * Runs a change that may remove platform administrators, and fails if none is left. Locks the role's row first, so that
 * concurrent changes run one after the other. `field`: the form field for the error.
 */
export const ensureAdministratorRemains = async (db: Db, work: () => Promise<void>, field?: string): Promise<void> => {
  await db
    .updateTable('role')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('role_id', '=', PLATFORM.roleId)
    .execute();
  await work();
  const left = await db
    .selectFrom('user_account')
    .select('user_id')
    .where('role_id', '=', PLATFORM.roleId)
    .limit(1)
    .executeTakeFirst();
  if (!left) throw new AppError('LAST_ADMINISTRATOR', {}, field);
};

/** Users with their sessions and pictures. */
export const removeUsers = (db: Db, userIds: string[]): Promise<void> =>
  ensureAdministratorRemains(db, async () => {
    const pictures = await db.selectFrom('user_account').select('picture_id').where('user_id', 'in', userIds).execute();
    await db.deleteFrom('user_account').where('user_id', 'in', userIds).execute();
    await removePictures(
      db,
      pictures.map((row) => row.picture_id),
    );
  });
