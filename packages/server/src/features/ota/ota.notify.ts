import { type SignedManifest, type UpgradeOrder, UpgradeStatus } from '@device-center/contract';
import { insertCommands, type NewCommand, newCommand, systemOrder } from '../../db/commands.ts';
import type { Db } from '../../db/connect.ts';
import type { OtaTask } from '../../db/ota-records.ts';
import { storedJson } from '../../db/stored.ts';

/** What of a version goes down with every order. */
export type Target = {
  versionNumber: string;
  fileId: string;
  size: number;
  md5: string;
  sha256: string;
  manifest: SignedManifest;
};

export type LinkFor = (link: { fileId: string; deviceId: string; recordNo: number; attempt: number }) => string;

/** A device that is to be told, or to be told that it need not. */
export type Recipient = { recordNo: number; deviceId: string; viaId: string; attempt: number };

/** An order that could not be handed over by then was not: the device waits again. */
const HAND_OVER_MS = 60_000;

export const readTarget = async (db: Db, versionId: string): Promise<Target | undefined> => {
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
  const sending = { deviceId, viaId, tenancyId, creator, now, withinMs: HAND_OVER_MS };
  return newCommand(systemOrder(service, input), sending);
};

/** The rows that make these devices notified, and the commands that tell them: both or neither. */
export const tell = async (
  db: Db,
  task: OtaTask,
  target: Target,
  linkFor: LinkFor,
  told: Recipient[],
  now: number,
): Promise<void> => {
  const commands: NewCommand[] = [];
  for (const addressee of told) {
    const attempt = addressee.attempt + 1;
    const { recordNo, deviceId } = addressee;
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
    const command = commandOf(task, addressee, 'ota', order, now);
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
      .where('attempt', '=', addressee.attempt)
      .where('status', '=', UpgradeStatus.waiting)
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 1) commands.push(command);
  }
  await insertCommands(db, commands);
};

/** Those who were told and shall stop; one that is offline does not hear it, and its report is an old one then. */
export const tellCancelled = async (
  db: Db,
  task: Pick<OtaTask, 'tenancy_id' | 'creator'>,
  addressees: Recipient[],
  now: number,
): Promise<void> => {
  await insertCommands(
    db,
    addressees.map((addressee) => {
      const input = { deviceOtaTaskId: String(addressee.recordNo), attempt: addressee.attempt };
      return commandOf(task, addressee, 'otaCancel', input, now);
    }),
  );
};
