import { FIRMWARE_UNUSED_MS } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { isForeignKeyViolation } from '../../db/errors.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import { isNewId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { NO_LEASE } from './file-lease.ts';
import { createByteRemover } from './firmware.files.ts';

type SweepDeps = { db: Db; store: FileStore; log: Log };

const BATCH_SIZE = 200;

/** Deletes files that no version has used for a day and stored bytes without a row; marks rows without bytes as lost. */
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

  const deleteUnused = async (before: number): Promise<void> => {
    for (const { file_id: fileId } of await unused(before).limit(BATCH_SIZE).execute()) {
      try {
        const { numDeletedRows } = await db
          .deleteFrom('firmware_file')
          .where('file_id', 'in', unused(before).where('file_id', '=', fileId))
          .executeTakeFirst();
        if (numDeletedRows > 0n) await removeBytes([fileId]);
      } catch (error) {
        // A version was created with the file meanwhile.
        if (!isForeignKeyViolation(error)) throw error;
      }
    }
  };

  const withoutRow = async (fileIds: string[]): Promise<string[]> => {
    const rows = await db.selectFrom('firmware_file').select('file_id').where('file_id', 'in', fileIds).execute();
    const known = new Set(rows.map((row) => row.file_id));
    return fileIds.filter((fileId) => !known.has(fileId));
  };

  /** Lists the store once and deletes bytes without a row. Young files stay, because their row may still follow. */
  const deleteOrphans = async (before: number): Promise<Set<string>> => {
    const seen = new Set<string>();
    const old = new Set<string>();
    for await (const { fileId, isFile, changedAt } of store.list()) {
      if (isFile) seen.add(fileId);
      // Other names in the folder or bucket do not belong to the hub.
      if (changedAt < before && isNewId(fileId)) old.add(fileId);
    }
    const candidates = [...old];
    for (let from = 0; from < candidates.length; from += BATCH_SIZE)
      await removeBytes(await withoutRow(candidates.slice(from, from + BATCH_SIZE)));
    return seen;
  };

  /** Marks files without bytes as lost. A lost file that is back, as after a remount of its folder, is checked again. */
  const markLost = async (seen: Set<string>, before: number): Promise<void> => {
    const rows = await db
      .selectFrom('firmware_file')
      .select(['file_id', 'state', 'fault'])
      .where((row) => row.or([row('state', '=', 'ready'), row('fault', '=', 'lost')]))
      .where('updated_at', '<', before)
      .execute();
    for (const { file_id: fileId, state, fault } of rows) {
      const missing = !seen.has(fileId) && (await store.sizeOf(fileId)) === undefined;
      const isMarkedCorrectly = missing === (fault === 'lost');
      if (isMarkedCorrectly) continue;
      await db
        .updateTable('firmware_file')
        .set(missing ? { state: 'failed', fault: 'lost' } : { state: 'checking', fault: '', ...NO_LEASE })
        .where('file_id', '=', fileId)
        .where('state', '=', state)
        .execute();
      log.warn({ fileId }, missing ? 'firmware file missing in its store' : 'lost firmware file found again');
    }
  };

  return {
    async run(): Promise<void> {
      const startedAt = Date.now();
      await deleteUnused(startedAt - FIRMWARE_UNUSED_MS);
      const seen = await deleteOrphans(startedAt - FIRMWARE_UNUSED_MS);
      await markLost(seen, startedAt);
    },
  };
};
