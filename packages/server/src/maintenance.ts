import type { Db, RecordDb } from './db/connect.ts';
import { removeMarkedApplications } from './domain/application/removal.ts';
import { createTenantDeviceReader } from './domain/device/ids.ts';
import { removeLateRecords } from './domain/device/removal.ts';
import { sweepTakenIds } from './domain/device/taken-ids.ts';
import { sweepPictures } from './domain/picture/pictures.ts';
import { tenancyIdsOf } from './domain/tenant/platform-ids.ts';
import { storedBytesLimits, sweepTextUsage } from './domain/tenant/quotas.ts';
import { sweepDeviceLogins } from './features/bucket/sweep.ts';
import { snapshotFleet } from './features/home/home.snapshot.ts';
import { removeRehearsalDevices } from './features/ota/ota.rehearsal.ts';
import { IDLE_MS, type Job } from './platform/jobs.ts';
import type { Log } from './platform/log.ts';
import type { Notifier } from './platform/notifier.ts';
import type { Settings } from './platform/settings.ts';
import { createPartitions } from './records/partitions.ts';
import { createRetention } from './records/retention.ts';
import { rollUpCounters } from './records/roll-up-counters.ts';
import { createUsedBytes } from './records/used-bytes.ts';

type MaintenanceDeps = {
  db: Db;
  records: RecordDb;
  settings: Settings;
  notifier: Pick<Notifier, 'send'>;
  log: Log;
};

/** Periodic database jobs, which run on the leader only. */
export const createMaintenance = ({ db, records, settings, notifier, log }: MaintenanceDeps) => {
  const { RETENTION_DAYS: days, RETENTION_BYTES: bytes, DATABASE_URL } = settings;
  const partitions = DATABASE_URL ? createPartitions({ records, days }) : undefined;
  const retention = createRetention({
    records,
    days,
    bytes,
    usedBytes: createUsedBytes(records, DATABASE_URL !== undefined),
    partitions,
    tenancyIds: () => tenancyIdsOf(db),
    devicesOf: createTenantDeviceReader(db),
    storedBytesLimits: () => storedBytesLimits(db),
    log,
  });
  const jobs: Job[] = [
    { name: 'create record partitions', everyMs: 600_000, run: async () => partitions?.createAhead(Date.now()) },
    { name: 'delete old records', everyMs: settings.RETENTION_EVERY, run: retention.run },
    { name: 'trim rejections', everyMs: 30_000, run: retention.trimRejections },
    {
      name: 'remove rehearsal devices',
      everyMs: 5_000,
      run: () => removeRehearsalDevices(db, records, () => notifier.send('instruction')),
    },
    { name: 'roll up counters', everyMs: 60_000, run: () => rollUpCounters(records) },
    { name: 'count the fleet', everyMs: 10_000, run: () => snapshotFleet(db) },
    {
      name: 'delete applications',
      everyMs: 1_000,
      idleMs: IDLE_MS,
      run: () => removeMarkedApplications(db, records, 2_000),
    },
    { name: 'sweep pictures', everyMs: 3_600_000, run: () => sweepPictures(db) },
    { name: 'remove late records', everyMs: 1_000, idleMs: IDLE_MS, run: () => removeLateRecords(db, records) },
    { name: 'sweep taken ids', everyMs: 600_000, run: () => sweepTakenIds(db) },
    { name: 'sweep text usage', everyMs: 3_600_000, run: () => sweepTextUsage(db) },
    { name: 'sweep device logins', everyMs: 60_000, run: () => sweepDeviceLogins(db) },
  ];
  return { jobs, stop: retention.stop };
};
