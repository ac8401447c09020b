import {
  type firmwareCalls,
  firmwareExtensionOf,
  firmwareFileIdOf,
  firmwareUriOf,
  type Input,
  type ManifestContent,
  type Output,
  type SignedManifest,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../db/errors.ts';
import type { FirmwareFileTable } from '../../db/hub-tables.ts';
import { scopeOf } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { lockVersions } from '../../domain/ota/versions.ts';
import { findProduct, lockProducts } from '../../domain/product/products.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { createByteRemover } from './firmware.files.ts';
import { findVersion, selectVersions, type VersionRecord } from './firmware.queries.ts';
import type { Signer } from './firmware.signer.ts';

type ChangeDeps = { db: Db; store: FileStore; signer: Signer; log: Log };
type Calls = typeof firmwareCalls;
type Sign = (content: ManifestContent) => SignedManifest;
type FileRow = Selectable<FirmwareFileTable>;

/** Turns constraint violations into the errors of the fields that cause them. */
const mapConstraintErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    const constraint = uniqueViolation(error);
    if (constraint === 'ota_version.product_id,version_number')
      throw new AppError('VERSION_NUMBER_TAKEN', {}, 'versionNumber');
    if (constraint === 'ota_version.file_id') throw new AppError('FIRMWARE_IN_USE', {}, 'firmwareUri');
    // The sweep deleted the file between the check and the insertion.
    if (isForeignKeyViolation(error)) throw new AppError('FIRMWARE_NOT_FOUND', {}, 'firmwareUri');
    throw error;
  }
};

const fieldsOf = (row: VersionRecord) => ({
  versionName: row.version_name,
  versionNumber: row.version_number,
  productId: row.product_id,
  firmwareUri: firmwareUriOf(row.file_id),
  nickName: row.nick_name,
});

const auditOf = (row: VersionRecord) => ({
  tenancyId: row.tenancy_id,
  targetId: row.version_id,
  targetName: `${row.version_name} ${row.version_number}`,
});

/** A file that a version of this tenant can use: uploaded, checked, and with the extension of `nickName`. */
const requireReadyFile = async (db: Db, tenancyId: string, firmwareUri: string, nickName: string): Promise<FileRow> => {
  const row = await db
    .selectFrom('firmware_file')
    .selectAll()
    .where('file_id', '=', firmwareFileIdOf(firmwareUri))
    .where('tenancy_id', '=', tenancyId)
    .executeTakeFirst();
  if (!row) throw new AppError('FIRMWARE_NOT_FOUND', {}, 'firmwareUri');
  if (row.state === 'failed') throw new AppError('FIRMWARE_FAILED', {}, 'firmwareUri');
  if (row.state !== 'ready') throw new AppError('FIRMWARE_NOT_READY', {}, 'firmwareUri');
  if (firmwareExtensionOf(nickName) !== firmwareExtensionOf(row.nick_name))
    throw new AppError('FIRMWARE_TYPE', {}, 'nickName');
  return row;
};

const manifestOf = (sign: Sign, productId: string, versionNumber: string, { size, sha256 }: FileRow): string =>
  JSON.stringify(sign({ productId, versionNumber, size, sha256, date: new Date().toISOString() }));

const assertNotInUse = (row: VersionRecord): void => {
  if (Number(row.unfinished_tasks) > 0) throw new AppError('VERSION_IN_USE', { versionNumber: row.version_number });
};

type VersionFields = Pick<Input<Calls['addDeviceOtaVersion']>, 'versionName' | 'versionNumber' | 'nickName'>;

const columnsOf = ({ versionName, versionNumber, nickName }: VersionFields, file: { file_id: string }) => ({
  version_name: versionName,
  version_name_key: foldCase(versionName),
  version_number: versionNumber,
  version_number_key: foldCase(versionNumber),
  file_id: file.file_id,
  nick_name: nickName,
});

