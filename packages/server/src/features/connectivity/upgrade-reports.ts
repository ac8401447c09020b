import {
  activeTaskStatuses,
  FailReason,
  type OtaProgress,
  UpgradeStatus,
  underWayStatuses,
  undoneStatuses,
} from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { endRecord, failRecord, recordNoOf, recordOfDevice } from '../../db/ota-records.ts';
import { retryWithBackoff } from '../../db/retry.ts';
import type { Log } from '../../platform/log.ts';
import type { DeviceSession } from './connection-registry.ts';

/** One registration of a device: upgrade orders of an earlier one with the same id do not concern it. */
type Registered = Pick<DeviceSession, 'deviceId' | 'registrationNo'>;

type UpgradeDeps = { db: Db; log: Log; upgradeHint: () => void; now?: () => number };

const RETRY = { firstMs: 500, lastMs: 5_000 };
const reasonWords = { 3: 'download', 4: 'verification', 5: 'install' } as const;

/** What devices say about their upgrades. A report is applied before it is acknowledged. */
export const createUpgrades = ({ db, log, upgradeHint, now: clock = Date.now }: UpgradeDeps) => {
  const results = { succeeded: 0, failed: 0 };

  const progress = async (
    { deviceId, registrationNo }: Registered,
    report: OtaProgress,
    now: number,
  ): Promise<void> => {
    // A step back would be an old report that was sent again.
    const before = underWayStatuses.filter((status) => status <= report.status);
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

  const failure = async ({ deviceId, registrationNo }: Registered, report: OtaProgress, now: number): Promise<void> => {
    const found = await transact(db, async (db) => {
      const record = await db
        .selectFrom('ota_device')
        .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
        .select([...recordOfDevice, 'tries', 'attempt'])
        .select(['ota_task.status as task_status', 'retries', 'task_rank'])
        .where('record_no', '=', recordNoOf(report.deviceOtaTaskId))
        .where('device_id', '=', deviceId)
        .where('registration_no', '=', registrationNo)
        .where('attempt', '=', report.attempt)
        .where('ota_device.status', 'in', underWayStatuses)
        .executeTakeFirst();
      if (!record) return false;
      const reason = report.reason ?? FailReason.install;
      await db
        .updateTable('ota_device')
        .set({ reported_at: now, percent: Math.round(report.percent) })
        .where('record_no', '=', record.record_no)
        .execute();
      const detail = report.detail ?? reasonWords[reason];
      await failRecord(db, record, { ...record, status: record.task_status }, { reason, detail }, now);
      return true;
    });
    if (found) results.failed++;
  };

  /** Decisions §5: success is when the device reports the new version, and not before. */
  const runs = async ({ deviceId, registrationNo }: Registered, versionNumber: string, now: number): Promise<void> => {
    // Asked before the one writer is: a fleet that comes back has next to nothing to write.
    const records = await db
      .selectFrom('ota_device')
      .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
      .select(recordOfDevice)
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
    upgradeHint();
  };

  /** It was told on a connection that is gone, and has not said that it heard: it is told again. */
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
    if (waiting) upgradeHint();
  };

  return {
    /** Until it is written: the report is acknowledged afterwards. */
    reported: (speaker: Registered, report: OtaProgress): Promise<void> => {
      const apply = report.status === UpgradeStatus.failed ? failure : progress;
      const work = async (): Promise<void> => {
        await apply(speaker, report, clock());
        upgradeHint();
      };
      const waits = (error: unknown): void => log.warn({ err: error }, 'a report of an upgrade waits for the database');
      return retryWithBackoff(work, { ...RETRY, waits }).catch((error: unknown) =>
        log.error({ err: error }, 'a report of an upgrade was not applied'),
      );
    },
    /** Type 1 or 5 has told the version. */
    runs: (speaker: Registered, versionNumber: string): Promise<void> => runs(speaker, versionNumber, clock()),
    deviceReconnected,
    /** Since the start of this process. */
    results: () => results,
  };
};

export type Upgrades = ReturnType<typeof createUpgrades>;
