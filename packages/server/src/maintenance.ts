import { removeMarkedApplications } from './db/application-removal.ts';
import type { Db, RecordDb } from './db/connect.ts';
import { createTenantDevices } from './db/device-ids.ts';
import { removeLateRecords } from './db/device-removal.ts';
import { sweepPictures } from './db/pictures.ts';
import { tenancyIdsOf } from './db/platform-ids.ts';
import { storedBytesLimits, sweepTextUsage } from './db/quotas.ts';
import { sweepTakenIds } from './db/taken-ids.ts';
import { sweepDeviceLogins } from './features/bucket/sweep.ts';
import { snapshotFleet } from './features/home/home.snapshot.ts';
import { removeRehearsed } from './features/ota/ota.rehearsal.ts';
import { IDLE_MS, type Job } from './platform/jobs.ts';
import type { Log } from './platform/log.ts';
import type { Notifier } from './platform/notifier.ts';
import type { Settings } from './platform/settings.ts';
import { createPartitions } from './records/partitions.ts';
import { createRetention } from './records/retention.ts';
import { rollUpCounters } from './records/roll-up-counters.ts';
import { createUsedBytes } from './records/used-bytes.ts';

type HousekeepingDeps = {
  db: Db;
  records: RecordDb;
  settings: Settings;
  hints: Pick<Notifier, 'send'>;
  log: Log;
};

/** What is done in the databases now and then, and by one hub for all. */
export const createMaintenance = ({ db, records, settings, hints, log }: HousekeepingDeps) => {
  const { RETENTION_DAYS: days, RETENTION_BYTES: bytes, DATABASE_URL } = settings;
  const partitions = DATABASE_URL ? createPartitions({ records, days }) : undefined;
  const retention = createRetention({
    records,
    days,
    bytes,
    usedBytes: createUsedBytes(records, DATABASE_URL !== undefined),
    partitions,
    tenancyIds: () => tenancyIdsOf(db),
    devicesOf: createTenantDevices(db),
    storedBytesLimits: () => storedBytesLimits(db),
    log,
  });
  const jobs: Job[] = [
    { name: 'make record partitions', everyMs: 600_000, run: async () => partitions?.makeAhead(Date.now()) },
    { name: 'age records out', everyMs: settings.RETENTION_EVERY, run: retention.run },
    { name: 'trim refusals', everyMs: 30_000, run: retention.trimRefusals },
    {
      name: 'remove rehearsed devices',
      everyMs: 5_000,
      run: () => removeRehearsed(db, records, () => hints.send('cut')),
    },
    { name: 'fold counters', everyMs: 60_000, run: () => rollUpCounters(records) },
    { name: 'count the fleet', everyMs: 10_000, run: () => snapshotFleet(db) },
    {
      name: 'delete applications',
      everyMs: 1_000,
      idleMs: IDLE_MS,
      run: () => removeMarkedApplications(db, records, 2_000),
    },
    { name: 'sweep pictures', everyMs: 3_600_000, run: () => sweepPictures(db) },
    { name: 'remove late records', everyMs: 1_000, idleMs: IDLE_MS, run: () => removeLateRecords(db, records) },
    { name: 'sweep refused ids', everyMs: 600_000, run: () => sweepTakenIds(db) },
    { name: 'sweep text usage', everyMs: 3_600_000, run: () => sweepTextUsage(db) },
    { name: 'sweep device log-ins', everyMs: 60_000, run: () => sweepDeviceLogins(db) },
  ];
  return { jobs, stop: retention.stop };
};