/** The calls that change firmware versions. */
export const createVersionChanges = ({ db, store, signer, log }: ChangeDeps) => {
  const removeBytes = createByteRemover(store, log);

  const deleteFileRows = async (db: Db, fileIds: string[]): Promise<void> => {
    if (fileIds.length > 0) await db.deleteFrom('firmware_file').where('file_id', 'in', fileIds).execute();
  };

  return {
    async addDeviceOtaVersion(
      context: Context,
      input: Input<Calls['addDeviceOtaVersion']>,
    ): Promise<Output<Calls['addDeviceOtaVersion']>> {
      const { versionName, versionNumber, productId, firmwareUri, nickName } = input;
      const sign = await signer.ready();
      const versionId = newId();
      const now = Date.now();
      return mapConstraintErrors(
        withAudit(db, context, async (db) => {
          await lockProducts(db, [productId]);
          const { tenancy_id: tenancyId } = await findProduct(db, context.actor, productId);
          const file = await requireReadyFile(db, tenancyId, firmwareUri, nickName);
          await db
            .insertInto('ota_version')
            .values({
              version_id: versionId,
              tenancy_id: tenancyId,
              product_id: productId,
              ...columnsOf(input, file),
              manifest: manifestOf(sign, productId, versionNumber, file),
              creator: context.actor.username,
              created_at: now,
              updated_at: now,
            })
            .execute();
          const targetName = `${versionName} ${versionNumber}`;
          return { result: { versionId }, audit: { tenancyId, targetId: versionId, targetName, after: input } };
        }),
      );
    },

    async updateDeviceOtaVersion(context: Context, input: Input<Calls['updateDeviceOtaVersion']>): Promise<null> {
      const { versionId, ...after } = input;
      const { versionNumber, productId, firmwareUri, nickName } = after;
      const sign = await signer.ready();
      const unusedFileIds = await mapConstraintErrors(
        withAudit(db, context, async (db) => {
          await lockVersions(db, [versionId]);
          const row = await findVersion(db, context.actor, versionId);
          await findProduct(db, context.actor, productId);
          if (productId !== row.product_id) throw new AppError('VERSION_PRODUCT_FIXED', {}, 'productId');
          assertNotInUse(row);
          const before = fieldsOf(row);
          const file = await requireReadyFile(db, row.tenancy_id, firmwareUri, nickName);
          const same = firmwareUri === before.firmwareUri && versionNumber === before.versionNumber;
          await db
            .updateTable('ota_version')
            .set({
              ...columnsOf(after, file),
              ...(same ? {} : { manifest: manifestOf(sign, productId, versionNumber, file) }),
              updated_at: Date.now(),
            })
            .where('version_id', '=', versionId)
            .execute();
          const replaced = firmwareUri === before.firmwareUri ? [] : [row.file_id];
          await deleteFileRows(db, replaced);
          return { result: replaced, audit: { ...auditOf(row), before, after } };
        }),
      );
      await removeBytes(unusedFileIds);
      return null;
    },

    async deleteDeviceOtaVersion(
      context: Context,
      { versionIds: requestedIds }: Input<Calls['deleteDeviceOtaVersion']>,
    ): Promise<null> {
      const versionIds = [...new Set(requestedIds)].sort();
      const unusedFileIds = await withAudit(db, context, async (db) => {
        await lockVersions(db, versionIds);
        const rows = await selectVersions(db, scopeOf(context.actor))
          .where('ota_version.version_id', 'in', versionIds)
          .execute();
        if (rows.length !== versionIds.length) throw new AppError('VERSION_NOT_FOUND', {}, 'versionIds');
        for (const row of rows) assertNotInUse(row);
        const fileIds = rows.map((row) => row.file_id);
        await db.deleteFrom('ota_version').where('version_id', 'in', versionIds).execute();
        await deleteFileRows(db, fileIds);
        return { result: fileIds, audit: rows.map((row) => ({ ...auditOf(row), before: fieldsOf(row) })) };
      });
      await removeBytes(unusedFileIds);
      return null;
    },
  };
};
