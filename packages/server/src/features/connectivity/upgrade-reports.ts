import {
  activeTaskStatuses,
  FailReason,
  inProgressStatuses,
  type OtaProgress,
  UpgradeStatus,
  undoneStatuses,
} from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { retryWithBackoff } from '../../db/retry.ts';
import { endRecord, failRecord, recordKeyColumns, recordNoOf } from '../../domain/ota/records.ts';
import type { Log } from '../../platform/log.ts';
import type { DeviceSession } from './connection-registry.ts';

/** One registration of a device: upgrade orders of an earlier registration under the same ID do not apply to it. */
type Registered = Pick<DeviceSession, 'deviceId' | 'registrationNo'>;

type UpgradeDeps = { db: Db; log: Log; notifyUpgrade: () => void; now?: () => number };

const RETRY = { initialDelayMs: 500, maxDelayMs: 5_000 };
const defaultDetails = { 3: 'download', 4: 'verification', 5: 'install' } as const;

/** Applies upgrade reports of devices; each is applied before it is acknowledged. */
export const createUpgradeReports = ({ db, log, notifyUpgrade, now: clock = Date.now }: UpgradeDeps) => {
  const results = { succeeded: 0, failed: 0 };

  const applyProgress = async (
    { deviceId, registrationNo }: Registered,
    report: OtaProgress,
    now: number,
  ): Promise<void> => {
    // A lower status than the stored one is an old report that was resent.
    const before = inProgressStatuses.filter((status) => status <= report.status);
    await db
      .updateTable('ota_device')
      .set({
        status: report.status as 2 | 3 | 4,
        percent: Math.round(report.percent),
        reported_at: now,
        deadline: sql<number>`${now} + (select timeout_ms from ota_task where ota_task.task_id = ota_device.task_id)`,
      })
      .where('record_no', '=', recordNoOf(report.deviceOtaTaskId))
      .where('device_id', '=', deviceId)
      .where('registration_no', '=', registrationNo)
      .where('attempt', '=', report.attempt)
      .where('status', 'in', before)
      .execute();
  };

  const applyFailure = async (
    { deviceId, registrationNo }: Registered,
    report: OtaProgress,
    now: number,
  ): Promise<void> => {
    const found = await transact(db, async (db) => {
      const record = await db
        .selectFrom('ota_device')
        .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
        .select([...recordKeyColumns, 'tries', 'attempt'])
        .select(['ota_task.status as task_status', 'retries', 'task_rank'])
        .where('record_no', '=', recordNoOf(report.deviceOtaTaskId))
        .where('device_id', '=', deviceId)
        .where('registration_no', '=', registrationNo)
        .where('attempt', '=', report.attempt)
        .where('ota_device.status', 'in', inProgressStatuses)
        .executeTakeFirst();
      if (!record) return false;
      const reason = report.reason ?? FailReason.install;
      await db
        .updateTable('ota_device')
        .set({ reported_at: now, percent: Math.round(report.percent) })
        .where('record_no', '=', record.record_no)
        .execute();
      const detail = report.detail ?? defaultDetails[reason];
      await failRecord(db, record, { ...record, status: record.task_status }, { reason, detail }, now);
      return true;
    });
    if (found) results.failed++;
  };

  /** Decisions §5: an upgrade succeeds only when the device reports the new version. */
  const versionReported = async (
    { deviceId, registrationNo }: Registered,
    versionNumber: string,
    now: number,
  ): Promise<void> => {
    // Read outside the transaction: on a mass reconnect almost no device has anything to write.
    const records = await db
      .selectFrom('ota_device')
      .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
      .select(recordKeyColumns)
      .where('device_id', '=', deviceId)
      .where('registration_no', '=', registrationNo)
      .where('ota_device.status', 'in', undoneStatuses)
      .where('ota_task.status', 'in', activeTaskStatuses)
      .where('ota_task.version_number', '=', versionNumber)
      .execute();
    if (records.length === 0) return;
    await transact(db, async (db) => {
      for (const record of records) await endRecord(db, record, { status: UpgradeStatus.success }, now);
    });
    results.succeeded += records.length;
    notifyUpgrade();
  };

  /** An upgrade order sent on an earlier connection without a confirmation is sent again. */
  const deviceReconnected = async ({ deviceId, registrationNo }: Registered): Promise<void> => {
    await db
      .updateTable('ota_device')
      .set((row) => ({ status: UpgradeStatus.waiting, tries: row('tries', '-', 1), due_at: 0, percent: 0 }))
      .where('device_id', '=', deviceId)
      .where('registration_no', '=', registrationNo)
      .where('status', '=', UpgradeStatus.notified)
      .where((row) =>
        row.exists(
          row
            .selectFrom('device_command')
            .select('command_id')
            .whereRef('device_command.command_id', '=', 'ota_device.command_id')
            .where('device_command.state', 'in', ['sent', 'failed', 'timedOut']),
        ),
      )
      .execute();
    const waiting = await db
      .selectFrom('ota_device')
      .select('record_no')
      .where('device_id', '=', deviceId)
      .where('registration_no', '=', registrationNo)
      .where('status', '=', UpgradeStatus.waiting)
      .executeTakeFirst();
    if (waiting) notifyUpgrade();
  };

  return {
    /** Retries until the report is committed; the message is acknowledged afterwards. */
    reported: (session: Registered, report: OtaProgress): Promise<void> => {
      const apply = report.status === UpgradeStatus.failed ? applyFailure : applyProgress;
      const work = async (): Promise<void> => {
        await apply(session, report, clock());
        notifyUpgrade();
      };
      const onRetry = (error: unknown): void => log.warn({ err: error }, 'upgrade report not stored, retrying');
      return retryWithBackoff(work, { ...RETRY, onRetry }).catch((error: unknown) =>
        log.error({ err: error }, 'upgrade report could not be stored'),
      );
    },
    /** Called when a message of type 1 or 5 reports the firmware version. */
    versionReported: (session: Registered, versionNumber: string): Promise<void> =>
      versionReported(session, versionNumber, clock()),
    deviceReconnected,
    /** Counts since the start of the process. */
    results: () => results,
  };
};

export type UpgradeReports = ReturnType<typeof createUpgradeReports>;
