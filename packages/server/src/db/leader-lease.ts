import { randomUUID } from 'node:crypto';
import type { Job } from '../platform/jobs.ts';
import { databaseTime } from './clock.ts';
import type { Db } from './connect.ts';
import { isLeaseFree, leaseUntil } from './lease.ts';

const KEEPER_MS = 15_000;
const RENEW_MS = 5_000;

/**
 * Deleting what is old, folding and sweeping are one hub's work for all. Whoever keeps house says so again and again;
 * when nothing has been heard of him for a while, another one does. `alone`: on SQLite nobody else can be there.
 */
export const createLeaderLease = async (db: Db, alone: boolean) => {
  const me = randomUUID();
  // By a clock that nobody sets: how long ago it was claimed is no matter of the time of day.
  const clock = (): number => performance.now();
  let mineUntil = 0;

  const claim = async (evenIfHeld: boolean): Promise<void> => {
    const until = clock() + KEEPER_MS;
    const time = databaseTime(db);
    const { numUpdatedRows } = await db
      .updateTable('hub_keeper')
      .set({ keeper: me, keeper_until: leaseUntil(KEEPER_MS, time) })
      .$if(!evenIfHeld, (rows) =>
        rows.where((row) => row.or([row('keeper', '=', me), isLeaseFree('keeper_until', KEEPER_MS, time)])),
      )
      .executeTakeFirst();
    mineUntil = Number(numUpdatedRows) === 1 ? until : 0;
  };
  await claim(alone);

  return {
    /** These jobs, each done when it is for this hub to do it. */
    jobs: (jobs: Job[]): Job[] => [
      { name: 'keep house', everyMs: RENEW_MS, run: () => claim(false) },
      ...jobs.map(({ run, ...job }) => ({
        ...job,
        run: async () => mineUntil > clock() && run(),
      })),
    ],
    async give(): Promise<void> {
      mineUntil = 0;
      await db.updateTable('hub_keeper').set({ keeper: '', keeper_until: 0 }).where('keeper', '=', me).execute();
    },
  };
};
