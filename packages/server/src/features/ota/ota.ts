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
  hints: Pick<Notifier, 'send' | 'on'>;
  linkFor: Parameters<typeof createDispatch>[0]['linkFor'];
  insertRehearsed: Parameters<typeof createOtaRehearsal>[0]['insertRehearsed'];
  log: Log;
};

/** Upgrade tasks: what people do with them, and who carries them out. */
export const createOta = ({ db, hints, linkFor, insertRehearsed, log }: OtaDeps) => {
  const queries = createOtaQueries({ db });
  const creation = createOtaCreation({ db, hints });
  const dispatch = createDispatch({ db, log, linkFor, commandHint: () => hints.send('command') });
  hints.on('upgrade', dispatch.hint);
  hints.on('answer', dispatch.hint);
  const jobs: Job[] = [{ name: 'dispatch upgrades', everyMs: 500, idleMs: IDLE_MS, run: dispatch.look }];
  const sweeps: Job[] = [{ name: 'sweep upgrade tasks', everyMs: 30_000, run: dispatch.sweep }];
  return {
    calls: Object.assign(
      queries,
      creation,
      createOtaPreview({ db }),
      createOtaActions({ db, hints, wake: dispatch.hint }),
      createOtaRehearsal({ db, insertRehearsed, fill: creation.fill }),
    ),
    taskNews: queries.taskNews,
    jobs,
    /** What one hub does for all. */
    sweeps,
    stop: dispatch.stop,
  };
};
