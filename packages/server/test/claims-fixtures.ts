import { LONG } from './connectivity-fixtures.ts';
import type { Hub } from './hub.ts';

/**
 * Expires the claims of a killed hub, which takes 10 to 30 seconds otherwise: the next hub takes them over at
 * once. With LONG the tests wait for the real time.
 */
export const expireClaims = async ({ db }: Pick<Hub, 'db'>): Promise<void> => {
  if (LONG) return;
  const ended = { leader_until: 0 };
  await db.updateTable('ota_task').set(ended).execute();
  await db.updateTable('sync_zone').set(ended).execute();
  await db.updateTable('sync_job').set(ended).execute();
  // 0 means never claimed.
  await db.updateTable('firmware_file').set({ checker_until: 1 }).where('checker_until', '>', 0).execute();
  await db.updateTable('mock_device').set({ runner_until: 0 }).execute();
  await db.updateTable('hub_keeper').set({ keeper_until: 0 }).execute();
};

/** Expires the leases by which hubs detect the death of another. */
export const expireLeases = async ({ db }: Pick<Hub, 'db'>): Promise<void> => {
  if (!LONG) await db.updateTable('hub_instance').set({ lease_until: 0 }).execute();
};

/** Expires the lease of the frozen device process that listens on this port. */
export const expireLeaseAt = async ({ db }: Pick<Hub, 'db'>, mqttPort: number): Promise<void> => {
  if (LONG) return;
  const ended = db.updateTable('hub_instance').set({ lease_until: 0 });
  await ended.where('listens_at', 'like', `% ${mqttPort}`).executeTakeFirstOrThrow();
};

/** Ends the five seconds after which the hub takes over a mock device that a browser has left. */
export const expireGracePeriod = async ({ db }: Pick<Hub, 'db'>, deviceId: string): Promise<void> => {
  await db
    .updateTable('device')
    .set({ presence_at: 1 })
    .where('device_id', '=', deviceId)
    .where('online', '=', 2)
    .execute();
};
