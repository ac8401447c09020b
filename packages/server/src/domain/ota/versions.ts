import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { OtaVersionTable } from '../../db/hub-tables.ts';
import { type Scope, scopeOf } from '../../db/scope.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';

export type OtaVersion = Selectable<OtaVersionTable>;

/** Version rows of a scope without joins, for filters and counts. */
export const versionsOf = (db: Db, { tenancyId }: Scope) => {
  const rows = db.selectFrom('ota_version');
  return tenancyId === null ? rows : rows.where('ota_version.tenancy_id', '=', tenancyId);
};

/** Another tenant's version is "not found" rather than "forbidden". */
export const findBareVersion = async (db: Db, actor: Actor, versionId: string, field: string): Promise<OtaVersion> => {
  const row = await versionsOf(db, scopeOf(actor))
    .selectAll('ota_version')
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  if (!row) throw new AppError('VERSION_NOT_FOUND', {}, field);
  return row;
};

/**
 * Locks version rows until the transaction ends, so that a task that uses a version and a change of it run one after
 * the other.
 */
export const lockVersions = (
  db: Db,
  versionIds: string[],
): Promise<Pick<OtaVersion, 'version_id' | 'version_number'>[]> =>
  db
    .updateTable('ota_version')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('version_id', 'in', versionIds)
    .returning(['version_id', 'version_number'])
    .execute();
