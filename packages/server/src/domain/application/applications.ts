import type { Db } from '../../db/connect.ts';
import { scopeOf } from '../../db/scope.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';

/** Applications whose devices are being deleted: hidden from all users, though their rows still exist. */
export const deletingApplications = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('application').select('application_id').where('deleting', '=', 1).execute();
  return rows.map((row) => row.application_id);
};

/** Device, product, upgrade and application always belong to one tenant. */
export const requireApplicationOf = async (
  db: Db,
  tenancyId: string,
  applicationId: string,
  field: string,
): Promise<void> => {
  const found = await db
    .selectFrom('application')
    .select('application_id')
    .where('application_id', '=', applicationId)
    .where('tenancy_id', '=', tenancyId)
    .where('deleting', '=', 0)
    .executeTakeFirst();
  if (!found) throw new AppError('APPLICATION_NOT_FOUND', {}, field);
};

/** An enabled application of the tenant: the preferred one, else the oldest; null if there is none. */
export const findUsableApplication = async (
  db: Db,
  tenancyId: string,
  preferredId: string | null,
): Promise<string | null> => {
  const row = await db
    .selectFrom('application')
    .select('application_id')
    .where('tenancy_id', '=', tenancyId)
    .where('enabled', '=', 1)
    .where('deleting', '=', 0)
    .orderBy(({ case: choose, ref }) => choose().when(ref('application_id'), '=', preferredId).then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('application_id')
    .limit(1)
    .executeTakeFirst();
  return row?.application_id ?? null;
};

/**
 * Finds an application for devices of this tenant and locks its row until the transaction ends. Device, product and
 * application always belong to one tenant.
 */
export const lockUsableApplication = async (
  db: Db,
  actor: Actor,
  tenancyId: string,
  applicationId: string,
): Promise<{ enabled: 0 | 1 }> => {
  const scope = scopeOf(actor);
  let locked = db
    .updateTable('application')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('application_id', '=', applicationId)
    .where('deleting', '=', 0);
  if (scope.tenancyId !== null) locked = locked.where('tenancy_id', '=', scope.tenancyId);
  const [row] = await locked.returning(['tenancy_id', 'enabled']).execute();
  if (!row) throw new AppError('APPLICATION_NOT_FOUND', {}, 'applicationId');
  if (row.tenancy_id !== tenancyId) throw new AppError('APPLICATION_OF_OTHER_TENANCY', {}, 'applicationId');
  return { enabled: row.enabled };
};
