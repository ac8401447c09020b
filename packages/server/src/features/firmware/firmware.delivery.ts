import { type bucketCalls, type Input, inProgressStatuses, type Output, undoneStatuses } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { findByToken } from '../../domain/device/tokens.ts';
import { onRegistration, recordNoOf } from '../../domain/ota/records.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { FileMissingError, type FileStore } from '../../platform/file-store/file-store.ts';
import type { FirmwareLinks } from './firmware.links.ts';
import type { Signer } from './firmware.signer.ts';

type DeliveryDeps = { db: Db; store: FileStore; links: FirmwareLinks; signer: Signer };
type Calls = typeof bucketCalls;
type DeviceContext = Context<Actor | null>;

/** The HTTP calls of devices during an upgrade. */
export const createFirmwareDelivery = ({ db, store, links, signer }: DeliveryDeps) => {
  const findFile = async (fileId: string) => {
    const row = await db
      .selectFrom('firmware_file')
      .leftJoin('ota_version', 'ota_version.file_id', 'firmware_file.file_id')
      .select(['firmware_file.nick_name', 'ota_version.nick_name as version_nick_name', 'size', 'sha256'])
      .where('firmware_file.file_id', '=', fileId)
      .where('state', '=', 'ready')
      .executeTakeFirst();
    if (!row) throw new AppError('FIRMWARE_NOT_FOUND');
    return row;
  };

  /** A query of the firmware file of this device's unfinished upgrade. */
  const findUpgrade = (deviceId: string, recordNo: number) =>
    db
      .selectFrom('ota_device')
      .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
      .innerJoin('ota_version', 'ota_version.version_id', 'ota_task.version_id')
      .innerJoin('device', onRegistration)
      .select('ota_version.file_id')
      .where('record_no', '=', recordNo)
      .where('ota_device.device_id', '=', deviceId)
      .where('ota_device.status', 'in', undoneStatuses);

  return {
    getFirmwareKey: (_context: DeviceContext): Promise<Output<Calls['getFirmwareKey']>> => signer.publicKey(),

    async getFirmwareLink(
      { token }: DeviceContext,
      { deviceOtaTaskId, attempt }: Input<Calls['getFirmwareLink']>,
    ): Promise<Output<Calls['getFirmwareLink']>> {
      const { device_id: deviceId } = await findByToken(db, token);
      const recordNo = recordNoOf(deviceOtaTaskId);
      const upgrade = await findUpgrade(deviceId, recordNo)
        .where('attempt', '=', attempt)
        .where('ota_device.status', 'in', inProgressStatuses)
        .executeTakeFirst();
      if (!upgrade) throw new AppError('UPGRADE_NOT_FOUND');
      const url = links.linkFor({ fileId: upgrade.file_id, deviceId, recordNo, attempt });
      return { url, expireIn: Math.floor(links.lifeMs / 1_000) };
    },

    async downloadFirmware(
      { token }: DeviceContext,
      { link: text }: Input<Calls['downloadFirmware']>,
    ): Promise<FileAnswer> {
      const { device_id: deviceId } = await findByToken(db, token);
      const link = links.read(text);
      if (link?.deviceId !== deviceId) throw new AppError('LINK_INVALID');
      const { fileId, recordNo } = link;
      // The attempt is not compared: a device that is notified again during a download may finish it.
      const upgrade = await findUpgrade(deviceId, recordNo).executeTakeFirst();
      if (upgrade?.file_id !== fileId) throw new AppError('LINK_INVALID');
      const file = await findFile(fileId);
      return {
        size: file.size,
        etag: file.sha256,
        contentType: 'application/octet-stream',
        download: file.version_nick_name ?? file.nick_name,
        read: async (range) => {
          try {
            return await store.read(fileId, range);
          } catch (error) {
            if (error instanceof FileMissingError) throw new AppError('FIRMWARE_NOT_FOUND');
            throw error;
          }
        },
      };
    },
  };
};
