import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { FirmwareFileTable } from '../../db/ota-tables.ts';

type FileRow = Selectable<FirmwareFileTable>;

/** Somebody works on a file: while it is uploaded whoever writes to it, while it is checked whoever reads it. */
type Phase = 'uploading' | 'checking';

/**
 * The right to do so until a time, which stands in the row as `checker_until` and is known only to whoever wrote it.
 * There 0 is a file that nobody works on, and a time that is over is somebody's who has died or, of an upload, left.
 */
export type FileLease = { fileId: string; phase: Phase; until: number };

export const UNHELD = { checker_until: 0 } as const;

/** An upload that goes on is not one that nobody uses. */
const heldUntil = (phase: Phase, until: number): Partial<FileRow> => ({
  checker_until: until,
  ...(phase === 'uploading' ? { updated_at: Date.now() } : {}),
});

/** Nothing where somebody else works on the file, or it is in another state by now. */
export const takeLease = async (
  db: Db,
  fileId: string,
  phase: Phase,
  lengthMs: number,
): Promise<FileLease | undefined> => {
  const now = Date.now();
  const until = now + lengthMs;
  const { numUpdatedRows } = await db
    .updateTable('firmware_file')
    .set(heldUntil(phase, until))
    .where('file_id', '=', fileId)
    .where('state', '=', phase)
    .where('checker_until', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { fileId, phase, until } : undefined;
};

/** Changes a file as its holder; false where somebody else has taken it. */
export const writeHeld = async (
  db: Db,
  { fileId, phase, until }: FileLease,
  values: Partial<FileRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('firmware_file')
    .set(values)
    .where('file_id', '=', fileId)
    .where('state', '=', phase)
    .where('checker_until', '=', until)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const renewLease = async (db: Db, lease: FileLease, lengthMs: number): Promise<FileLease | undefined> => {
  const until = Date.now() + lengthMs;
  return (await writeHeld(db, lease, heldUntil(lease.phase, until))) ? { ...lease, until } : undefined;
};

export const freeLease = (db: Db, lease: FileLease): Promise<boolean> => writeHeld(db, lease, UNHELD);

/** Marks an upload as left just now and not as free, so that somebody looks whether it has arrived whole. */
export const leaveUpload = (db: Db, lease: FileLease): Promise<boolean> =>
  writeHeld(db, lease, heldUntil(lease.phase, Date.now()));

/** Uploads whose writer left, or died, at least so long ago; each with the lease that he had. */
export const leftUploads = async (db: Db, agoMs: number): Promise<{ size: number; lease: FileLease }[]> => {
  const rows = await db
    .selectFrom('firmware_file')
    .select(['file_id', 'size', 'checker_until'])
    .where('state', '=', 'uploading')
    .where('checker_until', '>', 0)
    .where('checker_until', '<', Date.now() - agoMs)
    .execute();
  return rows.map((row) => ({
    size: row.size,
    lease: { fileId: row.file_id, phase: 'uploading', until: row.checker_until },
  }));
};
