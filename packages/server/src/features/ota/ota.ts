import type { Db } from '../../db/connect.ts';
import { IDLE_MS, type Job } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { createOtaActions } from './ota.actions.ts';
import { createOtaCreation } from './ota.creation.ts';
import { createDispatch } from './ota.dispatch.ts';
import { createOtaPreview } from './ota.preview.ts';
import { createOtaQueries } from './ota.queries.ts';
import { createOtaRehearsal } from './ota.rehearsal.ts';

type OtaDeps = {
  db: Db;
  notifier: Pick<Notifier, 'send' | 'on'>;
  linkFor: Parameters<typeof createDispatch>[0]['linkFor'];
  insertRehearsalDevices: Parameters<typeof createOtaRehearsal>[0]['insertRehearsalDevices'];
  log: Log;
};

/** Upgrade tasks: the operators' calls, and the dispatcher that carries the tasks out. */
export const createOta = ({ db, notifier, linkFor, insertRehearsalDevices, log }: OtaDeps) => {
  const queries = createOtaQueries({ db });
  const creation = createOtaCreation({ db, notifier });
  const dispatch = createDispatch({ db, log, linkFor, notifyCommand: () => notifier.send('command') });
  notifier.on('upgrade', dispatch.wake);
  notifier.on('answer', dispatch.wake);
  const jobs: Job[] = [{ name: 'dispatch upgrades', everyMs: 500, idleMs: IDLE_MS, run: dispatch.poll }];
  const sweeps: Job[] = [{ name: 'sweep upgrade tasks', everyMs: 30_000, run: dispatch.sweep }];
  return {
    calls: Object.assign(
      queries,
      creation,
      createOtaPreview({ db }),
      createOtaActions({ db, notifier, wake: dispatch.wake }),
      createOtaRehearsal({ db, insertRehearsalDevices, fill: creation.fill }),
    ),
    taskUpdates: queries.taskUpdates,
    jobs,
    /** Jobs that only the leader runs. */
    sweeps,
    stop: dispatch.stop,
  };
};
