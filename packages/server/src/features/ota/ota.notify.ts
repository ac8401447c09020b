import { type SignedManifest, type UpgradeOrder, UpgradeStatus } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { storedJson } from '../../db/stored.ts';
import { insertCommands, type NewCommand, newCommand, systemServicePayload } from '../../domain/device/commands.ts';
import type { OtaTask } from '../../domain/ota/records.ts';

/** The parts of a version that every upgrade order contains. */
export type TargetVersion = {
  versionNumber: string;
  fileId: string;
  size: number;
  md5: string;
  sha256: string;
  manifest: SignedManifest;
};

export type LinkFor = (link: { fileId: string; deviceId: string; recordNo: number; attempt: number }) => string;

/** A device that gets an upgrade order or its cancellation. */
export type Recipient = { recordNo: number; deviceId: string; viaId: string; attempt: number };

/** An order that was not sent to the device by then is dropped, and the device waits again. */
const SEND_WITHIN_MS = 60_000;

export const readTargetVersion = async (db: Db, versionId: string): Promise<TargetVersion | undefined> => {
  const row = await db
    .selectFrom('ota_version')
    .innerJoin('firmware_file', 'firmware_file.file_id', 'ota_version.file_id')
    .select(['version_number', 'ota_version.file_id', 'size', 'md5', 'sha256', 'manifest'])
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { version_number: versionNumber, file_id: fileId, size, md5, sha256 } = row;
  const manifest = storedJson<SignedManifest>(row.manifest, 'ota_version', versionId);
  return { versionNumber, fileId, size, md5, sha256, manifest };
};

const commandOf = (
  task: Pick<OtaTask, 'tenancy_id' | 'creator'>,
  { deviceId, viaId }: Pick<Recipient, 'deviceId' | 'viaId'>,
  service: 'ota' | 'otaCancel',
  input: object,
  now: number,
): NewCommand => {
  const { tenancy_id: tenancyId, creator } = task;
  const sending = { deviceId, viaId, tenancyId, creator, now, withinMs: SEND_WITHIN_MS };
  return newCommand(systemServicePayload(service, input), sending);
};

/** Marks the devices as notified and inserts their commands; the caller's transaction makes both atomic. */
export const notifyDevices = async (
  db: Db,
  task: OtaTask,
  target: TargetVersion,
  linkFor: LinkFor,
  recipients: Recipient[],
  now: number,
): Promise<void> => {
  const commands: NewCommand[] = [];
  for (const recipient of recipients) {
    const attempt = recipient.attempt + 1;
    const { recordNo, deviceId } = recipient;
    const { versionNumber, fileId, size, md5, sha256, manifest } = target;
    const order: UpgradeOrder = {
      deviceOtaTaskId: String(recordNo),
      attempt,
      versionNumber,
      url: linkFor({ fileId, deviceId, recordNo, attempt }),
      size,
      md5,
      sha256,
      manifest,
      ...(task.allow_older === 1 ? { allowOlder: true } : {}),
    };
    const command = commandOf(task, recipient, 'ota', order, now);
    const { numUpdatedRows } = await db
      .updateTable('ota_device')
      .set((row) => ({
        status: UpgradeStatus.notified,
        attempt,
        tries: row('tries', '+', 1),
        place: 0,
        reason: 0,
        detail: '',
        percent: 0,
        due_at: 0,
        command_id: command.command_id,
        deadline: now + task.timeout_ms,
        told_at: now,
        stage: row
          .case()
          .when('stage', '=', 0)
          .then(task.stage + 1)
          .else(row.ref('stage'))
          .end(),
      }))
      .where('record_no', '=', recordNo)
      .where('attempt', '=', recipient.attempt)
      .where('status', '=', UpgradeStatus.waiting)
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 1) commands.push(command);
  }
  await insertCommands(db, commands);
};

/** Cancels the upgrade on notified devices. An offline device gets no command; its later report is ignored. */
export const notifyCancelled = async (
  db: Db,
  task: Pick<OtaTask, 'tenancy_id' | 'creator'>,
  recipients: Recipient[],
  now: number,
): Promise<void> => {
  await insertCommands(
    db,
    recipients.map((recipient) => {
      const input = { deviceOtaTaskId: String(recipient.recordNo), attempt: recipient.attempt };
      return commandOf(task, recipient, 'otaCancel', input, now);
    }),
  );
};
