import { LONG } from './connectivity-fixtures.ts';
import type { Hub } from './hub.ts';

/**
 * Ends what a killed hub has claimed, as time would do after 10 to 30 seconds: whoever comes next takes it over at
 * once. The long form waits for the real time.
 */
export const endClaims = async ({ db }: Pick<Hub, 'db'>): Promise<void> => {
  if (LONG) return;
  const ended = { leader_until: 0 };
  await db.updateTable('ota_task').set(ended).execute();
  await db.updateTable('sync_zone').set(ended).execute();
  await db.updateTable('sync_job').set(ended).execute();
  // There 0 means that nobody has ever held it.
  await db.updateTable('firmware_file').set({ checker_until: 1 }).where('checker_until', '>', 0).execute();
  await db.updateTable('mock_device').set({ runner_until: 0 }).execute();
  await db.updateTable('hub_keeper').set({ keeper_until: 0 }).execute();
};

/** The same for the leases by which hubs know of one another: whoever does not renew it is taken for dead. */
export const endLeases = async ({ db }: Pick<Hub, 'db'>): Promise<void> => {
  if (!LONG) await db.updateTable('hub_instance').set({ lease_until: 0 }).execute();
};

/** The same for the one device side that listens at this port: it stands still and does not renew it. */
export const endLeaseAt = async ({ db }: Pick<Hub, 'db'>, mqttPort: number): Promise<void> => {
  if (LONG) return;
  const ended = db.updateTable('hub_instance').set({ lease_until: 0 });
  await ended.where('listens_at', 'like', `% ${mqttPort}`).executeTakeFirstOrThrow();
};

/** A mock device that somebody else has left is taken back by the hub after five seconds: these have passed. */
export const passGrace = async ({ db }: Pick<Hub, 'db'>, deviceId: string): Promise<void> => {
  await db
    .updateTable('device')
    .set({ presence_at: 1 })
    .where('device_id', '=', deviceId)
    .where('online', '=', 2)
    .execute();
};
