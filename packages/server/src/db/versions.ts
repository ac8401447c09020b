import type { Selectable } from 'kysely';
import type { Actor } from '../platform/actor.ts';
import { AppError } from '../platform/app-error.ts';
import type { Db } from './connect.ts';
import type { OtaVersionTable } from './ota-tables.ts';
import { type Scope, scopeOf } from './scope.ts';

export type OtaVersion = Selectable<OtaVersionTable>;

/** The versions of a scope, bare: what a filter and a count need. */
export const versionsOf = (db: Db, { tenancyId }: Scope) => {
  const rows = db.selectFrom('ota_version');
  return tenancyId === null ? rows : rows.where('ota_version.tenancy_id', '=', tenancyId);
};

/** Another tenant's version is not found, never forbidden. */
export const findBareVersion = async (db: Db, actor: Actor, versionId: string, field: string): Promise<OtaVersion> => {
  const row = await versionsOf(db, scopeOf(actor))
    .selectAll('ota_version')
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  if (!row) throw new AppError('VERSION_NOT_FOUND', {}, field);
  return row;
};

/** Until the transaction ends: of a task that takes a version and somebody who changes it, one comes second. */
export const holdVersions = (
  db: Db,
  versionIds: string[],
): Promise<Pick<OtaVersion, 'version_id' | 'version_number'>[]> =>
  db
    .updateTable('ota_version')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('version_id', 'in', versionIds)
    .returning(['version_id', 'version_number'])
    .execute();
