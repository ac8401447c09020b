import type { RawBuilder, UpdateObject } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import type { HubTables } from '../../db/hub-tables.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';

type Values = UpdateObject<HubTables, 'firmware_file'>;

/** The two phases in which only one hub may work on a file: it writes the upload, or reads the file to check it. */
type Phase = 'uploading' | 'checking';

/** After this time the lease of a hub that died expires. */
const LEASE_MS: Record<Phase, number> = { uploading: 10_000, checking: 15_000 };

/**
 * A lease on a file. Its expiry is stored as `checker_until`, and its exact value identifies the holder. 0 means that
 * the file has no lease. An expired one belongs to a hub that died or, during an upload, to an interrupted request.
 */
export type FileLease = { fileId: string; phase: Phase; until: number };

export const NO_LEASE = { checker_until: 0 } as const;

/** An upload in progress also refreshes `updated_at`, so that the sweep does not take it for an unused file. */
const leaseColumns = (phase: Phase, until: RawBuilder<number>): Values => ({
  checker_until: until,
  ...(phase === 'uploading' ? { updated_at: Date.now() } : {}),
});

export const isFileLeaseFree = (db: Db, phase: Phase) =>
  isLeaseFree('checker_until', LEASE_MS[phase], databaseTime(db));

/** Undefined where another holder has the lease, or the file is in another state. */
export const acquireFileLease = async (db: Db, fileId: string, phase: Phase): Promise<FileLease | undefined> => {
  const row = await db
    .updateTable('firmware_file')
    .set(leaseColumns(phase, leaseUntil(LEASE_MS[phase], databaseTime(db))))
    .where('file_id', '=', fileId)
    .where('state', '=', phase)
    .where(isFileLeaseFree(db, phase))
    .returning('checker_until')
    .executeTakeFirst();
  return row && { fileId, phase, until: row.checker_until };
};

const updateLeased = (db: Db, { fileId, phase, until }: FileLease) =>
  db
    .updateTable('firmware_file')
    .where('file_id', '=', fileId)
    .where('state', '=', phase)
    .where('checker_until', '=', until);

/** Changes a file as the holder of its lease; false where the lease was lost. */
export const writeWithLease = async (db: Db, lease: FileLease, values: Values): Promise<boolean> => {
  const { numUpdatedRows } = await updateLeased(db, lease).set(values).executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const renewFileLease = async (db: Db, lease: FileLease): Promise<FileLease | undefined> => {
  const row = await updateLeased(db, lease)
    .set(leaseColumns(lease.phase, leaseUntil(LEASE_MS[lease.phase], databaseTime(db))))
    .returning('checker_until')
    .executeTakeFirst();
  return row && { ...lease, until: row.checker_until };
};

export const releaseFileLease = (db: Db, lease: FileLease): Promise<boolean> => writeWithLease(db, lease, NO_LEASE);

/** Lets the lease of an upload expire now instead of releasing it, so that the checker looks for a complete file. */
export const interruptUpload = (db: Db, lease: FileLease): Promise<boolean> =>
  writeWithLease(db, lease, leaseColumns(lease.phase, databaseTime(db)));

/** Uploads whose lease expired at least `agoMs` ago, each with that lease. */
export const interruptedUploads = async (db: Db, agoMs: number): Promise<{ size: number; lease: FileLease }[]> => {
  const rows = await db
    .selectFrom('firmware_file')
    .select(['file_id', 'size', 'checker_until'])
    .where('state', '=', 'uploading')
    .where('checker_until', '>', 0)
    .where(isLeaseFree('checker_until', LEASE_MS.uploading, leaseUntil(-agoMs, databaseTime(db))))
    .execute();
  return rows.map((row) => ({
    size: row.size,
    lease: { fileId: row.file_id, phase: 'uploading', until: row.checker_until },
  }));
};
