import { FIRMWARE_UNUSED_MS } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { isForeignKeyViolation } from '../../db/errors.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import { isNewId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { UNHELD } from './file-lease.ts';
import { createByteRemover } from './firmware.files.ts';

type SweepDeps = { db: Db; store: FileStore; log: Log };

const AT_ONCE = 200;

/** Files that no version uses go after a day; bytes without a row go, and rows without bytes say so. */
export const createFirmwareSweep = ({ db, store, log }: SweepDeps) => {
  const removeBytes = createByteRemover(store, log);

  const unused = (before: number) =>
    db
      .selectFrom('firmware_file')
      .select('file_id')
      .where('updated_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('ota_version')
              .select('version_id')
              .whereRef('ota_version.file_id', '=', 'firmware_file.file_id'),
          ),
        ),
      );

  const dropUnused = async (before: number): Promise<void> => {
    for (const { file_id: fileId } of await unused(before).limit(AT_ONCE).execute()) {
      try {
        const { numDeletedRows } = await db
          .deleteFrom('firmware_file')
          .where('file_id', 'in', unused(before).where('file_id', '=', fileId))
          .executeTakeFirst();
        if (numDeletedRows > 0n) await removeBytes([fileId]);
      } catch (error) {
        // A version has just taken it.
        if (!isForeignKeyViolation(error)) throw error;
      }
    }
  };

  const withoutRow = async (fileIds: string[]): Promise<string[]> => {
    const rows = await db.selectFrom('firmware_file').select('file_id').where('file_id', 'in', fileIds).execute();
    const known = new Set(rows.map((row) => row.file_id));
    return fileIds.filter((fileId) => !known.has(fileId));
  };

  /** Everything that lies there is looked at once; what is young may still get its row. */
  const dropStray = async (before: number): Promise<Set<string>> => {
    const seen = new Set<string>();
    const old = new Set<string>();
    for await (const { fileId, itself, changedAt } of store.list()) {
      if (itself) seen.add(fileId);
      // Whatever else lies in the folder or bucket was put there by somebody else.
      if (changedAt < before && isNewId(fileId)) old.add(fileId);
    }
    const doubtful = [...old];
    for (let from = 0; from < doubtful.length; from += AT_ONCE)
      await removeBytes(await withoutRow(doubtful.slice(from, from + AT_ONCE)));
    return seen;
  };

  /** A folder that was not mounted for a while comes back, and what was lost with it is checked again. */
  const markLost = async (seen: Set<string>, before: number): Promise<void> => {
    const rows = await db
      .selectFrom('firmware_file')
      .select(['file_id', 'state', 'fault'])
      .where((row) => row.or([row('state', '=', 'ready'), row('fault', '=', 'lost')]))
      .where('updated_at', '<', before)
      .execute();
    for (const { file_id: fileId, state, fault } of rows) {
      const gone = !seen.has(fileId) && (await store.sizeOf(fileId)) === undefined;
      const rightly = gone === (fault === 'lost');
      if (rightly) continue;
      await db
        .updateTable('firmware_file')
        .set(gone ? { state: 'failed', fault: 'lost' } : { state: 'checking', fault: '', ...UNHELD })
        .where('file_id', '=', fileId)
        .where('state', '=', state)
        .execute();
      log.warn({ fileId, gone }, gone ? 'a firmware file is gone from its store' : 'a firmware file is back');
    }
  };

  return {
    async run(): Promise<void> {
      const began = Date.now();
      await dropUnused(began - FIRMWARE_UNUSED_MS);
      const seen = await dropStray(began - FIRMWARE_UNUSED_MS);
      await markLost(seen, began);
    },
  };
};
