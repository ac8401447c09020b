import {
  FIRMWARE_UNUSED_MS,
  type FirmwareFile,
  type firmwareCalls,
  firmwareExtensionOf,
  firmwareFileIdOf,
  firmwareFileName,
  firmwareUriOf,
  type Input,
  type Output,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { isForeignKeyViolation } from '../../db/errors.ts';
import type { FirmwareFileTable } from '../../db/hub-tables.ts';
import { scopeOf, tenancyForNew } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { requireUploadRoom } from '../../domain/tenant/quotas.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { iso } from '../../platform/time.ts';
import { NO_LEASE } from './file-lease.ts';

type FileDeps = { db: Db; store: FileStore; maxBytes: number; log: Log };
type Calls = typeof firmwareCalls;
type FileRow = Selectable<FirmwareFileTable>;

/** The metadata of an upload, sent before its first byte. */
export type NewUpload = { fileName: string; size: number; tenancyId: string | undefined };

const fileName = firmwareFileName();

const auditOf = (row: FileRow) => ({
  tenancyId: row.tenancy_id,
  targetId: row.file_id,
  targetName: row.nick_name,
});

/** Deletes stored bytes after the deletion of their row was committed; what fails is left to the sweep. */
export const createByteRemover =
  (store: Pick<FileStore, 'remove'>, log: Log) =>
  async (fileIds: string[]): Promise<void> => {
    for (const fileId of fileIds) {
      try {
        await store.remove(fileId);
      } catch (error) {
        log.warn({ err: error, fileId }, 'firmware file not deleted, left to the next sweep');
      }
    }
  };

/** Firmware files: upload, state of the check, deletion. */
export const createFirmwareFiles = ({ db, store, maxBytes, log }: FileDeps) => {
  const removeBytes = createByteRemover(store, log);

  const find = async (db: Db, actor: Actor, fileId: string, field?: string): Promise<FileRow> => {
    const { tenancyId } = scopeOf(actor);
    let rows = db.selectFrom('firmware_file').selectAll().where('file_id', '=', fileId);
    if (tenancyId) rows = rows.where('tenancy_id', '=', tenancyId);
    const row = await rows.executeTakeFirst();
    if (!row) throw new AppError('FIRMWARE_NOT_FOUND', {}, field);
    return row;
  };

  const isUsed = async (db: Db, fileId: string): Promise<boolean> =>
    (await db.selectFrom('ota_version').select('version_id').where('file_id', '=', fileId).executeTakeFirst()) !==
    undefined;

  const receivedOf = async (row: FileRow): Promise<number> =>
    row.state === 'uploading' ? ((await store.received(row.file_id)) ?? 0) : row.size;

  const remove = async (context: Context, fileId: string, field?: string): Promise<void> => {
    try {
      await withAudit(db, context, async (db) => {
        const row = await find(db, context.actor, fileId, field);
        if (await isUsed(db, fileId)) throw new AppError('FIRMWARE_IN_USE', {}, field);
        await db.deleteFrom('firmware_file').where('file_id', '=', fileId).execute();
        const before = { nickName: row.nick_name, size: row.size, state: row.state };
        return { result: null, audit: { ...auditOf(row), before } };
      });
    } catch (error) {
      // A version was created with the file between the check and the deletion.
      if (isForeignKeyViolation(error)) throw new AppError('FIRMWARE_IN_USE', {}, field);
      throw error;
    }
    await removeBytes([fileId]);
  };

  return {
    calls: {
      async getFirmwareFile(
        { actor }: Context,
        { firmwareUri }: Input<Calls['getFirmwareFile']>,
      ): Promise<Output<Calls['getFirmwareFile']>> {
        const row = await find(db, actor, firmwareFileIdOf(firmwareUri), 'firmwareUri');
        const used = await isUsed(db, row.file_id);
        const answer: FirmwareFile = {
          firmwareUri: firmwareUriOf(row.file_id),
          nickName: row.nick_name,
          size: row.size,
          received: await receivedOf(row),
          state: row.state,
          fault: row.fault,
          md5: row.md5,
          sha256: row.sha256,
          createTime: iso(row.created_at),
          expireTime: used ? '' : iso(row.updated_at + FIRMWARE_UNUSED_MS),
        };
        return answer;
      },

      async deleteDeviceOtaFile(context: Context, { name }: Input<Calls['deleteDeviceOtaFile']>): Promise<null> {
        await remove(context, firmwareFileIdOf(name), 'name');
        return null;
      },
    },

    /** The operations of the tus endpoint. */
    uploads: {
      /** Validates the upload before a byte is written. Returns the file's id. */
      async begin(
        context: Context,
        { fileName: name, size, tenancyId: requestedTenancyId }: NewUpload,
      ): Promise<string> {
        if (!fileName.safeParse(name).success) throw new AppError('BAD_INPUT', {}, 'filename');
        if (!firmwareExtensionOf(name)) throw new AppError('FIRMWARE_TYPE', {}, 'filename');
        if (size > maxBytes) throw new AppError('FIRMWARE_TOO_LARGE', { max: maxBytes });
        const now = Date.now();
        return withAudit(db, context, async (db) => {
          const tenancyId = await tenancyForNew(db, context.actor, requestedTenancyId);
          await requireUploadRoom(db, tenancyId, size);
          const row: FileRow = {
            file_id: newId(),
            tenancy_id: tenancyId,
            nick_name: name,
            size,
            state: 'uploading',
            fault: '',
            md5: '',
            sha256: '',
            creator: context.actor.username,
            ...NO_LEASE,
            created_at: now,
            updated_at: now,
          };
          await db.insertInto('firmware_file').values(row).execute();
          return { result: row.file_id, audit: { ...auditOf(row), after: { nickName: name, size } } };
        });
      },

      async find({ actor }: Context, fileId: string): Promise<void> {
        await find(db, actor, fileId);
      },

      /** The last byte is written: the file waits for its check. */
      async finish(fileId: string): Promise<void> {
        await db
          .updateTable('firmware_file')
          .set({ ...NO_LEASE, state: 'checking', updated_at: Date.now() })
          .where('file_id', '=', fileId)
          .where('state', '=', 'uploading')
          .execute();
      },

      remove: (context: Context, fileId: string): Promise<void> => remove(context, fileId),
    },
  };
};

export type FirmwareUploads = ReturnType<typeof createFirmwareFiles>['uploads'];
