import type { RawBuilder, UpdateObject } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import type { Tables } from '../../db/tables.ts';

type Values = UpdateObject<Tables, 'firmware_file'>;

/** Somebody works on a file: while it is uploaded whoever writes to it, while it is checked whoever reads it. */
type Phase = 'uploading' | 'checking';

/** A hub that has died holds a file no longer than this. */
const LEASE_MS: Record<Phase, number> = { uploading: 10_000, checking: 15_000 };

/**
 * The right to do so until a time, which stands in the row as `checker_until` and is known only to whoever wrote it.
 * There 0 is a file that nobody works on, and a time that is over is somebody's who has died or, of an upload, left.
 */
export type FileLease = { fileId: string; phase: Phase; until: number };

export const UNHELD = { checker_until: 0 } as const;

/** An upload that goes on is not one that nobody uses. */
const heldUntil = (phase: Phase, until: RawBuilder<number>): Values => ({
  checker_until: until,
  ...(phase === 'uploading' ? { updated_at: Date.now() } : {}),
});

export const isUnheld = (db: Db, phase: Phase) => isLeaseFree('checker_until', LEASE_MS[phase], databaseTime(db));

/** Nothing where somebody else works on the file, or it is in another state by now. */
export const takeLease = async (db: Db, fileId: string, phase: Phase): Promise<FileLease | undefined> => {
  const row = await db
    .updateTable('firmware_file')
    .set(heldUntil(phase, leaseUntil(LEASE_MS[phase], databaseTime(db))))
    .where('file_id', '=', fileId)
    .where('state', '=', phase)
    .where(isUnheld(db, phase))
    .returning('checker_until')
    .executeTakeFirst();
  return row && { fileId, phase, until: row.checker_until };
};

const updateHeld = (db: Db, { fileId, phase, until }: FileLease) =>
  db
    .updateTable('firmware_file')
    .where('file_id', '=', fileId)
    .where('state', '=', phase)
    .where('checker_until', '=', until);

/** Changes a file as its holder; false where somebody else has taken it. */
export const writeHeld = async (db: Db, lease: FileLease, values: Values): Promise<boolean> => {
  const { numUpdatedRows } = await updateHeld(db, lease).set(values).executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const renewLease = async (db: Db, lease: FileLease): Promise<FileLease | undefined> => {
  const row = await updateHeld(db, lease)
    .set(heldUntil(lease.phase, leaseUntil(LEASE_MS[lease.phase], databaseTime(db))))
    .returning('checker_until')
    .executeTakeFirst();
  return row && { ...lease, until: row.checker_until };
};

export const freeLease = (db: Db, lease: FileLease): Promise<boolean> => writeHeld(db, lease, UNHELD);

/** Marks an upload as left just now and not as free, so that somebody looks whether it has arrived whole. */
export const leaveUpload = (db: Db, lease: FileLease): Promise<boolean> =>
  writeHeld(db, lease, heldUntil(lease.phase, databaseTime(db)));

/** Uploads whose writer left, or died, at least so long ago; each with the lease that he had. */
export const leftUploads = async (db: Db, agoMs: number): Promise<{ size: number; lease: FileLease }[]> => {
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
