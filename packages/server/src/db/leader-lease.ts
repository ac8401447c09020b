import { randomUUID } from 'node:crypto';
import type { Job } from '../platform/jobs.ts';
import { databaseTime } from './clock.ts';
import type { Db } from './connect.ts';
import { isLeaseFree, leaseUntil } from './lease.ts';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/**
 * Shared jobs, such as retention and roll-up, run on the leader only. The leader renews its lease every 5 s; when it
 * expires, another hub becomes leader. `isExclusive`: on SQLite there is no other hub, so the lease is taken over at
 * once.
 */
export const createLeaderLease = async (db: Db, isExclusive: boolean) => {
  const me = randomUUID();
  // A monotonic clock: setting the time of day must not change the age of the lease.
  const clock = (): number => performance.now();
  let leaseEndsAt = 0;

  const claim = async (force: boolean): Promise<void> => {
    const until = clock() + LEASE_MS;
    const time = databaseTime(db);
    const { numUpdatedRows } = await db
      .updateTable('hub_keeper')
      .set({ keeper: me, keeper_until: leaseUntil(LEASE_MS, time) })
      .$if(!force, (rows) =>
        rows.where((row) => row.or([row('keeper', '=', me), isLeaseFree('keeper_until', LEASE_MS, time)])),
      )
      .executeTakeFirst();
    leaseEndsAt = Number(numUpdatedRows) === 1 ? until : 0;
  };
  await claim(isExclusive);

  return {
    /** Wraps jobs so that they run only while this hub is the leader. */
    jobs: (jobs: Job[]): Job[] => [
      { name: 'renew leader lease', everyMs: RENEW_MS, run: () => claim(false) },
      ...jobs.map(({ run, ...job }) => ({
        ...job,
        run: async () => leaseEndsAt > clock() && run(),
      })),
    ],
    async release(): Promise<void> {
      leaseEndsAt = 0;
      await db.updateTable('hub_keeper').set({ keeper: '', keeper_until: 0 }).where('keeper', '=', me).execute();
    },
  };
};
